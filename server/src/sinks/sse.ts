/** Auto-scan's pages as Server-Sent Events, one event a page, as fast as the client takes them. */
import type { OutgoingHttpHeaders } from 'node:http';
import { messageOf, type Clock, type KeptBytes, type KeptPage, type Log, type OutboxEvent, type OutboxReader } from '@platen/core';
import type { FastifyReply } from 'fastify';
import { imageFacts } from '../http/dto/image.js';
import { statusOf } from '../http/errors.js';
import { forPages } from '../http/forPages.js';
import type { Clients } from './clients.js';
import { SLICE_BYTES } from './pieces.js';

/** A silent connection gets a comment, so that nothing between takes it for dead. */
const HEARTBEAT_MS = 15_000;
/** When a browser that lost its connection tries again. */
const RETRY_MS = 3000;

export type ImageEvents = (reader: OutboxReader<KeptPage>, reply: FastifyReply) => void;

export function createImageEvents(clients: Clients, clock: Clock, log: Log): ImageEvents {
  return (reader, reply) => {
    const client = reply.raw;
    reply.hijack();
    client.once('close', () => reader.leave());
    // Its 'close' may have been before anyone listened.
    if (client.destroyed) return reader.leave();
    clients.stream(client);
    client.writeHead(statusOf(undefined), {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      // A browser stores nothing of what was scanned.
      'cache-control': 'no-store, no-cache, no-transform',
    });
    const say = (text: string): Promise<void> => clients.write(client, [text]);
    void (async () => {
      try {
        await say(`retry: ${RETRY_MS}\n\n`);
        await send(reader);
      } catch (error) {
        if (client.destroyed) return;
        log.error(`An event stream failed: ${messageOf(error)}`);
        client.destroy();
      } finally {
        reader.leave();
        client.end();
      }
    })();

    /** An event counts as taken when the client's connection has taken its bytes, so the next one is asked for only then. */
    async function send({ events }: OutboxReader<KeptPage>): Promise<void> {
      for (;;) {
        const next = events.next();
        let event: IteratorResult<OutboxEvent<KeptPage>, void> | undefined;
        while (!(event = await within(clock, HEARTBEAT_MS, next))) await say(': still here\n\n');
        if (event.done) return;
        if (event.value.kind === 'end') {
          const { end: { event: name, message: whole }, id } = event.value;
          const message = forPages(whole);
          return say(`${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(name === 'error' ? { error: message } : { message })}\n\n`);
        }
        const { id, value } = event.value.item;
        const bytes = await begun(value.bytes).catch((error: unknown) => error as Error);
        if (bytes instanceof Error) {
          // What is discarded while it is read is no failure; the end comes next.
          if (reader.discarded) continue;
          log.error(`An event stream failed: ${messageOf(bytes)}`);
          return say(`event: error\ndata: ${JSON.stringify({ error: 'The pages could not be read back; the log of the service says why.' })}\n\n`);
        }
        try {
          const facts = JSON.stringify(imageFacts(value.page, bytes.size, value.report));
          await clients.write(client, [`id: ${id}\nevent: image\ndata: ${facts.slice(0, -1)},"base64Data":"`, bytes, '"}\n\n']);
        } finally {
          await bytes.close();
        }
      }
    }
  };
}

/** The bytes with their first slice read: where that fails, nothing has been sent yet. */
async function begun(bytes: KeptBytes): Promise<KeptBytes & { close(): Promise<void> }> {
  const slices = bytes.read(SLICE_BYTES)[Symbol.asyncIterator]();
  let slice = await slices.next();
  return {
    size: bytes.size,
    async *read() {
      for (; !slice.done; slice = await slices.next()) yield slice.value;
    },
    close: async () => void (await slices.return?.()),
  };
}

/** What was promised, or undefined when it takes longer. */
async function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | undefined> {
  let cancel = (): void => undefined;
  const late = new Promise<undefined>(resolve => (cancel = clock.after(ms, () => resolve(undefined))));
  return Promise.race([promise, late]).finally(() => cancel());
}
