/**
 * Compresses a strip of a page: whole rows, with a filter and codes of their own. It ends on a byte, so that strips of
 * several threads join to one stream. The work itself is `encoder/deflate.c`, in WebAssembly.
 */
import { readFileSync } from 'node:fs';
import { chunk } from '../chunks.js';

export interface StripRequest {
  /** The row above the strip, zeros above the first, then its own rows; none is padded. */
  readonly rows: Uint8Array<ArrayBuffer>;
  readonly rowBytes: number;
  /** Bytes of a pixel: 1 or 3. */
  readonly pixelBytes: number;
}

export interface Strip {
  /** Of the request: its memory can be used again. */
  readonly rows: Uint8Array<ArrayBuffer>;
  /** An IDAT chunk. */
  readonly chunk: Uint8Array<ArrayBuffer>;
  /** Of its filtered bytes, as in RFC 1950. */
  readonly adler: number;
  /** How many they are. */
  readonly length: number;
}

/** Bytes that tell whether a strip is clean, and bytes of a clean one on which both ways are tried. */
const SAMPLE = 32 * 1024;
const CLEAN_SAMPLE = 64 * 1024;
/** Below this part of its size a strip is clean: it may repeat itself in the 32 KB before. */
const CLEAN = 0.35;
/** To look there takes longer: it must save at least the rest. */
const WORTH = 0.97;

/** What we need of it: Node 20's types leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** The functions of `encoder/deflate.c`, which says what they take. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  heap(): number;
  prepare(): void;
  plain_rows(rows: number, count: number, n: number, to: number): void;
  filter_rows(rows: number, above: number, count: number, n: number, bpp: number, to: number): number;
  adler(at: number, n: number): number;
  deflate(from: number, n: number, bpp: number, far: 0 | 1, tokens: number, to: number): number;
}

/** @returns a function that encodes strips, one at a time */
export function createStripCoder(): (request: StripRequest) => Strip {
  const code = readFileSync(new URL('../../encoder/deflate.wasm', import.meta.url));
  const wasm = new WebAssembly.Instance(new WebAssembly.Module(code)).exports as Exports;
  wasm.prepare();

  return ({ rows, rowBytes, pixelBytes }) => {
    const height = rows.length / rowBytes - 1;
    const length = height * (rowBytes + 1);
    const at = layOut(wasm, rows.length, length);
    at.memory.set(rows, at.rows);
    const ownRows = at.rows + rowBytes;

    /** @returns the length of what is then at `at.out` */
    const encode = (first: number, count: number, far: 0 | 1): number => {
      const from = ownRows + first * rowBytes;
      if (far) wasm.plain_rows(from, count, rowBytes, at.filtered);
      else wasm.filter_rows(from, from - rowBytes, count, rowBytes, pixelBytes, at.filtered);
      return wasm.deflate(at.filtered, count * (rowBytes + 1), pixelBytes, far, at.tokens, at.out);
    };
    /** In the middle of the strip. */
    const tried = (bytes: number, far: 0 | 1): number => {
      const count = Math.min(height, Math.ceil(bytes / (rowBytes + 1)));
      return encode((height - count) >> 1, count, far) / (count * rowBytes);
    };
    const isClean = tried(SAMPLE, 0) < CLEAN;
    const far = isClean && tried(CLEAN_SAMPLE, 1) < WORTH * tried(CLEAN_SAMPLE, 0) ? 1 : 0;

    const made = encode(0, height, far);
    const bytes = at.memory.subarray(at.out, at.out + made);
    return { rows, chunk: chunk('IDAT', bytes), adler: wasm.adler(at.filtered, length) >>> 0, length };
  };
}

/** Where each part of the work is in its memory, which grows if needed. */
function layOut(wasm: Exports, rows: number, filtered: number) {
  const aligned = (at: number): number => (Math.ceil(at) + 79) & ~15;
  const rowsAt = aligned(wasm.heap());
  const filteredAt = aligned(rowsAt + rows);
  const tokens = aligned(filteredAt + filtered);
  const out = aligned(tokens + 2 * filtered + 64);
  const missing = out + 1.5 * filtered + 4096 - wasm.memory.buffer.byteLength;
  if (missing > 0) wasm.memory.grow(Math.ceil(missing / 65536));
  return { rows: rowsAt, filtered: filteredAt, tokens, out, memory: new Uint8Array(wasm.memory.buffer) };
}

/** The sum of two parts, from that of each (RFC 1950, section 8.2). */
export function joinedAdler(first: number, second: number, secondLength: number): number {
  const base = 65521;
  const [a1, b1, a2, b2] = [first & 0xffff, first >>> 16, second & 0xffff, second >>> 16];
  const a = (a1 + a2 + base - 1) % base;
  const b = (b1 + b2 + (secondLength % base) * ((a1 + base - 1) % base)) % base;
  return b * 65536 + a;
}
