/** A document format of lines, which say what each page is, and clients that read its documents. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { DocumentFormat, DocumentPage } from '@platen/core';
import type { Test } from 'tap';
import type { FakeDriverOptions } from '@platen/conformance';
import type { ServiceOptions } from '../../../service.test.kit.js';
import { service } from './scans.test.kit.js';

export interface LinesOptions {
  readonly extension?: string;
  readonly aliases?: readonly string[];
  /** Called before each page is written. */
  before?(page: DocumentPage): Promise<void>;
  /** Bytes of each page's line, at least. */
  readonly bytes?: number;
}

export interface Lines extends DocumentFormat {
  /** Documents that were begun, and of these, those that were left or finished. */
  readonly begun: number;
  readonly over: number;
  /** Signals of the documents. */
  readonly signals: readonly AbortSignal[];
}

/** Each chunk overwrites the one before it. */
export function lines({ extension = 'pdf', aliases = [], before, bytes = 0 }: LinesOptions = {}): Lines {
  const signals: AbortSignal[] = [];
  let over = 0;
  return {
    name: `Lines of ${extension}`,
    mimeType: `application/x-${extension}`,
    extension,
    aliases,
    get begun() {
      return signals.length;
    },
    get over() {
      return over;
    },
    signals,
    async *write(pages, { title, language, createdAt, barcodes }, { signal }) {
      signals.push(signal);
      let chunk = Buffer.alloc(0);
      const line = (...content: readonly unknown[]): Buffer => {
        chunk.fill('overwritten');
        chunk = Buffer.from(`${content.join(' ')}\n`.padStart(bytes));
        return chunk;
      };
      try {
        yield line('begin', JSON.stringify({ title, language, createdAt, barcodes }));
        for await (const page of pages) {
          await before?.(page);
          const { pageNumber, turn, words } = page;
          const hash = createHash('sha256');
          for await (const slice of page.read()) hash.update(slice);
          yield line('page', pageNumber, turn, hash.digest('hex'), words.map(({ text }) => text).join('_'));
        }
        yield line('end');
      } finally {
        over++;
      }
    },
  };
}

export interface ReadLines {
  readonly title?: string;
  readonly language?: string;
  readonly createdAt: number;
  readonly barcodes: boolean;
}

/** Complete lines so far. */
const linesOf = (document: string): string[] =>
  document
    .split('\n')
    .slice(0, -1)
    .map(line => line.trimStart());

export const optionsOf = (document: string): ReadLines =>
  JSON.parse(linesOf(document)[0]?.slice('begin '.length) ?? '') as ReadLines;

/** The pages so far. */
export const pagesOf = (document: string) =>
  linesOf(document)
    .map(line => line.split(' '))
    .filter(([word]) => word === 'page')
    .map(([, number, turn, sha256 = '', words = '']) => ({
      number: Number(number),
      turn: Number(turn),
      sha256,
      words,
    }));

export const numbersOf = (document: string): number[] => pagesOf(document).map(({ number }) => number);

/** Whether its end is there. */
export const isWhole = (document: string): boolean => linesOf(document).at(-1) === 'end';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What has come so far. */
  text(): string;
  /** When nothing more comes: whether it is complete. */
  readonly ended: Promise<boolean>;
  /** Of an answer that has ended. */
  readonly trailers: NodeJS.Dict<string>;
  hangUp(): void;
  readonly response: IncomingMessage;
}

/** Reads an answer as it comes. */
export function reading(response: IncomingMessage): Answer {
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part)).on('error', () => undefined);
  const ended = new Promise<boolean>(resolve => response.once('close', () => resolve(response.complete)));
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => Buffer.concat(parts).toString(),
    ended,
    get trailers() {
      return response.trailers;
    },
    hangUp: () => response.destroy(),
    response,
  };
}

/** A service that writes documents of lines. */
export async function documentService(
  t: Test,
  driver: FakeDriverOptions = {},
  options: ServiceOptions & { readonly lines?: Lines } = {},
) {
  const { lines: format = lines(), ...rest } = options;
  const made = await service(t, driver, { documents: [format], ...rest });
  return {
    ...made,
    format,
    path: (id: string, query = '') => `/api/scans/${id}/document${query && `?${query}`}`,
  };
}

/** A document of so many small pages, asked for while they are scanned and not kept, has all of them in order. */
export async function allPagesArrive(t: Test, sheets: number): Promise<void> {
  const page = { width: 8, height: 8, pixels: 'gray8' } as const;
  const { started, path, serve } = await documentService(t, { sheets, page }, { config: { scans: { keep: false } } });
  const request = await serve();
  const document = reading(await request(path(await started())));
  t.equal(await document.ended, true);
  t.same(
    numbersOf(document.text()),
    Array.from({ length: sheets }, (_, at) => at + 1),
  );
}
