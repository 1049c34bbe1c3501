/** Auto-scan's stream over as many connections as it takes: each page once, in its order. */
import { isConflict, PlatenError } from './errors.js';
import { readEvents, type EventReader } from './events.js';
import { pageOf, type Image } from './page.js';
import type { Queue } from './queue.js';
import { failureOf, jsonOf, type Service } from './service.js';
import type { ScannedPage } from './shapes.js';
import { pause } from './waiting.js';

/** The service sends a comment every 15 seconds: after so long without one, the connection is dead. */
const DEAD_MS = 45_000;
/** Without a byte for so long, nothing is on its way. */
const QUIET_MS = 250;
/** Pauses before a lost connection is tried again; then it is given up. */
const RETRY_MS = [0, 250, 500, 1000, 2000, 4000, 8000, 8000];

/** Further pages at which it is closed all the same: more than what waits at the service, so that a burst is read to its end. */
const BURST = 24;
/** A connection that lasted so long was a good one. */
const LASTING_MS = 5000;

export interface Farewell {
  readonly event: 'disabled' | 'error';
  readonly message: string;
  /** Why, in the service's words; absent where it does not say. */
  readonly code: string | undefined;
}

interface Track {
  /** The id of the last page that came. */
  last: string | undefined;
  /** Of each auto-scan, the number of its last page that came. Pages that an earlier one left come first. */
  readonly numbers: Map<string, number>;
  /** The auto-scan that this stream was opened for; undefined where the service does not say. */
  own: string | undefined;
  /** Whether the last connection was closed because nobody took the pages. */
  held: boolean;
  onConnection(connected: boolean): void;
}

/**
 * Puts pages into the queue until the stream says farewell.
 *
 * Whoever does not take them holds the scanner up: with a full queue the connection is closed, pages wait at the service,
 * and a few of them stop the feeding. It is closed when nothing is on its way, so that no page has to be sent twice.
 * @param onConnection told `false` when a connection that was lost does not come back at the first try, and `true` when it has
 * @throws PlatenError; the signal's own where it was aborted
 */
export async function follow(
  service: Service,
  queue: Queue<ScannedPage>,
  signal: AbortSignal,
  onConnection?: (connected: boolean) => void,
): Promise<Farewell> {
  let connected = true;
  const track: Track = {
    last: undefined,
    numbers: new Map(),
    own: undefined,
    held: false,
    onConnection(now) {
      if (now !== connected) onConnection?.(now);
      connected = now;
    },
  };
  for (let lost = 0; ;) {
    await queue.room(signal);
    const began = performance.now();
    let failure: unknown;
    try {
      const outcome = await listen(service, queue, track, signal);
      if (typeof outcome === 'object') return outcome;
      track.held = outcome === 'held';
      if (track.held) continue;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PlatenError && !isNoAnswer(error)) throw error;
      failure = error;
    }
    if (performance.now() - began > LASTING_MS) lost = 0;
    const retry = RETRY_MS[lost++];
    if (retry === undefined)
      throw new PlatenError('no-answer', 'The connection to the scanning service was lost, and did not come back.', {
        cause: failure,
      });
    await pause(retry);
  }
}

const isNoAnswer = (error: unknown): boolean => error instanceof PlatenError && error.code === 'no-answer';

/** One connection: until it says farewell, is lost, or is closed because nobody takes the pages. @throws where it is lost, too */
async function listen(
  service: Service,
  queue: Queue<ScannedPage>,
  track: Track,
  signal: AbortSignal,
): Promise<Farewell | 'lost' | 'held'> {
  const { reader, running } = await connect(service, track, signal).catch((error: unknown) => {
    if (isNoAnswer(error)) track.onConnection(false);
    throw error;
  });
  track.onConnection(true);
  /** An event without one has that of the event before it. */
  let lastId = '';
  try {
    for (;;) {
      if (queue.excess >= BURST) return 'held';
      const waits = queue.full && !reader.midway;
      const event = await reader.next(waits ? QUIET_MS : DEAD_MS);
      if (event === 'quiet' && waits) return 'held';
      if (event === 'end' || event === 'quiet') return 'lost';
      const data = dataOf(event.data);
      if (event.event === 'disabled' || event.event === 'error') {
        const message = data.message ?? data.error ?? '';
        // With an id, it is this reader's pages that are gone, and not the auto-scan.
        if (event.event === 'error' && event.id !== lastId) throw new PlatenError('pages-lost', message);
        if (event.event === 'error' && track.own !== undefined && running === undefined)
          throw new PlatenError('autoscan-off', message);
        return { event: event.event, message, code: data.code };
      }
      if (event.event !== 'image') continue;
      const page = pageOf(data);
      check(track, running, event.id, page);
      lastId = event.id;
      queue.put(page);
    }
  } finally {
    reader.close();
  }
}

function dataOf(text: string): Image & { readonly message?: string; readonly error?: string; readonly code?: string } {
  try {
    return JSON.parse(text) as Image;
  } catch (cause) {
    throw new PlatenError('unexpected-answer', 'An event of auto-scan could not be read.', { cause });
  }
}

/** @returns the running auto-scan, too: undefined where it is off, and pages that are left come */
async function connect(
  service: Service,
  track: Track,
  signal: AbortSignal,
): Promise<{ reader: EventReader; running: string | undefined }> {
  const { last, held } = track;
  const headers = { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) };
  const response = await service.ask('/api/twain/autoscan/events?report=true', { headers, signal });
  if (!response.ok || !response.body) {
    if (isConflict(response.status)) {
      throw held
        ? new PlatenError(
            'unread',
            'Auto-scan was turned off while nobody took its pages; those that waited at the service are gone.',
            { httpStatus: response.status },
          )
        : new PlatenError('autoscan-off', 'Auto-scan was turned off while the page was not listening.', {
            httpStatus: response.status,
          });
    }
    throw failureOf(response, await jsonOf(response, signal));
  }
  const running = response.headers.get('x-autoscan-series') ?? undefined;
  track.own ??= running;
  return { reader: readEvents(response.body), running };
}

/** Notes that a page came. @throws where pages before it are missing, or it is of an auto-scan that somebody else began meanwhile */
function check(track: Track, running: string | undefined, id: string, page: ScannedPage): void {
  const [, series = '', digits = ''] = /^(.+)-(\d+)$/.exec(id) ?? [];
  const n = Number(digits);
  const before = track.numbers.get(series);
  const isForeign =
    track.own === undefined
      ? before === undefined && track.numbers.size > 0
      : series === running && series !== track.own;
  if (isForeign)
    throw new PlatenError('autoscan-off', 'Auto-scan was turned off and on again by another page.', { pages: [page] });
  const missing = before === undefined ? 0 : n - before - 1;
  track.last = id;
  track.numbers.set(series, n);
  if (missing > 0)
    throw new PlatenError(
      'pages-lost',
      `${missing === 1 ? 'A page' : `${missing} pages`} before page ${page.pageNumber} came through the scanner and did not arrive: scan again.`,
      { pages: [page] },
    );
}
