/** `platen serve`: runs the service until it is told to stop. */
import { messageOf } from '@platen/core';
import { buildApp } from '../service/app.js';
import { compose } from '../service/compose.js';
import { prepareDataFolder } from '../machine/dataFolder/dataFolder.js';
import { lockDataFolder } from '../machine/dataFolder/lock.js';
import { readConfig } from '../machine/config/read.js';
import { commandFor, startOf } from '../machine/linuxService.js';
import { resolveSettings } from '../machine/config/settings.js';
import { followConfiguration, type FollowedConfiguration } from '../service/followConfiguration.js';
import { localToken } from '../service/consent/localToken.js';
import { listen } from '../service/listen.js';
import { leave, reportEndTo } from '../machine/ending.js';
import { createLogger, failureLog, logFor, standardError, twoPlaces } from '../machine/log/log.js';
import { openLogFile, type LogFile } from '../machine/log/logFile.js';
import { logLoaded } from '../service/logLoaded.js';
import { memoryAdvice, memoryMap } from '../service/memoryAdvice.js';
import { createMemoryRelease } from '../service/releaseMemory.js';
import { CertificateError } from '../machine/tls/error.js';
import { keepCertificate, startCertificate } from '../machine/tls/renewal.js';
import { exitCodes } from '../machine/exitCodes.js';
import { command } from './command.js';

/** A graceful stop that takes longer is cut short. */
const STOP_LIMIT_MS = 30_000;

const help = `platen serve [--config FILE] [--port N]

Runs the service. Flags override variables (PLATEN_CONFIG, PLATEN_PORT, PLATEN_DATA_DIR), which override the file.
Port 0 takes a free port. Once it listens, the service prints a line with its address to standard output.`;

/** @returns the exit code; a failure is one sentence on standard error */
export const serve = command(
  {
    help,
    exits: ['configuration', 'certificate', 'portInUse', 'dataFolderInUse'],
    options: { config: { type: 'string' }, port: { type: 'string' } },
  },
  async ({ values, io }, stopped: Promise<string>): Promise<number | 'usage'> => {
    const settings = resolveSettings({ flags: values, env: io.env, cwd: io.cwd });
    const config = await readConfig(settings.configFile, settings.dataDir);
    const lines = twoPlaces(standardError());
    const logger = createLogger(config.log.level, lines);
    const log = logFor(logger, 'service');
    reportEndTo(failureLog(logger, 'service'));
    await prepareDataFolder(settings.dataDir, log.warn);
    const [host = 'localhost'] = config.security.allowedHosts;
    let port = 0;
    const unlock = await lockDataFolder(settings.dataDir, () => ({ use: 'service', host, port, config: config.file }));
    let file: LogFile | undefined;
    let following: FollowedConfiguration | undefined;
    try {
      // Only who holds the folder may rotate its files.
      file = config.log.file ? openLogFile(settings.dataDir, config.log, log.warn) : undefined;
      lines.attach(file);
      const certificate = await startCertificate(settings.dataDir, log).catch(first(settings.dataDir));
      const tls = { key: certificate.key, cert: certificate.cert };
      const memory = createMemoryRelease();
      following = await followConfiguration({
        ...{ config, dataDir: settings.dataDir, log },
        read: () => readConfig(settings.configFile, settings.dataDir),
      });
      const composed = await compose({
        ...settings,
        config,
        log,
        scanEnded: memory.soon,
        settingsToken: await localToken(settings.dataDir, 'settings'),
        pluginLog: name => logFor(logger, name),
      });
      logLoaded(composed.reports(), log);
      let limit: NodeJS.Timeout | undefined;
      try {
        const app = await buildApp({ routeParts: composed.routeParts, security: config.security, tls, logger });
        const listening = await listen(app, settings.port ?? config.listen.port, tls);
        port = listening.port;
        void composed.routeParts.scans.ready();
        const leaveCertificate = keepCertificate({ dir: settings.dataDir, log, served: certificate, ...listening });
        const address = `Platen ${composed.routeParts.version} listens on https://localhost:${port}`;
        io.out(`${address}; in a browser, scan at https://localhost:${port}/app/`);
        if (file) logFor(createLogger(config.log.level, file), 'service').info(`${address}.`);
        const advice = memoryAdvice({ env: io.env, map: memoryMap(), canSet: 'execve' in process });
        if (advice) log.info(advice);
        if (config.security.origins === 'open')
          log.warn(
            'Any web page may use the scanners. To have the person asked, set security.origins to "ask" in the configuration.',
          );
        if (config.security.localPrograms === 'token' && config.security.origins !== 'ask')
          log.warn(
            'A program without the token can claim to be a web page. To have pages prove themselves, set security.origins to "ask", too.',
          );
        following.start(composed.reload);
        composed.routeParts.settings.takesOverWith(following.now);
        memory.soon();
        const reason = await stopped;
        following.end();
        leaveCertificate();
        memory.stop();
        port = 0;
        log.info(`Stopping: ${reason}.`);
        limit = setTimeout(() => {
          log.error(`The service did not stop within ${STOP_LIMIT_MS / 1000} s. Ending it now.`);
          leave(exitCodes.failure);
        }, STOP_LIMIT_MS);
        await composed.stopScanning();
        await app.close();
      } finally {
        await composed.close().catch((error: unknown) => log.warn(`A plugin failed to close: ${messageOf(error)}`));
        clearTimeout(limit);
      }
      log.info('Stopped.');
      return exitCodes.ok;
    } catch (error) {
      // The command line says it on standard error.
      if (file) logFor(createLogger(config.log.level, file), 'service').error(`The service ended: ${messageOf(error)}`);
      throw error;
    } finally {
      following?.end();
      lines.attach(undefined);
      file?.close();
      await unlock();
    }
  },
);

/** Before the first start there is no certificate: the fix is the two commands, as they are typed. */
const first =
  (dataDir: string) =>
  (error: unknown): never => {
    if (!(error instanceof CertificateError) || error.fault !== 'missing') throw error;
    const sentence = `${error.what}. Run: ${commandFor(dataDir, 'platen cert install')}. Then: ${startOf(dataDir)}.`;
    throw Object.assign(new Error(sentence, { cause: error }), { code: error.code });
  };
