/** What the tests of this package share: a folder, a scanner over it, and sheets to put in. */
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  nullLog,
  type Driver,
  type Page,
  type RawPage,
  type ScanCall,
  type ScanOrder,
  type Session,
} from '@platen/core/plugin';
import sharp from 'sharp';
import { virtualDriver } from './driver.js';
import { readOptions, type Fault, type ScannerOptions } from './options.js';

export interface Rig {
  /** The data folder. */
  readonly dir: string;
  readonly tray: string;
  readonly driver: Driver;
  readonly session: Session;
  /** May be changed between scans. */
  readonly faults: Fault[];
  readonly said: string[];
}

/** Something that ends with the test. */
interface Ends {
  teardown(end: () => Promise<void>): unknown;
}

export const deviceId = 'A';
export const never = (): AbortSignal => new AbortController().signal;

/** A scanner named A; with a tray "tray" that is there already if the options name one so. */
export async function rigOf(t: Ends, options: Partial<ScannerOptions> = {}): Promise<Rig> {
  const dir = await mkdtemp(join(tmpdir(), 'virtual-'));
  const tray = join(dir, 'tray');
  if (options.tray === 'tray') await mkdir(tray);
  const faults = [...(options.faults ?? [])];
  const said: string[] = [];
  const log = {
    ...nullLog,
    warn: (message: string) => void said.push(message),
    info: (message: string) => void said.push(message),
  };
  const driver = virtualDriver(readOptions({ scanners: [{ name: deviceId, ...options, faults }] }, dir), log);
  t.teardown(async () => {
    await driver.close();
    await rm(dir, { recursive: true, force: true });
  });
  return { dir, tray, driver, faults, said, session: await driver.open(deviceId, { signal: never() }) };
}

export function orderOf(order: Partial<ScanOrder> = {}): ScanOrder {
  return {
    source: 'feeder',
    resolution: 75,
    colorMode: 'Color',
    duplexMode: 'Simplex',
    pageSize: 'A6',
    adjustments: [],
    maxPixels: 100_000_000,
    ...order,
  };
}

export async function pagesOf(session: Session, order: ScanOrder, call: Partial<ScanCall> = {}): Promise<RawPage[]> {
  const pages: RawPage[] = [];
  for await (const page of session.scan(order, { signal: never(), stop: never(), ...call })) pages.push(raw(page));
  return pages;
}

/** The pages before a failure, and its code and words. */
export async function failureOf(
  session: Session,
  order: ScanOrder,
): Promise<{ pages: RawPage[]; code: unknown; message: string }> {
  const pages: RawPage[] = [];
  try {
    for await (const page of session.scan(order, { signal: never(), stop: never() })) pages.push(raw(page));
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    return { pages, code, message };
  }
  return { pages, code: 'no failure', message: '' };
}

/** An iterator whose pulls and ends are the test's own. */
export function scanOf(session: Session, order: ScanOrder = orderOf()) {
  const stop = new AbortController();
  const abandon = new AbortController();
  const iterator = session.scan(order, { signal: abandon.signal, stop: stop.signal })[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    end: () => iterator.return!(),
    stop: () => stop.abort(),
    abandon: (reason: Error) => abandon.abort(reason),
  };
}

export function raw(page: Page): RawPage {
  if (page.kind !== 'raw') throw new Error('the virtual scanner gives raw pages');
  return page;
}

/** A file that has lain there for a while. */
export async function put(folder: string, name: string, bytes: Uint8Array | string): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const past = new Date(Date.now() - 60_000);
  await utimes(path, past, past);
}

export type Paint = string | { r: number; g: number; b: number };

/** A PNG of one colour. */
export async function plain(width: number, height: number, background: Paint, density?: number): Promise<Buffer> {
  const image = sharp({ create: { width, height, channels: 3, background } });
  return (density === undefined ? image : image.withDensity(density)).png().toBuffer();
}

/** A PNG whose every pixel tells its place; its bytes are those of `pixels`. */
export async function pattern(
  width: number,
  height: number,
  density?: number,
): Promise<{ png: Buffer; pixels: Buffer }> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) pixels.set([i & 0xff, (i >> 8) & 0xff, (i * 7) & 0xff], i * 3);
  const image = sharp(pixels, { raw: { width, height, channels: 3 } });
  return { pixels, png: await (density === undefined ? image : image.withDensity(density)).png().toBuffer() };
}

/** Values of the pixel at x, y; of a bw1 page 1 for black. */
export function pixel(page: RawPage, x: number, y: number): number[] {
  if (page.pixels === 'bw1') return [(page.data[y * page.stride + (x >> 3)]! >> (7 - (x & 7))) & 1];
  const channels = page.pixels === 'rgb24' ? 3 : 1;
  const at = y * page.stride + x * channels;
  return [...page.data.subarray(at, at + channels)];
}

/** Names in a folder; of files only. */
export async function files(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
    .sort();
}
