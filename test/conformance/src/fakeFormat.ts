/** A format in memory: a line of JSON, then the rows. For tests of what uses formats, and of the suite itself. */
import { setImmediate as breathe } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { type Format, type Pixels, rowBytes } from '@platen/core/plugin';
import type { WrittenFacts } from './formatCases.js';

export interface FakeFormatOptions {
  /** `Fake` when absent. */
  readonly name?: string;
  /** The name in lower case when absent. */
  readonly aliases?: readonly string[];
  /** `application/x-fake` when absent. */
  readonly mimeType?: string;
  /** Rounds values the coarser the lower the quality, and packs the rows. */
  readonly lossy?: boolean;
  /** Every encode waits for it. */
  readonly until?: Promise<void>;
  /** Every encode fails with it. */
  readonly fails?: unknown;
}

export interface FakeFormat extends Format {
  decode: NonNullable<Format['decode']>;
  /** Pages encoded and files decoded so far. */
  readonly encodes: number;
  readonly decodes: number;
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly pixels: Pixels;
  readonly packed: boolean;
}

/** Quickly: whole pages of noise are packed. */
const deflated = (rows: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    deflate(rows, { level: 1 }, (error, packed) => (error ? reject(error) : resolve(packed))),
  );

const LINE = 10;
const depths: Readonly<Record<Pixels, number>> = { rgb24: 24, gray8: 8, bw1: 1 };

export function fakeFormat(options: FakeFormatOptions = {}): FakeFormat {
  const { name = 'Fake', aliases = [name.toLowerCase()], mimeType = 'application/x-fake', lossy = false } = options;
  let encodes = 0;
  let decodes = 0;
  return {
    name,
    aliases,
    mimeType,
    ...(lossy ? { lossless: false } : {}),
    get encodes() {
      return encodes;
    },
    get decodes() {
      return decodes;
    },
    async encode(page, { quality }, { signal }) {
      signal.throwIfAborted();
      encodes++;
      await options.until;
      if ('fails' in options) throw options.fails;
      const { width, height, dpi, pixels } = page;
      const row = rowBytes(pixels, width);
      const rows = Buffer.alloc(row * height);
      const step = lossy && pixels !== 'bw1' ? Math.max(1, Math.ceil((100 - quality) / 8)) : 1;
      const rowsAtOnce = Math.ceil(height / 50);
      for (let y = 0; y < height; y++) {
        rows.set(page.data.subarray(y * page.stride, y * page.stride + row), y * row);
        if (step > 1) for (let at = y * row; at < (y + 1) * row; at++) rows[at]! -= rows[at]! % step;
        if (y % rowsAtOnce === 0) await breathe();
        signal.throwIfAborted();
      }
      const header: Header = { width, height, dpi, pixels, packed: lossy };
      return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), lossy ? await deflated(rows) : rows]);
    },
    async decode(bytes, { signal }) {
      signal.throwIfAborted();
      decodes++;
      const { width, height, pixels, packed, at } = readHeader(bytes);
      const stride = rowBytes(pixels, width);
      const data = packed ? await promisify(inflate)(bytes.subarray(at)) : bytes.slice(at);
      if (data.length !== stride * height)
        throw new TypeError(`a fake file of ${width} x ${height} pixels has ${data.length} bytes of rows`);
      return { width, height, pixels, stride, data };
    },
  };
}

/** What a fake file says of itself. */
export function readFakeFile(bytes: Uint8Array): WrittenFacts {
  const { width, height, dpi, pixels } = readHeader(bytes);
  return { width, height, dpi, depth: depths[pixels] };
}

function readHeader(bytes: Uint8Array): Header & { at: number } {
  const end = bytes.indexOf(LINE);
  if (end < 0) throw new TypeError('not a fake file: it has no line of JSON');
  return { ...(JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as Header), at: end + 1 };
}
