/** `platen settings`: opens the page that changes the options of plugins, and writes what the person decides there. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemClock } from '@platen/core';
import { PlatenError } from '@platen/client';
import { ConfigError, systemCode } from '../machine/configError.js';
import { dataFolderHolder } from '../machine/dataFolder/lock.js';
import { ownFile } from '../machine/config/ownFile.js';
import { resolveSettings } from '../machine/config/settings.js';
import { exitCodes } from '../machine/exitCodes.js';
import { platform } from '../machine/platform.js';
import { readToken, tokenFile } from '../service/consent/localToken.js';
import { command } from './command.js';
import { runningService } from './scan/runningService.js';
import { openPage } from './settings/openPage.js';
import { writeWork } from './settings/writeWork.js';

const help = `platen settings [--config FILE] [--no-open]

Opens the page on which a person changes the options of plugins and switches them on and off, without JSON. Stays until
Ctrl-C: what is saved on the page is written by this command, with its rights, into 80-plugins.json of conf.d beside the
configuration, and the running service takes it over. Needs the rights to write there: with sudo, or as administrator.

  --config FILE  the service's configuration (PLATEN_CONFIG); absent: that of the running service
  --no-open      prints the page's address, and opens no browser. The address is a secret as long as this runs`;

const how = platform === 'win32' ? 'as administrator' : 'with sudo';

interface Attended {
  readonly key: string;
  readonly work?: { readonly id: string; readonly text: string; readonly isSecret: boolean };
}

export const settings = command(
  {
    help,
    exits: ['configuration', 'certificate'],
    options: { config: { type: 'string' }, open: { type: 'boolean' } },
    allowNegative: true,
  },
  async ({ values, io }, stopped: Promise<string>): Promise<number | 'usage'> => {
    const resolved = resolveSettings({ flags: values, env: io.env, cwd: io.cwd });
    const { dataDir } = resolved;
    const holder = await dataFolderHolder(dataDir).catch((error: unknown) => {
      throw mayNot(`read the data folder ${dataDir}`, error);
    });
    const service = holder.alive && holder.use?.use === 'service' ? holder.use : undefined;
    if (!service || service.port === 0)
      throw new ConfigError(
        `No service uses the data folder ${dataDir}. Settings are changed while it runs: start it, then run this again.`,
      );
    const configFile = values.config === undefined ? (service.config ?? resolved.configFile) : resolved.configFile;
    const file = ownFile(configFile, dataDir);
    await assertMayWrite(file);
    const token = await readToken(dataDir, 'settings').catch((error: unknown) => {
      throw mayNot(`read ${tokenFile(dataDir, 'settings')}`, error);
    });
    if (token === undefined)
      throw new ConfigError(`The running service offers no settings. Restart it after its update.`);
    const reached = await runningService(dataDir, service, systemClock);
    if (!reached) throw new Error('The service does not answer. Run "platen doctor".');
    const ending = new AbortController();
    void stopped.then(() => ending.abort());
    const attend = (body: object): Promise<Attended> =>
      reached.calls.json('/settings/work', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-platen-settings': token },
        body,
        signal: ending.signal,
      }) as Promise<unknown> as Promise<Attended>;
    try {
      let { key, work } = await attend({});
      const page = `https://${service.host}:${service.port}/settings/#key=${key}`;
      io.out(page);
      const close = values.open === false ? undefined : await openPage(page, io.env);
      io.out('The page can change settings until this command ends: Ctrl-C.');
      try {
        for (;;) {
          let done: { id: string; fault?: string } | undefined;
          if (work) {
            const fault = await writeWork(work, { file, configFile, dataDir });
            done = { id: work.id, ...(fault === undefined ? {} : { fault }) };
            if (fault === undefined) io.out(`Wrote ${file}.`);
            else io.err(fault);
          }
          ({ key, work } = await attend({ key, ...(done && { done }) }));
        }
      } finally {
        await close?.();
      }
    } catch (error) {
      if (ending.signal.aborted) return exitCodes.ok;
      if (error instanceof PlatenError && error.code === 'no-answer')
        throw new Error('The service ended. Run this again when it runs.', { cause: error });
      throw error;
    }
  },
);

/** @throws Error with what to do */
async function assertMayWrite(file: string): Promise<void> {
  let folder = dirname(file);
  while ((await stat(folder).catch(() => undefined)) === undefined && dirname(folder) !== folder)
    folder = dirname(folder);
  await access(folder, constants.W_OK).catch((error: unknown) => {
    throw mayNot(`write ${file}`, error);
  });
}

function mayNot(what: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return error;
  return new ConfigError(`This account may not ${what}. Run the command ${how}.`, { cause: error });
}
