/** Sends what happens to a kept scan as Server-Sent Events: its pages, its progress, and how it ended. */
import type { KeptScan } from '@platen/core';
import type { EventMessage, FastifyReply } from 'fastify';
import { noteBody } from '../http/dto/note.js';
import { failureOf, pageBody } from '../http/dto/scanBody.js';
import type { ForPages } from '../http/forPages.js';
import { openEventStream, type EventStream, type StreamTools } from './eventStream.js';

export interface ScanEventsTools extends StreamTools {
  readonly forPages: ForPages;
}

/** The id of the event that ends a scan's stream; undefined while the scan runs. */
export function lastIdOf({ state, pages }: KeptScan): string | undefined {
  return state === 'running' ? undefined : `${pages.length}.${state}`;
}

/** The page after which a stream goes on, of the last id that its client got. */
export function pageOfId(id: string | undefined): number {
  return Number(/^(\d+)(?:\.[a-z]+)?$/.exec(id ?? '')?.[1] ?? 0);
}

/** @param after the number of the last page that the client has */
export function sendScanEvents(scan: KeptScan, after: number, reply: FastifyReply, tools: ScanEventsTools): void {
  let leave = (): void => undefined;
  const gone = new Promise<'gone'>(resolve => (leave = () => resolve('gone')));
  openEventStream(reply, tools, stream => messages(scan, after, stream, gone, tools.forPages), leave);
}

async function* messages(
  scan: KeptScan,
  after: number,
  stream: EventStream,
  gone: Promise<'gone'>,
  forPages: ForPages,
): AsyncGenerator<EventMessage> {
  let told = '';
  for (;;) {
    // A change while events are written is not missed.
    const changed = scan.changed();
    for (let page; (page = scan.pages.find(({ page: { pageNumber } }) => pageNumber > after));) {
      after = page.page.pageNumber;
      const data = JSON.stringify(await pageBody(scan, page, forPages));
      await stream.write([`id: ${after}\nevent: page\ndata: ${data}\n\n`]);
    }
    const progress = JSON.stringify(scan.progress);
    if (progress !== told) await stream.write([`event: progress\ndata: ${progress}\n\n`]);
    told = progress;
    const id = lastIdOf(scan);
    if (id !== undefined && (scan.pages.at(-1)?.page.pageNumber ?? 0) <= after)
      return yield stateEvent(id, scan, forPages);
    if ((await stream.idle(Promise.race([changed, gone]))) === 'gone') return;
  }
}

function stateEvent(id: string, scan: KeptScan, forPages: ForPages): EventMessage {
  const { state, notes, pages } = scan;
  const data = {
    state,
    ...failureOf(scan, forPages),
    notes: notes.map(note => noteBody(note, forPages)),
    pageCount: pages.length,
  };
  return { id, event: 'state', data: JSON.stringify(data) };
}
