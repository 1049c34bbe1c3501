/** Auto-scan's stream across reconnections: each page once, in order. */
import { codeOfAnswer, PlatenError, type PlatenErrorCode } from '../errors.js';
import { readEvents, type EventReader } from '../transport/events.js';
import { createLink, DEAD_MS, type Link } from '../transport/link.js';
import { pageOf, type Image } from '../scans/page.js';
import type { Queue } from './queue.js';
import type { Service } from '../transport/ask.js';
import { failureOf, jsonOf } from '../service.js';
import type { ScannedPage } from '../shapes.js';

/** Without a byte for this long, no page is on its way. */
const QUIET_MS = 250;

/** Excess pages at which the connection is closed anyway: more than wait at the service, so a burst is read whole. */
const BURST = 24;

export interface Farewell {
  readonly event: 'disabled' | 'error';
  readonly message: string;
  readonly code: PlatenErrorCode | undefined;
}

interface Track {
  /** Undefined: all scanners on which this origin has auto-scan on. */
  readonly scannerName: string | undefined;
  /** The id of the last page that arrived. */
  last: string | undefined;
  /** For each auto-scan, the number of its last page that arrived. Pages left over from an earlier one come first. */
  readonly numbers: Map<string, number>;
  /** The auto-scan that this stream was opened for; undefined if the service does not say. */
  own: string | undefined;
  /** Whether the last connection was closed because the loop did not take the pages. */
  held: boolean;
}

/**
 * Puts pages into the queue until the end event.
 *
 * A loop that does not take them stops the scanner: with a full queue the connection is closed, pages wait at the service,
 * and after a few of them the service stops feeding. The connection is closed while no page is on its way, so that no
 * page has to be sent twice.
 * @param scannerName undefined: all scanners on which this origin has auto-scan on
 * @param onConnection called with `false` when the first retry of a lost connection fails, with `true` when it is back
 * @throws PlatenError; the signal's reason if it was aborted
 */
export async function follow(
  service: Service,
  scannerName: string | undefined,
  queue: Queue<ScannedPage>,
  signal: AbortSignal,
  onConnection?: (connected: boolean) => void,
): Promise<Farewell> {
  const track: Track = { scannerName, last: undefined, numbers: new Map(), own: undefined, held: false };
  const link = createLink({ onConnection });
  return link.hold(async () => {
    for (;;) {
      await queue.room(signal);
      const outcome = await listen(service, queue, track, link, signal);
      track.held = outcome === 'held';
      if (outcome !== 'held') return outcome;
    }
  }, signal);
}

/** One connection, until its end event, its loss, or its closing because the loop takes no pages. May throw if it is lost. */
async function listen(
  service: Service,
  queue: Queue<ScannedPage>,
  track: Track,
  link: Link,
  signal: AbortSignal,
): Promise<Farewell | 'lost' | 'held'> {
  const { reader, running } = await connect(service, track, signal);
  link.up();
  /** The last id: an event without an id has that of the event before it. */
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
        // An error with a new id: this reader's pages are gone, but the auto-scan is not.
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
      link.advanced();
    }
  } finally {
    reader.close();
  }
}

function dataOf(
  text: string,
): Image & { readonly message?: string; readonly error?: string; readonly code?: PlatenErrorCode } {
  try {
    return JSON.parse(text) as Image;
  } catch (cause) {
    throw new PlatenError('unexpected-answer', 'An event of auto-scan is not valid JSON.', { cause });
  }
}

/** @returns also the id of the running auto-scan: undefined if it is off and left-over pages follow */
async function connect(
  service: Service,
  track: Track,
  signal: AbortSignal,
): Promise<{ reader: EventReader; running: string | undefined }> {
  const { scannerName, last, held } = track;
  const only = scannerName === undefined ? '' : `&scannerName=${encodeURIComponent(scannerName)}`;
  const headers = { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) };
  const response = await service.ask(`/api/twain/autoscan/events?report=true${only}`, {
    headers,
    signal,
    consent: false,
  });
  if (!response.ok || !response.body) {
    if (codeOfAnswer(response) === 'autoscan-off') {
      throw held
        ? new PlatenError(
            'unread',
            'Auto-scan turned itself off because no client took its pages; those that waited at the service are lost.',
            { httpStatus: response.status },
          )
        : new PlatenError('autoscan-off', 'Auto-scan was turned off while this page was disconnected.', {
            httpStatus: response.status,
          });
    }
    throw failureOf(response, await jsonOf(response, signal));
  }
  const running = response.headers.get('x-autoscan-series') ?? undefined;
  track.own ??= running;
  return { reader: readEvents(response.body), running };
}

/** Records a page. @throws if pages before it are missing, or it belongs to an auto-scan that another page started */
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
  // Pages of other scanners have the numbers between; the service says which pages are gone.
  const missing = before === undefined || track.scannerName !== undefined ? 0 : n - before - 1;
  track.last = id;
  track.numbers.set(series, n);
  if (missing > 0)
    throw new PlatenError(
      'pages-lost',
      `${missing === 1 ? 'A page' : `${missing} pages`} before page ${page.pageNumber} went through the scanner but did not arrive. Scan again.`,
      { pages: [page] },
    );
}
