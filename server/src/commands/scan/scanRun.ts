/** One scan through a service: takes its pages as they are stored, says how it ended, and lets it go. */
import { randomUUID } from 'node:crypto';
import { PlatenError, type Scan, type ScanProgress, type DocumentFacts, type ScanPage } from '@platen/client';
import { failureOf, jsonOf } from '@platen/client/service';
import { codeOf, InvalidValue, ScanError, type ScanNote } from '@platen/core';
import { asNoReply, NoReply } from '../../machine/ask.js';
import { httpCodeOf } from '../../service/http/errors.js';
import type { StartParameters } from '../../service/parameters/scanParameters.js';
import { documentPath, type DocumentAsk } from './documentAsk.js';
import type { ReachedService } from './reachedService.js';

/** Of calls whose failure does not matter: a service that does not answer within 5 s does not get them. */
export const inTime = () => ({ signal: AbortSignal.timeout(5000) });

export interface ScanRequest {
  readonly scannerName: string;
  readonly parameters: StartParameters;
  /** A scan that ended early, which this one continues with the same parameters; absent: a new one. */
  readonly continued?: Scan;
  /** For which it waits for a scanner in use; 0 or absent: it fails with `busy`. */
  readonly waitSeconds?: number;
  /** Called with its place in line, from 1, whenever that changes. */
  onPlace?(place: number): void;
}

export type SeparateDocument = Pick<DocumentFacts, 'number' | 'name' | 'pages'>;

export interface ScanRun {
  /**
   * Feeds nothing more and finishes the sheet in the path. The first reason stays.
   * @returns resolves within seconds, when the service knows. Never rejects
   */
  end(reason: ScanError): Promise<void>;
  /** Whether the scan was accepted; if not, `over` has the reason. Resolves before paper moves. Never rejects */
  readonly started: Promise<boolean>;
  /**
   * Resolves when the scan is over and each page was taken. Rejects only if the command itself failed.
   * @returns why the scan failed
   */
  readonly over: Promise<ScanError | undefined>;
  /** Whether the end of the scan is not known, because the service did not answer any more. */
  readonly isLost: boolean;
  /** Undefined until the scan was accepted. */
  readonly scan: Scan | undefined;
  /** Complete when the run is over. */
  readonly notes: readonly ScanNote[];
  /**
   * Call it for a scan that was accepted. While the scan runs, the document waits for pages; if the scan fails, the pages
   * so far are all.
   * @throws `no-pages`, and why not all of it could be had; {isUnanswered} if the service ended meanwhile
   */
  document(ask: DocumentAsk): AsyncIterable<Uint8Array>;
  /** Into which documents the pages are separated. Call it when the scan is over. */
  documents(): Promise<readonly SeparateDocument[]>;
  /** Lets the pages of a scan go that is over. Never rejects: otherwise they go when their time is up. */
  release(): Promise<void>;
  /** Says how to get a document that is not written. */
  leftOver(ask: DocumentAsk): string;
  /** Says how to get pages that are not written: these, or all that the service has if the scan is lost. */
  leftPages(pages: readonly Pick<ScanPage, 'number' | 'isStored'>[]): string;
}

/** @param take gets each page once, in order, one after the other. @returns why no other page should follow */
export function startScanRun(
  { scannerName, parameters, continued, waitSeconds = 0, onPlace }: ScanRequest,
  { client, calls, left }: ReachedService,
  take: (page: ScanPage) => Promise<ScanError | undefined>,
): ScanRun {
  const notes: ScanNote[] = [];
  /** Also the request's id: a scan that has not begun is cancelled by that. */
  const key = randomUUID();
  let scan: Scan | undefined;
  let stopped: ScanError | undefined;
  let [isLost, isGone] = [false, false];

  const pagesBefore = continued?.pageCount ?? 0;

  const accepted = (): Scan => {
    if (!scan) throw new Error('The scan was not accepted.');
    return scan;
  };

  /** If it fails, the end of the scan is awaited all the same. */
  const cancel = async (): Promise<void> => {
    await (scan ? scan.cancel(inTime()) : client.cancel(key, inTime())).catch(() => undefined);
  };

  async function start(): Promise<Scan> {
    await continued?.continue();
    scan = continued ?? (await client.startScan(scannerName, { ...parameters, report: true }, { key, waitSeconds }));
    if (stopped) void cancel();
    return scan;
  }

  /** Why the scan was not accepted. @throws if the command itself failed */
  function refusalOf(error: unknown): ScanError {
    const failure = failureIn(
      error,
      'If the scan has begun, its pages wait in the service: GET /api/scans lists them.',
    );
    if (!(failure instanceof ScanError)) throw failure;
    // A scan that was cancelled before paper moved is refused as busy.
    return stopped && (failure.code === 'busy' || failure.code === 'cancelled') ? stopped : failure;
  }

  async function run(starting: Promise<Scan>): Promise<ScanError | undefined> {
    let own: Scan;
    try {
      own = await starting;
    } catch (error) {
      return refusalOf(error);
    }
    let taken = pagesBefore;
    try {
      for await (const page of own.pages({ onProgress: tellingPlace(onPlace) })) {
        // Nothing more is fed, and later pages may find room.
        if (await take(page)) void cancel();
        taken += 1;
      }
    } catch (error) {
      // Otherwise it is the end of the scan. The answer to a cancel has told it before the last pages came.
      if (own.state === 'running' || taken < own.pageCount) return lost(error);
    }
    notes.push(...(own.notes as readonly ScanNote[]));
    return endOf(own, stopped);
  }

  async function lost(error: unknown): Promise<ScanError> {
    isLost = true;
    await cancel();
    if (httpCodeOf(error) === 'scan-not-found') {
      isGone = true;
      const text = 'The service no longer has the scan. Without scans.keep, its restart ends every scan.';
      return new ScanError('service-ended', text, { cause: error });
    }
    const failure = failureIn(error);
    return failure instanceof ScanError ? failure : new ScanError('internal', failure.message, { cause: error });
  }

  const starting = start();
  return {
    notes,
    get isLost() {
      return isLost;
    },
    get scan() {
      return scan;
    },
    started: starting.then(
      () => true,
      () => false,
    ),
    over: run(starting),
    async end(reason) {
      if (stopped) return;
      stopped = reason;
      await cancel();
    },
    document: ask => documentAt(documentPath(accepted().id, ask), calls),
    documents: () =>
      accepted()
        .documents()
        .catch((error: unknown) => {
          throw failureIn(error);
        }),
    async release() {
      if (!isLost)
        await accepted()
          .done(inTime())
          .catch(() => undefined);
    },
    leftOver: ask => left('Its pages are', documentPath(accepted().id, ask)),
    leftPages(pages) {
      const path = `/api/scans/${accepted().id}`;
      if (isLost) return isGone ? '' : left('Pages that are not written are', path, false);
      return unwrittenOf(pages, (what, number) => left(what, `${path}/pages/${number}`));
    },
  };
}

