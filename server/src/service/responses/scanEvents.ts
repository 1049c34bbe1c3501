/** Sends what happens to a kept scan as Server-Sent Events: its pages, its progress, and how it ended. */
import type { KeptScan } from '@platen/core';
import type { EventMessage, FastifyReply } from 'fastify';
import { noteBody } from '../shapes/note.js';
import { failureOfScan, pageBody } from '../shapes/scanBody.js';
import type { ForPages } from '../http/answers/forPages.js';
import { openEventStream, type EventStream, type StreamTools } from './eventStream.js';

export interface ScanEventsTools extends StreamTools {
  readonly forPages: ForPages;
}

/** The id of the event that ends a scan's stream; undefined while the scan runs. */
export function lastIdOf({ state, pages }: KeptScan): string | undefined {
  return state === 'running' ? undefined : `${pages.length}.${state}`;
}

/** The page after which a stream goes on, of the last id that its client got; 0 for an id that no client can have. */
export function pageOfId(id: string | undefined, { pages }: Pick<KeptScan, 'pages'>): number {
  const number = Number(/^(\d+)(?:\.[a-z]+)?$/.exec(id ?? '')?.[1] ?? 0);
  return number > (pages.at(-1)?.page.pageNumber ?? 0) ? 0 : number;
}

export interface ScanEventsFrom {
  /** The number of the last page that the client has. */
  readonly after: number;
  /** Whether the scan is still kept. Once it was let go, the stream ends without a state: that had fewer pages. */
  isKept(): boolean;
}

export function sendScanEvents(
  scan: KeptScan,
  from: ScanEventsFrom,
  reply: FastifyReply,
  tools: ScanEventsTools,
): void {
  let leave = (): void => undefined;
  const gone = new Promise<'gone'>(resolve => (leave = () => resolve('gone')));
  openEventStream(reply, tools, stream => messages(scan, from, stream, gone, tools.forPages), leave);
}

async function* messages(
  scan: KeptScan,
  from: ScanEventsFrom,
  stream: EventStream,
  gone: Promise<'gone'>,
  forPages: ForPages,
): AsyncGenerator<EventMessage> {
  let { after } = from;
  let told = '';
  while (from.isKept()) {
    // Each round looks at one moment, and does one thing.
    const page = scan.pages.find(({ page: { pageNumber } }) => pageNumber > after);
    const progress = JSON.stringify(scan.progress);
    const id = lastIdOf(scan);
    if (page) {
      after = page.page.pageNumber;
      const data = JSON.stringify(await pageBody(scan, page, forPages));
      await stream.write([`id: ${after}\nevent: page\ndata: ${data}\n\n`]);
    } else if (progress !== told) {
      told = progress;
      await stream.write([`event: progress\ndata: ${progress}\n\n`]);
    } else if (id !== undefined) {
      return yield stateEvent(id, scan, forPages);
    } else if ((await stream.idle(Promise.race([scan.changed(), gone]))) === 'gone') {
      return;
    }
  }
}

function stateEvent(id: string, scan: KeptScan, forPages: ForPages): EventMessage {
  const { state, notes, pages } = scan;
  const data = {
    state,
    ...failureOfScan(scan, forPages),
    notes: notes.map(note => noteBody(note, forPages)),
    pageCount: pages.length,
  };
  return { id, event: 'state', data: JSON.stringify(data) };
}
