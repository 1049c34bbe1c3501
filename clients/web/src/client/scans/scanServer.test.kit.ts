/** A small server with one scan, to imitate a service's failures: cut answers, lost streams, a restart. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { WirePage } from './scanPage.js';
import type { ScanState } from '../shapes.js';

export interface Asked {
  /** `POST /api/scans` */
  readonly call: string;
  readonly query: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/**
 * What becomes of the next request of a call: `unheard` is cut before it has an effect, `lost` after it, `torn` in the
 * middle of its answer; `wrong` changes the answer's last byte; a number is the status of a refusal.
 */
export type Fault = 'unheard' | 'lost' | 'torn' | 'wrong' | number;

export interface ScanServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Requests of this call. */
  count(call: string): number;
  /** Keys and bodies of the scans that were started. */
  readonly started: readonly string[];
  readonly continued: () => number;
  /** Damages the file of a page: a document with it breaks off there. */
  damage(number: number): void;
  /** Open event streams. */
  readonly streams: () => number;
  /** Documents under way. */
  readonly documents: () => number;
  /** For the next requests of this call, one each. */
  fail(call: string, ...faults: readonly Fault[]): void;
  /** A page is finished. */
  add(bytes: string, more?: Partial<WirePage>): void;
  end(state: Exclude<ScanState, 'running'>, code?: string): void;
  /** Events arrive byte by byte from now on. */
  dribble(): void;
  /** Cuts the event streams. */
  cut(): void;
  stop(): Promise<void>;
  /** On the same port. */
  restart(): Promise<void>;
}

export const id = 'b1';
const path = `/api/scans/${id}`;
const codes: Readonly<Record<number, string>> = {
  400: 'invalid-value',
  404: 'scan-not-found',
  409: 'busy',
  429: 'too-many-streams',
};

