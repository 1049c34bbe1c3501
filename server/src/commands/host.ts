/**
 * `platen host`: runs the desktop application, which serves scanner drivers to the service, until it is told to stop.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type Log } from '@platen/core';
import { prepareDataFolder } from '../machine/dataFolder/dataFolder.js';
import { ChannelInUse, lockChannel } from '../machine/dataFolder/lock.js';
import { readHostConfig } from '../machine/config/read.js';
import { resolveSettings } from '../machine/config/settings.js';
import { hostJson } from '../machine/config/shipped.js';
import { startHost } from './host/host.js';
import { leave, reportEndTo } from '../machine/ending.js';
import { createLogger, failureLog, logFor } from '../machine/log/log.js';
import { exitCodes } from '../machine/exitCodes.js';
import { command } from './command.js';

/** How long a scan may take to finish its current sheet. */
const SCAN_LIMIT_MS = 10_000;
/** A graceful stop that takes longer is cut short. */
const STOP_LIMIT_MS = 30_000;
/** The pauses between two looks at a channel that another desktop application serves: the first, and the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

const help = `platen host [--config FILE] [--no-wait]

Runs the desktop application: loads the drivers of its configuration and serves them to Platen's service over a channel
on this computer. Either may start first.
If another desktop application serves the channel, such as that of another user who is still logged on, this one waits
for it to end. With --no-wait it exits with 9 instead.
--config overrides PLATEN_CONFIG; without either, the installation's host.json applies. Use the service's data folder
(PLATEN_DATA_DIR): it holds the secret that the two share.`;

/** @returns the exit code; a failure is one sentence on standard error */
export const host = command(
  {
    help,
    exits: ['configuration', 'channelInUse'],
    options: { config: { type: 'string' }, wait: { type: 'boolean', default: true } },
    allowNegative: true,
  },
  async ({ values, io }, stopped: Promise<string>): Promise<number | 'usage'> => {
    const settings = resolveSettings({ flags: values, env: io.env, configFile: hostJson, cwd: io.cwd });
    const config = await readHostConfig(settings.configFile, settings.dataDir);
    const logger = createLogger(config.log.level);
    const log = logFor(logger, 'host');
    reportEndTo(failureLog(logger, 'host'));
    await prepareDataFolder(settings.dataDir, log.warn);
    const unlock = values.wait
      ? await lockWhenFree(settings.dataDir, config.channel, log, stopped)
      : await lockChannel(settings.dataDir, config.channel);
    if (!unlock) return exitCodes.ok;
    try {
      const running = await startHost({
        config,
        dataDir: settings.dataDir,
        pluginsDir: settings.pluginsDir,
        log,
        pluginLog: name => logFor(logger, name),
      });
      io.out(
        `Platen's desktop application ${running.version} serves ${running.drivers.join(', ') || 'no driver'} on the channel ${config.channel}`,
      );
      log.info(`Listening at ${running.address}.`);
      const reason = await stopped;
      log.info(`Stopping: ${reason}.`);
      const limits = [
        setTimeout(() => void close(), SCAN_LIMIT_MS),
        setTimeout(() => {
          log.error(`The desktop application did not stop within ${STOP_LIMIT_MS / 1000} s. Ending it now.`);
          leave(exitCodes.failure);
        }, STOP_LIMIT_MS),
      ];
      let closing: Promise<void> | undefined;
      const close = (): Promise<void> =>
        (closing ??= running
          .close()
          .catch((error: unknown) => log.warn(`A plugin failed to close: ${messageOf(error)}`)));
      await running.stopScanning();
      await close();
      limits.forEach(clearTimeout);
      log.info('Stopped.');
      return exitCodes.ok;
    } finally {
      await unlock();
    }
  },
);

/** Logs once that it waits. @returns what releases the channel; undefined if told to stop first */
async function lockWhenFree(
  dataDir: string,
  channel: string,
  log: Log,
  stopped: Promise<string>,
): Promise<(() => Promise<void>) | undefined> {
  const stop = new AbortController();
  void stopped.then(() => stop.abort());
  for (let pause = FIRST_PAUSE_MS; !stop.signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await lockChannel(dataDir, channel);
    } catch (error) {
      if (!(error instanceof ChannelInUse)) throw error;
      if (pause === FIRST_PAUSE_MS)
        log.info(`The channel ${channel} is served by ${error.holder}. Waiting for it to end.`);
    }
    await sleep(pause, undefined, { signal: stop.signal }).catch(() => undefined);
  }
  return undefined;
}
