/** `platen host`: runs the desktop application, which has the scanners' drivers for the service, until it is told to stop. */
import { parseArgs } from 'node:util';
import { messageOf } from '@platen/core';
import { prepareDataFolder } from '../config/dataFolder.js';
import { lockChannel } from '../config/lock.js';
import { readHostConfig } from '../config/read.js';
import { hostJson, resolveSettings } from '../config/settings.js';
import { startHost } from '../host/host.js';
import { createLogger, logFor } from '../log.js';
import { exitCodes, exitCodesHelp } from './exitCodes.js';
import type { Io } from './io.js';

/** How long a scan may take to finish its sheet. */
const SCAN_LIMIT_MS = 10_000;
/** An orderly stop that takes longer is cut short. */
const STOP_LIMIT_MS = 30_000;

const help = `platen host [--config FILE]

Runs the desktop application: loads the drivers of its configuration and serves them to Platen's service over a channel
of this computer. Either may start first.
The flag beats the variable PLATEN_CONFIG; without both it is the installation's host.json. The data folder
(PLATEN_DATA_DIR) is the service's own: the secret by which both know each other is in it.

${exitCodesHelp}`;

/** @returns the exit code; a failure is one sentence on standard error */
export async function host(args: string[], io: Io, stopped: Promise<string>): Promise<number> {
  const { values } = parseArgs({ args, options: { config: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) {
    io.out(help);
    return exitCodes.ok;
  }
  const settings = resolveSettings({ flags: values, env: io.env, configFile: hostJson, cwd: io.cwd });
  const config = await readHostConfig(settings.configFile);
  await prepareDataFolder(settings.dataDir);
  const logger = createLogger(config.log.level);
  const log = logFor(logger, 'host');
  const unlock = await lockChannel(settings.dataDir, config.channel);
  try {
    const running = await startHost({ config, dataDir: settings.dataDir, log, pluginLog: name => logFor(logger, name) });
    io.out(`Platen's desktop application ${running.version} serves ${running.drivers.join(', ') || 'no driver'} on the channel ${config.channel}`);
    log.info(`Listening at ${running.address}.`);
    const reason = await stopped;
    log.info(`Stopping: ${reason}.`);
    const limits = [
      setTimeout(() => void close(), SCAN_LIMIT_MS),
      setTimeout(() => {
        log.error(`The desktop application did not stop within ${STOP_LIMIT_MS / 1000} s; it is ended.`);
        process.exit(exitCodes.failure);
      }, STOP_LIMIT_MS),
    ];
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => (closing ??= running.close().catch((error: unknown) => log.warn(`A plugin did not close: ${messageOf(error)}`)));
    await running.stopScanning();
    await close();
    limits.forEach(clearTimeout);
    log.info('Stopped.');
    return exitCodes.ok;
  } finally {
    await unlock();
  }
}
