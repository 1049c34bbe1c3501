/** The one scan of a made-up service: its pages, its end, and who reads its events or its document. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ScanState } from '../shapes.js';
import type { WirePage } from './scanPage.js';

export interface Asked {
  /** `POST /api/scans` */
  readonly call: string;
  readonly query: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a test does with the scan. */
export interface ScanControls {
  /** Keys and bodies of the scans that were started; of auto-scans, the bodies alone. */
  readonly started: readonly string[];
  readonly continued: () => number;
  /** Damages the file of a page: a document with it breaks off there. */
  damage(number: number): void;
  /** Open event streams. */
  readonly streams: () => number;
  /** Documents under way. */
  readonly documents: () => number;
  /** A page is finished. */
  add(bytes: string, more?: Partial<WirePage>): void;
  end(state: Exclude<ScanState, 'running'>, code?: string): void;
  /** Events arrive byte by byte from now on. */
  dribble(): void;
  /** Cuts the event streams. */
  cut(): void;
}

export interface ServedScan {
  readonly controls: ScanControls;
  /** No page was scanned, and none will be. */
  readonly isEmpty: boolean;
  /** The body of an answer; undefined: not found. */
  answerTo(its: Asked, url: URL): object | string | undefined;
  /** Answers with the events after this one, as they happen. */
  streamTo(response: ServerResponse, last: number): void;
  /** Answers with the document, as its pages are finished. */
  documentTo(response: ServerResponse): void;
}

export const id = 'b1';
export const path = `/api/scans/${id}`;

interface PagesBody {
  readonly pages: readonly { readonly scan: string; readonly page: number; readonly rotate?: number }[];
  readonly interleave?: object;
}

function pagesDocument(files: readonly string[], { pages, interleave }: PagesBody): string | undefined {
  // There is only one scan: its pages are the backs, too.
  if (interleave) return files.flatMap((front, at) => [front, files.at(-1 - at)]).join('');
  if (pages.some(({ scan }) => scan !== id)) return undefined;
  return pages.map(({ page, rotate }) => turned(files[page - 1], rotate)).join('');
}

export function servedScan(): ServedScan {
  const started: string[] = [];
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
  let kind: 'scan' | 'autoscan' = 'scan';
  let dribbles = false;
  const write = (stream: ServerResponse, text: string): void => {
    stream.socket?.setNoDelay(true);
    for (const piece of dribbles ? Buffer.from(text).values() : [text])
      stream.write(typeof piece === 'string' ? piece : Buffer.of(piece));
  };

  const facts = () => ({
    ...{ success: true, id, kind, scannerName: 'Feeder', createdAt: '2026-01-01T00:00:00.000Z', notes: [] },
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
    for (const [response, sent] of documents) {
      for (const { number, error } of pages.slice(sent)) {
        if (error !== undefined) response.destroy();
        else response.write(files[number - 1]);
      }
      documents.set(response, pages.length);
      if (state !== 'running') response.end();
    }
  };

  const answers: Readonly<Record<string, (asked: Asked, url: URL) => object | string | undefined>> = {
    [`POST /api/scans`](its) {
      const request = `${String(its.headers['idempotency-key'])} ${its.body}`;
      if (!started.includes(request)) started.push(request);
      ({ requestId } = JSON.parse(its.body) as { requestId?: string });
      return { ...facts(), pages };
    },
    ['POST /api/twain/autoscan/enable']({ body }) {
      started.push(body);
      ({ requestId } = JSON.parse(body) as { requestId?: string });
      kind = 'autoscan';
      return { success: true, message: 'Auto-scan is on.', scan: id, notes: [{ text: 'A note about its paper.' }] };
    },
    [`GET /api/scans`]: () => ({ success: true, scans: [facts()], count: 1 }),
    [`GET ${path}`]: () => ({ ...facts(), pages }),
    [`DELETE ${path}`]: () => ({ success: true, message: 'The scan was let go.' }),
    [`POST ${path}/cancel`]() {
      if (state === 'running') [state, end] = kind === 'autoscan' ? ['completed', {}] : CANCELLED;
      tell();
      return { ...facts(), pages };
    },
    [`POST ${path}/continue`]() {
      continued++;
      [state, end] = ['running', {}];
      return { ...facts(), pages };
    },
    [`GET ${path}/document`]: () => files.join(''),
    [`GET ${path}/documents`]: () => documentList,
    [`GET ${path}/pages`]: (_its, { pathname, searchParams }) =>
      turned(files[Number(pathname.split('/').at(-1)) - 1], searchParams.get('rotate')),
    [`POST /api/documents`]: ({ body }) => pagesDocument(files, JSON.parse(body) as PagesBody),
  };

  return {
    get isEmpty() {
      return state !== 'running' && pages.length === 0;
    },
    answerTo: (its, url) => answers[its.call]?.(its, url),
    streamTo(response, last) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.set(response, last);
      response.on('close', () => streams.delete(response));
      tell();
    },
    documentTo(response) {
      response.writeHead(200, { 'content-type': 'application/pdf' }).flushHeaders();
      documents.set(response, 0);
      response.on('close', () => documents.delete(response));
      tell();
    },
    controls: {
      started,
      continued: () => continued,
      streams: () => streams.size,
      documents: () => documents.size,
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
    },
  };
}

const CANCELLED: [ScanState, object] = ['cancelled', { code: 'cancelled', error: 'The scan was cancelled.' }];

const documentList = {
  success: true,
  documents: [
    { number: 1, name: 'Document 1', pages: [1, 2, 4], isComplete: true, url: `${path}/document?pages=1-2%2C4` },
  ],
  count: 1,
};

const event = (name: string, data: object, eventId?: string): string =>
  `${eventId === undefined ? '' : `id: ${eventId}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The bytes of a turned page. */
const turned = (file = '', degrees: string | number | null | undefined): string =>
  degrees ? `${file}@${degrees} ` : file;

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
