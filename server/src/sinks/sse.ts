/** Auto-scan's pages as Server-Sent Events, one event a page, as fast as the client takes them. */
import type { ServerResponse } from 'node:http';
import { messageOf, type Clock, type KeptPage, type Log, type OutboxEvent, type OutboxItem, type OutboxReader } from '@platen/core';
import type { EventMessage, FastifyReply } from 'fastify';
import { imageFacts } from '../http/dto/image.js';

/** A silent connection gets a comment, so that nothing between takes it for dead. */
const HEARTBEAT_MS = 15_000;
/** A client that takes no byte for so long is no reader. */
const STALL_MS = 30_000;
const SLICE_BYTES = 3 * 256 * 1024;

export type ImageEvents = (reader: OutboxReader<KeptPage>, reply: FastifyReply) => void;

export function createImageEvents(clock: Clock, log: Log): ImageEvents {
  const texts = createTexts();
  return (reader, reply) => {
    const client = reply.raw;
    client.once('close', () => reader.leave());
    reply.sse(messages(reader, client, clock, log, texts));
  };
}

/**
 * Never throws: the library would turn that into an uncaught exception. An event counts as taken when the client's
 * connection has taken its bytes, so the next one is asked for only then.
 */
async function* messages(reader: OutboxReader<KeptPage>, client: ServerResponse, clock: Clock, log: Log, texts: (item: OutboxItem<KeptPage>) => Promise<string>): AsyncGenerator<EventMessage> {
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
      yield { id: event.value.item.id, event: 'image', data: await texts(event.value.item) };
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

/** Resolves to true when the connection has taken everything, to false when it is gone or stalled; a stalled one is ended. */
function drained(client: ServerResponse, clock: Clock): Promise<boolean> {
  if (client.destroyed) return Promise.resolve(false);
  if (client.writableLength === 0 || !client.writableNeedDrain) return Promise.resolve(true);
  return new Promise(resolve => {
    let sent = client.socket?.bytesWritten;
    let cancel = (): void => undefined;
    const watch = (): void => {
      cancel = clock.after(STALL_MS, () => {
        if (client.socket?.bytesWritten === sent) return void client.destroy();
        sent = client.socket?.bytesWritten;
        watch();
      });
    };
    const settle = (taken: boolean) => (): void => {
      cancel();
      client.removeListener('drain', onDrain);
      client.removeListener('close', onClose);
      resolve(taken);
    };
    const onDrain = settle(true);
    const onClose = settle(false);
    client.once('drain', onDrain);
    client.once('close', onClose);
    watch();
  });
}

/** The JSON of an item, made once for however many readers are at it. */
function createTexts(): (item: OutboxItem<KeptPage>) => Promise<string> {
  let latest: { id: OutboxItem<KeptPage>; text: Promise<string> } | undefined;
  return item => {
    if (latest?.id !== item) latest = { id: item, text: textOf(item) };
    return latest.text;
  };
}

async function textOf({ value: { page, bytes, report } }: OutboxItem<KeptPage>): Promise<string> {
  let base64 = '';
  for await (const slice of bytes.read(SLICE_BYTES)) base64 += Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength).toString('base64');
  const facts = imageFacts(page, bytes.size, report);
  return `${JSON.stringify(facts).slice(0, -1)},"base64Data":"${base64}"}`;
}
