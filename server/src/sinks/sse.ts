/** Auto-scan's pages as Server-Sent Events, one event a page, as fast as the client takes them. */
import type { ServerResponse } from 'node:http';
import { messageOf, type Clock, type KeptPage, type Log, type OutboxEvent, type OutboxItem, type OutboxReader } from '@platen/core';
import type { EventMessage, FastifyReply } from 'fastify';
import { imageFacts } from '../http/dto/image.js';
import { drained } from './drained.js';

/** A silent connection gets a comment, so that nothing between takes it for dead. */
const HEARTBEAT_MS = 15_000;
const SLICE_BYTES = 3 * 256 * 1024;

export type ImageEvents = (reader: OutboxReader<KeptPage>, reply: FastifyReply) => void;

export function createImageEvents(clock: Clock, log: Log): ImageEvents {
  const textOf = createTexts();
  return (reader, reply) => {
    const client = reply.raw;
    client.once('close', () => reader.leave());
    // Its 'close' may have been before anyone listened.
    if (client.destroyed) reader.leave();
    else forbidStoring(client);
    reply.sse(messages(reader, client, { clock, log, textOf }));
  };
}

/** The library's own header lets a browser keep what was scanned, as long as it asks again. */
function forbidStoring(client: ServerResponse): void {
  const writeHead = client.writeHead.bind(client);
  client.writeHead = ((status: number) => {
    client.setHeader('cache-control', 'no-store, no-cache, no-transform');
    return writeHead(status);
  }) as typeof writeHead;
}

interface Tools {
  readonly clock: Clock;
  readonly log: Log;
  textOf(item: OutboxItem<KeptPage>): Promise<string>;
}

/**
 * Never throws: the library would turn that into an uncaught exception. An event counts as taken when the client's
 * connection has taken its bytes, so the next one is asked for only then.
 */
async function* messages(reader: OutboxReader<KeptPage>, client: ServerResponse, { clock, log, textOf }: Tools): AsyncGenerator<EventMessage> {
  try {
    for (;;) {
      const next = reader.events.next();
      let event: IteratorResult<OutboxEvent<KeptPage>, void> | undefined;
      while (!(event = await within(clock, HEARTBEAT_MS, next))) yield { comment: ' still here' };
      if (event.done) return;
      if (event.value.kind === 'end') {
        const { event: name, message } = event.value.end;
        return yield { event: name, data: JSON.stringify(name === 'error' ? { error: message } : { message }) };
      }
      const { item } = event.value;
      const data = await textOf(item).catch((error: unknown) => {
        // What is discarded at the end while it is read is no failure; the end comes next.
        if (!reader.boxEnded) throw error;
      });
      if (data === undefined) continue;
      yield { id: item.id, event: 'image', data };
      if (!(await drained(client, clock))) return;
    }
  } catch (error) {
    log.error(`An event stream failed: ${messageOf(error)}`);
    yield { event: 'error', data: JSON.stringify({ error: 'The pages could not be read back; the log of the service says why.' }) };
  } finally {
    reader.leave();
  }
}

/** What was promised, or undefined when it takes longer. */
async function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | undefined> {
  let cancel = (): void => undefined;
  const late = new Promise<undefined>(resolve => (cancel = clock.after(ms, () => resolve(undefined))));
  return Promise.race([promise, late]).finally(() => cancel());
}

/** The JSON of an item, made once for however many readers are at it, and let go of with the item. */
function createTexts(): Tools['textOf'] {
  let latest = new WeakMap<OutboxItem<KeptPage>, Promise<string>>();
  return item => {
    const text = latest.get(item) ?? makeText(item);
    latest = new WeakMap([[item, text]]);
    return text;
  };
}

async function makeText({ value: { page, bytes, report } }: OutboxItem<KeptPage>): Promise<string> {
  let base64 = '';
  for await (const slice of bytes.read(SLICE_BYTES)) base64 += Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength).toString('base64');
  const facts = imageFacts(page, bytes.size, report);
  return `${JSON.stringify(facts).slice(0, -1)},"base64Data":"${base64}"}`;
}
