/** Scans in this process, with the plugins of a configuration. */
import { join } from 'node:path';
import { describeScanner, InvalidValue, messageOf, outputFormatNames, type KnownDevice, type Log } from '@platen/core';
import { compose } from '../../service/compose.js';
import type { Config } from '../../machine/config/schema.js';
import { documentQueryOf } from '../../service/parameters/documentQuery.js';
import { optionsFromSimple } from '../../service/parameters/scanParameters.js';
import { withProfile } from '../../service/parameters/profiles.js';
import type { ScanBackend } from './backend.js';
import { fetchCommand } from './fetchCommand.js';
import { keepInProcess } from './keptInProcess.js';

export interface InProcessParts {
  readonly config: Config & { readonly file: string };
  /** Exists, and this process holds its lock. */
  readonly dataDir: string;
  /** Where plugins were added. */
  readonly pluginsDir: string | undefined;
  /** Of the service, when it runs; 0: a free one. */
  readonly port: number;
  /** The log of a part of the program. */
  logFor(part: string): Log;
}

export async function scanInProcess({
  config,
  dataDir,
  pluginsDir,
  port,
  logFor,
}: InProcessParts): Promise<ScanBackend> {
  const log = logFor('platen');
  const composed = await compose({ config, dataDir, pluginsDir, log, pluginLog: logFor });
  const { scans, kept, registry, keepsPages, profiles } = composed.routeParts;
  const folder = join(dataDir, 'scans');

  /** The service that is started then has the pages. */
  const afterStart = (path: string, isSaved: boolean): string => {
    const host = config.security.allowedHosts[0] ?? 'localhost';
    const withToken = config.security.localPrograms === 'token';
    const command = fetchCommand({ dataDir, host, port, path, isSaved, withToken });
    return `kept in ${folder}. Start the service (platen serve), then: ${command}`;
  };
  const fetching = (path: string): string =>
    keepsPages
      ? `Its pages are ${afterStart(path, true)}`
      : 'Its pages are lost, because of scans.keep: false in the configuration.';

  const interrupted = kept.list('').filter(({ state, pages }) => state === 'interrupted' && pages.length > 0);
  if (interrupted.length > 0) {
    const count = interrupted.reduce((sum, { pages }) => sum + pages.length, 0);
    log.warn(`Pages of scans that were interrupted (${count}) are ${afterStart('/api/scans', false)}`);
  }

  return {
    async look(name) {
      const isThere = (all: readonly KnownDevice[]): boolean =>
        all.some(each => each.name === name && !each.remembered);
      return (await scans.look(name === undefined ? undefined : isThere)).map(describeScanner);
    },
    scan({ scannerName, parameters }, write) {
      const options = optionsFromSimple(withProfile(parameters, profiles), registry);
      const run = scans.scan({ scannerName, options }, { keep: page => write(page) });
      return { over: run.over, notes: run.notes, end: async reason => run.end(reason) };
    },
    async refusesDocument(ask) {
      try {
        documentQueryOf({ ...ask }, registry.documents, registry.whyNot);
      } catch (error) {
        if (error instanceof InvalidValue) return error;
        throw error;
      }
      return undefined;
    },
    imageEndings: async () => outputFormatNames(registry.formats),
    keep: (request, see) => keepInProcess(request, { ...composed.routeParts, see, fetching }),
    async close() {
      await composed.stopScanning();
      await composed.close().catch((error: unknown) => log.error(`A plugin failed to close: ${messageOf(error)}`));
    },
  };
}
