/** One scan in this process, whose documents are written from pages that are kept in the data folder. */
import { randomUUID } from 'node:crypto';
import {
  codeOf,
  documentsOf,
  pagesOfScan,
  writeDocument,
  type KeptScan,
  type ScanError,
  type ScanNote,
} from '@platen/core';
import { documentQueryOf } from '../../service/parameters/documentQuery.js';
import { optionsFromStart } from '../../service/parameters/scanParameters.js';
import { withProfile } from '../../service/parameters/profiles.js';
import type { RouteParts } from '../../service/routeParts.js';
import type { BackendRequest, KeptRun, SeePage } from './backend.js';
import { documentPath } from './documentAsk.js';
import { endOf } from './serviceRun.js';

export interface KeptInProcessParts extends Pick<RouteParts, 'kept' | 'scans' | 'registry' | 'pool' | 'profiles'> {
  readonly see: SeePage;
  /** Says how to get a document when this process is over. @param path with its query */
  fetching(path: string): string;
}

/** Programs own scans without an origin. */
const ORIGIN = '';

export function keepInProcess(
  { scannerName, parameters }: BackendRequest,
  { kept, scans, registry, pool, profiles, see, fetching }: KeptInProcessParts,
): KeptRun {
  const notes: ScanNote[] = [];
  const requestId = randomUUID();
  let accepted: KeptScan | undefined;
  let stopped: ScanError | undefined;

  async function start(): Promise<KeptScan> {
    const options = optionsFromStart({ ...withProfile(parameters, profiles), report: true }, registry);
    const { scan } = await kept.start({ origin: ORIGIN, request: { scannerName, options, requestId } });
    accepted = scan;
    if (stopped) kept.cancel(scan);
    return scan;
  }

  async function run(starting: Promise<KeptScan>): Promise<ScanError | undefined> {
    let scan: KeptScan;
    try {
      scan = await starting;
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return codeOf(error) === 'cancelled' && stopped ? stopped : (error as ScanError);
    }
    for (let seen = 0; ;) {
      const isOver = scan.state !== 'running';
      for (const { page, size } of scan.pages.slice(seen)) see(page, size);
      seen = scan.pages.length;
      if (isOver) break;
      await scan.changed();
    }
    notes.push(...scan.notes);
    return endOf(scan, stopped);
  }

  const starting = start();
  const scanOf = (): KeptScan => {
    if (!accepted) throw new Error('The scan was not accepted.');
    return accepted;
  };
  return {
    notes,
    started: starting.then(
      () => true,
      () => false,
    ),
    over: run(starting),
    async end(reason) {
      if (stopped) return;
      stopped = reason;
      if (accepted) kept.cancel(accepted);
      else scans.cancel(requestId);
    },
    document(ask) {
      const scan = scanOf();
      const { format, pages, wishes } = documentQueryOf({ ...ask }, registry.documents, registry.whyNot);
      const source = pagesOfScan(scan, pages, () => kept.find(ORIGIN, scan.id) === scan);
      const parts = { software: registry, pool };
      return writeDocument(source, format, wishes, parts, { signal: new AbortController().signal });
    },
    documents: async () => documentsOf(scanOf()),
    release: () => kept.release(scanOf()).catch(() => undefined),
    leftOver: ask => fetching(documentPath(scanOf().id, ask)),
  };
}
