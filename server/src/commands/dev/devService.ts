/** A service with one plugin under development, and what `config/dev.json` puts beside it. */
import { join } from 'node:path';
import { messageOf, type PluginReport } from '@platen/core';
import type { Logger } from 'pino';
import { buildApp } from '../../service/app.js';
import { compose, type Composed } from '../../service/compose.js';
import { prepareDataFolder } from '../../machine/dataFolder/dataFolder.js';
import { lockDataFolder } from '../../machine/dataFolder/lock.js';
import { serverFolder } from '../../machine/packageFolders.js';
import { configOf, readConfig } from '../../machine/config/read.js';
import { listen } from '../../service/listen.js';
import { logFor } from '../../machine/log/log.js';
import { ensureCertificate } from '../../machine/tls/ensure.js';
import type { DevSetUp } from './messages.js';

export interface DevService {
  readonly port: number;
  /** For people: `driver acme`. */
  readonly provides: readonly string[];
  close(): Promise<void>;
}

/** `isPlugin`: the package's default export is one. `error`: undefined if there is a sentence only */
export type NotStarted = { readonly isPlugin: boolean; readonly error: unknown };

export interface DevServiceOptions extends DevSetUp {
  readonly logger: Logger;
}

/** What is beside the plugin. A driver in it is disabled: a plugin without one gets it. */
const devJson = join(serverFolder, 'config', 'dev.json');

/** @throws if the data folder or the port cannot be used */
export async function startDevService(
  options: DevServiceOptions,
): Promise<{ readonly service: DevService } | NotStarted> {
  const { dataDir, logger, port: wanted } = options;
  const log = logFor(logger, 'service');
  await prepareDataFolder(dataDir, log.warn);
  let port = 0;
  const file = manifestOf(options);
  const unlock = await lockDataFolder(dataDir, () => ({ use: 'service', host: 'localhost', port, config: file }));
  try {
    const { key, cert } = await ensureCertificate(dataDir);
    const found = await composeDev(options);
    if (!('composed' in found)) {
      await unlock();
      return found;
    }
    const { composed, report } = found;
    try {
      const tls = { key, cert };
      const app = await buildApp({
        routeParts: composed.routeParts,
        security: (await configFor(options, false)).security,
        tls,
        logger,
      });
      ({ port } = await listen(app, wanted, tls));
      void composed.routeParts.scans.ready();
      return {
        service: {
          port,
          provides: report.provides.map(({ kind, id }) => `${kind} ${id}`),
          async close() {
            port = 0;
            await composed.stopScanning();
            await app.close();
            await composed.close();
            await unlock();
          },
        },
      };
    } catch (error) {
      await composed.close().catch((late: unknown) => log.warn(`A plugin failed to close: ${messageOf(late)}`));
      throw error;
    }
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function composeDev(
  options: DevServiceOptions,
): Promise<{ readonly composed: Composed; readonly report: PluginReport } | NotStarted> {
  const { dataDir, logger, name, folder } = options;
  const ownLog = logger.child({}, { level: 'debug' });
  let error: unknown;
  const composeWith = async (withDriver: boolean): Promise<Composed> =>
    compose({
      config: await configFor(options, withDriver),
      dataDir,
      development: {
        failing(use, why) {
          if (use === folder) error = why;
        },
      },
      log: logFor(logger, 'service'),
      pluginLog: use => (use === folder ? logFor(ownLog, name) : logFor(logger, use)),
    });
  let composed = await composeWith(false);
  const report = composed.reports()[0]!;
  if (report.state !== 'loaded') {
    await composed.close();
    return { isPlugin: report.fault !== 'not-a-plugin', error };
  }
  if (!report.provides.some(({ kind }) => kind === 'driver')) {
    await composed.close();
    composed = await composeWith(true);
  }
  return { composed, report };
}

const manifestOf = ({ folder }: Pick<DevSetUp, 'folder'>): string => join(folder, 'package.json');

/** The plugin under development goes first: what it has in common with others is its own. */
async function configFor(setUp: DevSetUp, withDriver: boolean): Promise<ReturnType<typeof configOf>> {
  const { folder, name, options, licence } = setUp;
  const own = { use: folder, ...(options ? { options } : {}), ...(licence === undefined ? {} : { licence }) };
  const { plugins, security } = await readConfig(devJson);
  const others = plugins
    .filter(({ use }) => use !== name)
    .map(entry => ({ ...entry, enabled: entry.enabled || withDriver }));
  return configOf({ plugins: [own, ...others], security }, manifestOf(setUp));
}