export async function scanServer(t: Test): Promise<ScanServer> {
  const asked: Asked[] = [];
  const started: string[] = [];
  const faults = new Map<string, Fault[]>();
  const streams = new Map<ServerResponse, number>();
  /** Documents under way, with the pages that they have. Each is the bytes of the pages, one after the other. */
  const documents = new Map<ServerResponse, number>();
  const files: string[] = [];
  const pages: WirePage[] = [];
  let end: { readonly code?: string; readonly error?: string } = {};
  let state: ScanState = 'running';
  let continued = 0;
  /** As the page that started it called it. */
  let requestId: string | undefined;
  let dribbles = false;
  const write = (stream: ServerResponse, text: string): void => {
    stream.socket?.setNoDelay(true);
    for (const piece of dribbles ? Buffer.from(text).values() : [text])
      stream.write(typeof piece === 'string' ? piece : Buffer.of(piece));
  };

  const facts = () => ({
    ...{ success: true, id, kind: 'scan', scannerName: 'Feeder', createdAt: '2026-01-01T00:00:00.000Z', notes: [] },
    ...(requestId !== undefined && { requestId }),
    ...{ ...end, state, pageCount: pages.length, progress: { scanned: pages.length, finished: pages.length } },
  });
  const tell = (): void => {
    for (const [stream, sent] of streams) {
      for (const page of pages.slice(sent)) write(stream, event('page', page, String(page.number)));
      if (sent < pages.length) write(stream, event('progress', facts().progress));
      streams.set(stream, pages.length);
      if (state === 'running') continue;
      stream.end(event('state', facts(), `${pages.length}.${state}`));
    }
    for (const [document, sent] of documents) {
      for (const { number, error } of pages.slice(sent)) {
        if (error !== undefined) document.destroy();
        else document.write(files[number - 1]);
      }
      documents.set(document, pages.length);
      if (state !== 'running') document.end();
    }
  };

  const answers: Readonly<Record<string, (asked: Asked, url: URL) => object | string | undefined>> = {
    [`POST /api/scans`](its) {
      const request = `${String(its.headers['idempotency-key'])} ${its.body}`;
      if (!started.includes(request)) started.push(request);
      ({ requestId } = JSON.parse(its.body) as { requestId?: string });
      return { ...facts(), pages };
    },
    [`GET /api/scans`]: () => ({ success: true, scans: [facts()], count: 1 }),
    [`GET ${path}`]: () => ({ ...facts(), pages }),
    [`DELETE ${path}`]: () => ({ success: true, message: 'The scan was let go.' }),
    [`POST ${path}/cancel`]() {
      if (state === 'running') [state, end] = ['cancelled', { code: 'cancelled', error: 'The scan was cancelled.' }];
      tell();
      return { ...facts(), pages };
    },
    [`POST ${path}/continue`]() {
      continued++;
      [state, end] = ['running', {}];
      return { ...facts(), pages };
    },
    [`GET ${path}/document`]: () => files.join(''),
    [`GET ${path}/documents`]: () => ({
      success: true,
      documents: [
        { number: 1, name: 'Document 1', pages: [1, 2, 4], isComplete: true, url: `${path}/document?pages=1-2%2C4` },
      ],
      count: 1,
    }),
    [`GET ${path}/pages`]: (_its, { pathname, searchParams }) =>
      turned(files[Number(pathname.split('/').at(-1)) - 1], searchParams.get('rotate')),
    [`POST /api/documents`]({ body }) {
      const wanted = JSON.parse(body) as { pages: { scan: string; page: number; rotate?: number }[] };
      if (wanted.pages.some(({ scan }) => scan !== id)) return undefined;
      return wanted.pages.map(({ page, rotate }) => turned(files[page - 1], rotate)).join('');
    },
  };

  const answer = (its: Asked, url: URL, response: ServerResponse): void => {
    const fault = faults.get(its.call)?.shift();
    if (fault === 'unheard') return void response.destroy();
    if (typeof fault === 'number') return refuse(response, fault);
    if (its.call === `GET ${path}/events`) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.set(response, Number(its.headers['last-event-id'] ?? 0));
      response.on('close', () => streams.delete(response));
      return tell();
    }
    if (its.call === `GET ${path}/document` && fault === undefined) {
      if (state !== 'running' && pages.length === 0) return refuse(response, 404, 'no-pages');
      response.writeHead(200, { 'content-type': 'application/pdf' }).flushHeaders();
      documents.set(response, 0);
      response.on('close', () => documents.delete(response));
      return tell();
    }
    const found = answers[its.call]?.(its, url);
    if (fault === 'lost') return void response.destroy();
    if (found === undefined) return refuse(response, 404);
    const text = typeof found === 'string' ? found : JSON.stringify(found);
    response.setHeader('content-length', Buffer.byteLength(text));
    if (fault === 'torn') return void response.write(text.slice(0, text.length / 2), () => response.destroy());
    response.end(fault === 'wrong' ? `${text.slice(0, -1)}?` : text);
  };

  let server: Server;
  const listen = async (port: number): Promise<void> => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const route = url.pathname.replace(/\/pages\/\d+$/, '/pages');
      let body = '';
      request.setEncoding('utf8').on('data', piece => (body += String(piece)));
      request.on('end', () => {
        const its = { call: `${request.method} ${route}`, query: url.search.slice(1), headers: request.headers, body };
        asked.push(its);
        answer(its, url, response);
      });
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  await listen(0);
  const { port } = server!.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  t.teardown(() => void (server.listening && stop()));

  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    count: call => asked.filter(each => each.call === call).length,
    started,
    continued: () => continued,
    streams: () => streams.size,
    documents: () => documents.size,
    fail: (call, ...more) => void faults.set(call, [...(faults.get(call) ?? []), ...more]),
    add(bytes, more = {}) {
      files.push(bytes);
      pages.push({ ...pageOf(files.length, bytes), ...more });
      tell();
    },
    end(next, code) {
      [state, end] = [next, code === undefined ? {} : { code, error: `A sentence about ${code}.` }];
      tell();
    },
    damage(number) {
      pages[number - 1] = { ...pageOf(number, ''), code: 'storage-failed', error: `Page ${number} was damaged.` };
    },
    dribble: () => void (dribbles = true),
    cut: () => [...streams.keys()].forEach(each => each.destroy()),
    stop,
    restart: () => listen(port),
  };
}

const event = (name: string, data: object, eventId?: string): string =>
  `${eventId === undefined ? '' : `id: ${eventId}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The bytes of a turned page. */
const turned = (file = '', degrees: string | number | null | undefined): string =>
  degrees ? `${file}@${degrees} ` : file;

function refuse(response: ServerResponse, status: number, code = codes[status] ?? 'storage-failed'): void {
  response.writeHead(status, { 'platen-error': JSON.stringify({ code }) });
  response.end(JSON.stringify({ success: false, error: `A sentence about ${code}.` }));
}

const pageOf = (number: number, bytes: string): WirePage => ({
  ...{
    number,
    sheet: number,
    side: 'front',
    width: 8,
    height: 8,
    resolution: 75,
    format: 'Png',
    mimeType: 'image/png',
  },
  ...{ bytes: Buffer.byteLength(bytes), sha256: createHash('sha256').update(bytes).digest('hex') },
  ...{ barcodes: [], ocrText: '', report: [], url: `${path}/pages/${number}` },
});

/** Resolves when it is true; polls, as conditions of a server have no event. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setTimeout(resolve, 5));
}
