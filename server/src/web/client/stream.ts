/** Auto-scan's stream over as many connections as it takes: each page once, in its order. */
import { isConflict, PlatenError } from './errors.js';
import { readEvents, type EventReader } from './events.js';
import { pageOf, type Image } from './page.js';
import type { Queue } from './queue.js';
import { failureOf, jsonOf, type Service } from './service.js';
import type { ScannedPage } from './shapes.js';

/** The service sends a comment every 15 seconds: after so long without one, the connection is dead. */
const DEAD_MS = 45_000;
/** Without a byte for so long, nothing is on its way. */
const QUIET_MS = 250;
/** Pauses before a lost connection is tried again; then it is given up. An installation that was restarted has forgotten its auto-scan anyway. */
const RETRY_MS = [0, 250, 500, 1000, 2000, 4000, 8000, 8000];

/** Further pages at which it is closed all the same: more than what waits at the service, so that a burst is read to its end. */
const BURST = 24;
/** A connection that lasted so long was a good one. */
const LASTING_MS = 5000;

export interface Farewell {
  readonly event: 'disabled' | 'error';
  readonly message: string;
}

/** Where the stream is: the enabling, and the number of the last page of it that came. */
interface Place {
  readonly series: string;
  readonly n: number;
}

interface Track {
  place: Place | undefined;
  /** Whether the last connection was closed because nobody took the pages. */
  held: boolean;
  onConnection(connected: boolean): void;
}

/**
 * Puts pages into the queue until the stream says farewell.
 *
 * Whoever does not take them holds the scanner up: with a full queue the connection is closed, pages wait at the service,
 * and a few of them stop the feeding. It is closed when nothing is on its way, since of the pages that the service has sent
 * it keeps the last eight only.
 * @param onConnection told `false` when a connection that was lost does not come back at the first try, and `true` when it has
 * @throws PlatenError; the signal's own where it was aborted
 */
export async function follow(service: Service, queue: Queue<ScannedPage>, signal: AbortSignal, onConnection?: (connected: boolean) => void): Promise<Farewell> {
  let connected = true;
  const track: Track = {
    place: undefined,
    held: false,
    onConnection(now) {
      if (now !== connected) onConnection?.(now);
      connected = now;
    },
  };
  for (let lost = 0; ; ) {
    await queue.room(signal);
    const began = Date.now();
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
    if (Date.now() - began > LASTING_MS) lost = 0;
    const pause = RETRY_MS[lost++];
    if (pause === undefined) throw new PlatenError('no-answer', 'The connection to the scanning service was lost, and did not come back.', { cause: failure });
    await new Promise(resolve => setTimeout(resolve, pause));
  }
}

const isNoAnswer = (error: unknown): boolean => error instanceof PlatenError && error.code === 'no-answer';

/** One connection: until it says farewell, is lost, or is closed because nobody takes the pages. @throws where it is lost, too */
async function listen(service: Service, queue: Queue<ScannedPage>, track: Track, signal: AbortSignal): Promise<Farewell | 'lost' | 'held'> {
  const reader = await connect(service, track, signal).catch((error: unknown) => {
    if (isNoAnswer(error)) track.onConnection(false);
    throw error;
  });
  track.onConnection(true);
  try {
    for (;;) {
      if (queue.excess >= BURST) return 'held';
      const waits = queue.full && !reader.midway;
      const event = await reader.next(waits ? QUIET_MS : DEAD_MS);
      if (event === 'quiet' && waits) return 'held';
      if (event === 'end' || event === 'quiet') return 'lost';
      const data = dataOf(event.data);
      if (event.event === 'disabled' || event.event === 'error') return { event: event.event, message: data.message ?? data.error ?? '' };
      if (event.event !== 'image') continue;
      const page = pageOf(data);
      track.place = checked(track.place, event.id, page);
      queue.put(page);
    }
  } finally {
    reader.close();
  }
}

function dataOf(text: string): Image & { readonly message?: string; readonly error?: string } {
  try {
    return JSON.parse(text) as Image;
  } catch (cause) {
    throw new PlatenError('unexpected-answer', 'An event of auto-scan could not be read.', { cause });
  }
}

async function connect(service: Service, { place, held }: Track, signal: AbortSignal): Promise<EventReader> {
  const headers = { accept: 'text/event-stream', ...(place ? { 'last-event-id': `${place.series}-${place.n}` } : {}) };
  const response = await service.ask('/api/twain/autoscan/events', { headers, signal });
  if (!response.ok || !response.body) {
    if (isConflict(response.status)) {
      throw held
        ? new PlatenError('unread', 'Auto-scan was turned off while nobody took its pages; those that waited at the service are gone.', { httpStatus: response.status })
        : new PlatenError('autoscan-off', 'Auto-scan was turned off while the page was not listening.', { httpStatus: response.status });
    }
    throw failureOf(response, await jsonOf(response, signal));
  }
  return readEvents(response.body);
}

/** The place after this event. @throws where pages before it are missing, or it is of another enabling */
function checked(place: Place | undefined, id: string, page: ScannedPage): Place {
  const [, series = '', digits = ''] = /^(.+)-(\d+)$/.exec(id) ?? [];
  const next = { series, n: Number(digits) };
  if (!place) return next;
  if (series !== place.series) throw new PlatenError('autoscan-off', 'Auto-scan was turned off and on again by another page.', { pages: [page] });
  const missing = next.n - place.n - 1;
  if (missing > 0) throw new PlatenError('pages-lost', `${missing === 1 ? 'A page' : `${missing} pages`} before page ${page.pageNumber} came through the scanner and did not arrive: scan again.`, { pages: [page] });
  return next;
}
