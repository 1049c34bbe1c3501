/**
 * Reads and writes the part of tar that bundles use: regular files, with long paths in pax records.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06
 */
import { createReadStream } from 'node:fs';
import type { ByteReader } from './byteReader.js';
import { BundleFault } from './bundleFault.js';

const BLOCK = 512;
const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;
/** A pax record is a path here. */
const MOST_PAX = 64 * 1024;

export interface TarEntry {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly isExecutable: boolean;
  /** Read it before the next entry; what is not read is skipped. */
  content(): AsyncGenerator<Buffer>;
}

/**
 * The entries of regular files; folders are left out. It reads to the stream's end, so that a checksum behind it counts.
 * @throws {BundleFault} for a link, a device, or a header that is wrong
 */
export async function* readTar(bytes: ByteReader): AsyncGenerator<TarEntry> {
  let pax: ReadonlyMap<string, string> = new Map();
  for (;;) {
    const header = await bytes.take(BLOCK);
    if (!header) throw new BundleFault('it ends too early');
    if (header.every(byte => byte === 0)) break;
    assertSum(header);
    const type = String.fromCharCode(header[156] || 48);
    const size = sizeIn(header, pax);
    if (type === 'x') {
      if (size > MOST_PAX) throw new BundleFault('a path in it is too long');
      pax = paxRecords(await whole(bytes, size));
      continue;
    }
    const path = pax.get('path') ?? pathIn(header);
    pax = new Map();
    if (type === '5' && size === 0) continue;
    if (type !== '0')
      throw new BundleFault(`${JSON.stringify(path)} in it is ${kinds[type] ?? 'of an unknown kind'}, and not a file`);
    let left = size;
    yield {
      path,
      size,
      isExecutable: (numberIn(header, 100, 8) & 0o100) !== 0,
      async *content() {
        while (left > 0) {
          const part = await bytes.some(left);
          if (!part) throw new BundleFault('it ends too early');
          left -= part.length;
          yield part;
        }
      },
    };
    if (!(await bytes.skip(left + padded(size) - size))) throw new BundleFault('it ends too early');
  }
  for (let rest = await bytes.some(BLOCK); rest; rest = await bytes.some(BLOCK))
    if (rest.some(byte => byte !== 0)) throw new BundleFault('something follows its end');
}

const kinds: Readonly<Record<string, string>> = { '1': 'a link', '2': 'a link', '3': 'a device', '4': 'a device' };

/** The header's sum has spaces in its own place. */
function assertSum(header: Buffer): void {
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (numberIn(header, 148, 8) !== sum) throw new BundleFault('a header in it is wrong');
}

function textIn(header: Buffer, from: number, length: number): string {
  return header.toString('utf8', from, from + length).split('\0')[0] ?? '';
}

function numberIn(header: Buffer, from: number, length: number): number {
  const text = textIn(header, from, length).trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

function sizeIn(header: Buffer, pax: ReadonlyMap<string, string>): number {
  const size = numberIn(header, 124, 12);
  if (!Number.isSafeInteger(size) || pax.has('size')) throw new BundleFault('a size in it is wrong');
  return size;
}

function pathIn(header: Buffer): string {
  const prefix = textIn(header, 257, 5) === 'ustar' ? textIn(header, 345, 155) : '';
  const name = textIn(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

async function whole(bytes: ByteReader, size: number): Promise<string> {
  const content = await bytes.take(padded(size));
  if (!content) throw new BundleFault('it ends too early');
  return content.toString('utf8', 0, size);
}

/** `27 path=node_modules/a/b.js\n`: the length in bytes, with itself. */
function paxRecords(text: string): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [, key, value] = /^\d+ ([^=]+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) throw new BundleFault('a header in it is wrong');
    records.set(key, value);
  }
  return records;
}

export interface FileToPack {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly isExecutable: boolean;
  /** The content itself, or the absolute path of the file that has it. */
  readonly from: Buffer | string;
}

/** The same bytes for the same files: no time, no account. */
export async function* writeTar(files: Iterable<FileToPack>): AsyncGenerator<Buffer> {
  for (const { path, size, isExecutable, from } of files) {
    yield* headers(path, size, isExecutable);
    let written = 0;
    for await (const part of typeof from === 'string' ? createReadStream(from) : [from]) {
      const bytes = part as Buffer;
      written += bytes.length;
      yield bytes;
    }
    if (written !== size) throw new Error(`${path} changed while it was packed. Run the command again.`);
    yield Buffer.alloc(padded(size) - size);
  }
  yield Buffer.alloc(2 * BLOCK);
}

function* headers(path: string, size: number, isExecutable: boolean): Generator<Buffer> {
  const [prefix, name] = inTwo(path);
  if (name !== undefined) {
    yield headerOf({ prefix, name, size, isExecutable, type: '0' });
    return;
  }
  const record = Buffer.from(paxRecord('path', path));
  yield headerOf({ name: 'PaxHeader', size: record.length, isExecutable: false, type: 'x' });
  yield Buffer.concat([record, Buffer.alloc(padded(record.length) - record.length)]);
  yield headerOf({ name: Buffer.from(path).toString('latin1').slice(-100), size, isExecutable, type: '0' });
}

/** @returns without a name if the path does not fit into a header */
function inTwo(path: string): [prefix: string, name?: string] {
  if (!/^[\x20-\x7e]+$/.test(path)) return [''];
  if (path.length <= 100) return ['', path];
  const at = path.indexOf('/', path.length - 101);
  return at <= 0 || at > 155 ? [''] : [path.slice(0, at), path.slice(at + 1)];
}

function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (String(length).length + Buffer.byteLength(rest) !== length)
    length = String(length).length + Buffer.byteLength(rest);
  return `${length}${rest}`;
}

/** The time of npm's own tarballs: 1985-10-26T08:15:00Z. */
const TIME = 499_162_500;

function headerOf(file: {
  readonly prefix?: string;
  readonly name: string;
  readonly size: number;
  readonly isExecutable: boolean;
  readonly type: string;
}): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): unknown =>
    block.write(value.toString(8).padStart(length - 1, '0'), at);
  if (file.size >= 8 ** 11) throw new Error(`${file.name} is too large for a bundle.`);
  block.write(file.name, 0, 100, 'latin1');
  octal(file.isExecutable ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(file.size, 124, 12);
  octal(TIME, 136, 12);
  block.write(file.type, 156);
  block.write('ustar\x0000', 257, 'latin1');
  block.write(file.prefix ?? '', 345, 155, 'latin1');
  block.fill(' ', 148, 156);
  octal(
    block.reduce((all, byte) => all + byte, 0),
    148,
    7,
  );
  block[154] = 0;
  return block;
}
