/** Scans in this process, with the plugins of a configuration. */
import { describeScanner, messageOf, type KnownDevice, type Log } from '@platen/core';
import { compose } from '../../compose.js';
import type { Config } from '../../config/schema.js';
import { optionsFromSimple } from '../../http/dto/parameters.js';
import type { ScanBackend } from './backend.js';

export interface InProcessParts {
  readonly config: Config & { readonly file: string };
  /** Exists, and this process holds its lock. */
  readonly dataDir: string;
  /** The log of a part of the program. */
  logFor(part: string): Log;
}

export async function scanInProcess({ config, dataDir, logFor }: InProcessParts): Promise<ScanBackend> {
  const log = logFor('platen');
  const composed = await compose({ config, dataDir, log, pluginLog: logFor });
  const { scans } = composed.services;
  return {
    async look(name) {
      const isThere = (all: readonly KnownDevice[]): boolean =>
        all.some(each => each.name === name && !each.remembered);
      return (await scans.look(name === undefined ? undefined : isThere)).map(describeScanner);
    },
    scan({ scannerName, parameters }, write) {
      const options = optionsFromSimple(parameters);
      const run = scans.scan({ scannerName, options }, { keep: page => write(page) });
      return { over: run.over, notes: run.notes, end: async reason => run.end(reason) };
    },
    async close() {
      await composed.stopScanning();
      await composed.close().catch((error: unknown) => log.error(`A plugin failed to close: ${messageOf(error)}`));
    },
  };
}
