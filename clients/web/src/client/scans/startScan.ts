/** Scans as resources: starts one, finds one again, lists those that wait. */
import { cancelUntilAnswered, newId } from './cancel.js';
import { keptScan, type Scan, type WireScan } from './keptScan.js';
import { leave, left } from './leaving.js';
import { createLink } from '../transport/link.js';
import type { ScanOptions } from './scan.js';
import type { Ask, CallOptions, Service } from '../transport/ask.js';
import { cancelled } from '../errors.js';
import { scanPath } from '../service.js';
import type { StartParameters } from '../shapes.js';

export interface StartOptions extends ScanOptions {
  /**
   * 1 to 255 visible ASCII characters. For an hour, the same key means the same scan and feeds no paper: keep it to start
   * once, whatever happens to the page. Absent: a random one.
   */
  readonly key?: string;
  /**
   * Whole seconds, at most 3,600, for which it waits for a scanner in use, first come, first served: the scan's
   * `progress.placeInLine` says its place while a loop reads `pages()`, and keeps it. When the time is up, the loop throws
   * `busy`. Absent or 0: `startScan()` throws `busy`.
   */
  readonly waitSeconds?: number;
}

/** Pauses before a request is repeated: an answer may be lost, or the service may restart. */
const REPEAT_MS = [0, 250, 500, 1000, 2000];
/** A `requestId` has at most this many characters. */
const REQUEST_ID = 200;

/**
 * Resolves when everything is checked and the scanner starts, or when the scan waits in line.
 * @throws PlatenError if the service refuses; no paper moved
 */
export async function startScan(
  service: Service,
  scannerName: string,
  parameters: StartParameters = {},
  {
    signal,
    consent = signal,
    key = newId(),
    requestId = key.slice(0, REQUEST_ID),
    waitSeconds,
  }: StartOptions & Pick<Ask, 'consent'> = {},
): Promise<Scan> {
  const others = left(service);
  if (others) await others;
  if (signal?.aborted) throw cancelled(signal);
  const hangUp = new AbortController();
  const body = { scannerName, parameters, requestId, waitSeconds };
  const headers = { 'idempotency-key': key };
  const asked = createLink({ retries: REPEAT_MS }).hold(async () => {
    return service.json<WireScan>('/api/scans', {
      method: 'POST',
      body,
      headers,
      signal: hangUp.signal,
      consent,
    });
  }, hangUp.signal);
  const onAbort = (): void => leave(service, cancelUntilAnswered(service, requestId, asked, hangUp));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return keptScan(service, await asked, signal);
  } catch (error) {
    // Cancelled before paper moved, whatever the service calls it.
    if (signal?.aborted) throw cancelled(signal);
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** @throws `scan-not-found` if it was done, was kept for too long, or belongs to another origin */
export async function resumeScan(service: Service, id: string, options: CallOptions = {}): Promise<Scan> {
  return keptScan(service, await service.json<WireScan>(scanPath(id), options));
}

/** This origin's scans that are not done, oldest first; @throws PlatenError */
export async function listScans(service: Service, options: CallOptions = {}): Promise<readonly Scan[]> {
  const all = new Map<string, WireScan>();
  // A scan may come twice when another one is done between two parts.
  for (let after: string | undefined = ''; after !== undefined;) {
    const path: string = `/api/scans?limit=${PART}${after && `&after=${encodeURIComponent(after)}`}`;
    const { scans, next }: ListPart = await service.json<ListPart>(path, options);
    for (const scan of scans) all.set(scan.id, scan);
    after = next;
  }
  return [...all.values()].map(each => keptScan(service, each));
}

/** So many that most lists are one part, and so few that the service answers others meanwhile. */
const PART = 200;

interface ListPart {
  readonly scans: readonly WireScan[];
  readonly next?: string;
}
