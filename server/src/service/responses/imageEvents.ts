/** Sends auto-scan's pages as Server-Sent Events, one event per page, as fast as the client reads them. */
import { messageOf, type OutboxEnd, type OutboxReader, type StoredPage } from '@platen/core';
import type { EventMessage, FastifyReply } from 'fastify';
import { imageFacts } from '../shapes/image.js';
import type { ForPages } from '../http/answers/forPages.js';
import { begun } from './begun.js';
import { openEventStream, type EventStream, type StreamTools } from './eventStream.js';

export interface ImageEventsTools extends StreamTools {
  readonly forPages: ForPages;
}

/**
 * @param report adds a code to the last event: why the stream ends
 * @param endOf the last event, if somebody made the reader leave: why it had to
 */
export type ImageEvents = (
  reader: OutboxReader<StoredPage>,
  reply: FastifyReply,
  report: boolean,
  endOf?: () => OutboxEnd | undefined,
) => void;

export function createImageEvents(tools: ImageEventsTools): ImageEvents {
  return (reader, reply, report, endOf = () => undefined) =>
    openEventStream(
      reply,
      tools,
      stream => messages(reader, stream, tools, { report, endOf }),
      () => reader.leave(),
    );
}

/** An event counts as taken when the client's connection has taken its bytes; only then is the next one requested. */
async function* messages(
  reader: OutboxReader<StoredPage>,
  stream: EventStream,
  { log, forPages }: ImageEventsTools,
  { report, endOf }: { readonly report: boolean; endOf(): OutboxEnd | undefined },
): AsyncGenerator<EventMessage> {
  const last = ({ event, reason, message }: OutboxEnd): EventMessage => {
    const said = forPages(message);
    const data = event === 'error' ? { error: said } : { message: said };
    return { event, data: JSON.stringify(report ? { ...data, code: reason } : data) };
  };
  const { events } = reader;
  for (;;) {
    const event = await stream.idle(events.next());
    const early = endOf();
    if (early) return yield last(early);
    if (event.done) return;
    if (event.value.kind === 'end') {
      const { end, id } = event.value;
      return yield { ...(id !== undefined && { id }), ...last(end) };
    }
    const { id, value } = event.value.item;
    const bytes = await begun(value).catch((error: unknown) => error as Error);
    if (bytes instanceof Error) {
      // A page that is discarded while it is read is not a failure; the end comes next.
      if (reader.discarded) continue;
      log.error(`An event stream failed: ${messageOf(bytes)}`);
      const message = "Could not read the pages back. See the service's log.";
      return yield last({ event: 'error', reason: 'storage-failed', message });
    }
    try {
      const facts = JSON.stringify(imageFacts(value.page, bytes.size, value.report));
      await stream.write([`id: ${id}\nevent: image\ndata: ${facts.slice(0, -1)},"base64Data":"`, bytes, '"}\n\n']);
    } finally {
      await bytes.close();
    }
  }
}