function tellingPlace(told: ScanRequest['onPlace']): (progress: ScanProgress) => void {
  let before: number | undefined;
  return ({ placeInLine: place }) => {
    if (place !== undefined && place !== before) told?.(place);
    before = place;
  };
}

/** @param left says how to get those that are kept, by the number of the first */
function unwrittenOf(
  pages: readonly Pick<ScanPage, 'number' | 'isStored'>[],
  left: (what: string, number: number) => string,
): string {
  const numbersOf = (isKept: boolean): number[] =>
    pages.filter(({ isStored = true }) => isStored === isKept).map(({ number }) => number);
  const [kept, inMemory] = [numbersOf(true), numbersOf(false)];
  const [first] = kept;
  return [
    ...(inMemory.length > 0 ? [`${named(inMemory)} in memory only, and lost when the service ends.`] : []),
    ...(first === undefined ? [] : [left(named(kept), first)]),
  ].join(' ');
}

const named = (numbers: readonly number[]): string =>
  numbers.length === 1 ? `Page ${numbers[0]} is` : `Pages ${numbers.join(', ')} are`;

/**
 * The bytes of a document as they come.
 * @param path in the service. @param how its method and body
 * @throws why not all of it could be had; {isUnanswered} if the service ended meanwhile
 */
export async function* documentAt(
  path: string,
  calls: ReachedService['calls'],
  how?: Parameters<ReachedService['calls']['ask']>[1],
): AsyncGenerator<Uint8Array, void> {
  try {
    const response = await calls.ask(path, how);
    if (!response.ok) throw failureOf(response, await jsonOf(response));
    if (response.body) yield* whole(response.body);
  } catch (error) {
    throw isUnanswered(error) ? error : failureIn(error);
  }
}

/** @throws {NoReply} if it breaks off */
async function* whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (error) {
    throw asNoReply(error as Error);
  }
}

/** Why a scan ended whose pages are all there. @param stopped why the command ended it */
function endOf({ state, code, error }: Scan, stopped: ScanError | undefined): ScanError | undefined {
  if (state === 'completed') return undefined;
  if (state === 'cancelled' && stopped) return stopped;
  if (state === 'interrupted')
    return new ScanError('service-ended', 'The service ended during the scan. Scan the rest again.');
  return new ScanError(codeOf({ code }) ?? 'internal', error ?? 'The scan failed, and the service gave no reason.');
}

/**
 * A failed call as an error of the command: a `ScanError` if the scan is what failed.
 * @param more what to say of a service that does not answer
 */
export function failureIn(error: unknown, more = ''): Error {
  if (isUnanswered(error)) {
    const text = `The service ended, or does not answer. ${more}`.trimEnd();
    return new ScanError('service-ended', text, { cause: error });
  }
  const code = codeOf(error);
  if (!(error instanceof PlatenError) || code === undefined) return error as Error;
  // The service omits words that are too long.
  const { field, accepts = 'another value', allowed } = error;
  if (field === undefined) return new ScanError(code, error.message, { cause: error });
  return new InvalidValue(field, accepts, allowed);
}

/** Whether the service did not answer, or its answer broke off. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof NoReply || (error instanceof PlatenError && error.code === 'no-answer');
