/** A server whose streams come from readers that a test feeds, and its clients. */
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fakeClock } from '@platen/conformance';
import type { OutboxEvent, OutboxReader, StoredPage } from '@platen/core';
import fastify, { type FastifyServerOptions } from 'fastify';
import { FastifySSEPlugin } from 'fastify-sse-v2';
import type { Test } from 'tap';
import { createForPages } from '../http/answers/forPages.js';
import { createClients } from './clients.js';
import { RETRY_MS } from './eventStream.js';
import { createImageEvents } from './imageEvents.js';

export const limits = { stallMs: 30_000, maxStreams: 10, maxDocuments: 10, maxUnread: 2 };

const page: StoredPage['page'] = {
  mimeType: 'image/png',
  pageNumber: 3,
  sheet: 3,
  side: 'front',
  width: 10,
  height: 20,
  dpi: 199.6,
  format: 'Png',
  ocrText: 'a\nb',
  barcodes: [],
  processing: [],
  report: [{ parameter: 'autoCrop', requested: true, result: 'ignored', why: 'because' }],
} as unknown as StoredPage['page'];

/** A page of the given size; every byte is 7. */
export function kept(size: number, more: Partial<StoredPage> = {}): StoredPage {
  async function* read(slice: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < size; at += slice) yield new Uint8Array(Math.min(slice, size - at)).fill(7);
  }
  return {
    page,
    report: false,
    size,
    sha256: '',
    delivered: false,
    isStored: true,
    check: async () => undefined,
    words: async () => undefined,
    read,
    deliver: () => undefined,
    drop: () => undefined,
    ...more,
  };
}

/** A reader that a test feeds, and that records which pages were taken. */
export function fakeReader() {
  const queue: OutboxEvent<StoredPage>[] = [];
  const seen = { taken: [] as string[], left: false, ended: false };
  let ring = (): void => undefined;
  async function* events(): AsyncGenerator<OutboxEvent<StoredPage>, void> {
    while (!seen.left) {
      const event = queue.shift();
      if (!event) await new Promise<void>(resolve => (ring = resolve));
      else {
        yield event;
        if (event.kind === 'end') return;
        seen.taken.push(event.item.id);
      }
    }
  }
  const give = (event: OutboxEvent<StoredPage>): void => (queue.push(event), ring());
  const reader: OutboxReader<StoredPage> = {
    events: events(),
    get discarded() {
      return seen.ended;
    },
    leave: () => ((seen.left = true), ring()),
  };
  return {
    seen,
    reader,
    give,
    page: (id: string, value = kept(5)) => give({ kind: 'item', item: { id, value } }),
    end: (event: 'disabled' | 'error', message: string) =>
      give({ kind: 'end', end: { event, reason: event === 'error' ? 'device-lost' : 'requested', message } }),
  };
}

/** A server that answers each path with the stream of the reader that the test set for it. */
export async function serve(t: Test, tls?: { key: string; cert: string }) {
  const clock = fakeClock();
  const log: string[] = [];
  const say = (message: string) => void log.push(message);
  const stream = createImageEvents({
    clients: createClients(limits, clock),
    clock,
    log: { debug: say, info: say, warn: say, error: say },
    forPages: createForPages('/srv/anna/platen'),
  });
  const readers = new Map<string, ReturnType<typeof fakeReader>>();
  const clients = new Map<string, ServerResponse>();
  const app = fastify((tls ? { https: tls } : {}) as FastifyServerOptions);
  await app.register(FastifySSEPlugin, { retryDelay: RETRY_MS });
  app.get('/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const own = readers.get(name);
    if (!own) throw new Error(`no reader ${name}`);
    clients.set(name, reply.raw);
    stream(own.reader, reply, (request.query as { report?: string }).report === 'true');
    return reply;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(async () => {
    for (const client of clients.values()) client.destroy();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  const reader = (name: string) => {
    const made = fakeReader();
    readers.set(name, made);
    return made;
  };
  return { clock, log, clients, port, reader };
}

/** Opens a stream and collects its text. */
export async function listen(port: number, name: string) {
  const request = get({ host: '127.0.0.1', port, path: `/${name}`, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const got = { text: '', over: false };
  response
    .setEncoding('utf8')
    .on('data', (text: string) => (got.text += text))
    .on('close', () => (got.over = true))
    .on('error', () => undefined);
  return { response, got, hangUp: () => request.destroy() };
}

/** Only a test's time limit ends it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(2);
}
