/** The most memory that a service takes for a short PNG scan and for a long one, and a long one with little memory. */
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { ScanTaking, ScanTask } from './client.js';
import type { FetchTaking, FetchTask } from './fetcher.js';
import { startHelper } from './helper.js';
import { limitMemory } from './memoryLimit.js';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { stackName } from './plugin/stacks.js';
import { startService, type StartWishes } from './service.js';
import { sheet, type SheetSize } from './sheets.js';
import { residentBytes } from '../topology/processTree.js';

const SHORT = 40;
const LONG = 200;
const LONGEST = 2000;
const ROUNDS = 2;
/** A scan is flat if its last pages need no more than its first ones. */
const SHARE = 500;
const FLAT_WANTED = 1.05;
const SAMPLE_MS = 100;
const LIMIT_BYTES = 512 * 1024 * 1024;

/** 2,000 pages at 300 dpi would take 28 GB of disk. */
const small: SheetSize = { ...sheet, width: sheet.width / 2, height: sheet.height / 2, dpi: sheet.dpi / 2 };

/** Bytes of the longest scan: a PNG takes little more than half of its page. */
export const longestBytes =
  Math.max(LONG * sheet.width * sheet.height * sheet.channels, LONGEST * small.width * small.height * small.channels) *
  0.6;

const ways = ['scans', 'interface'] as const;
type Way = (typeof ways)[number];
const titles: Readonly<Record<Way, string>> = { scans: '`POST /api/scans`', interface: '`POST /scan`' };
/** "The same", give or take what a garbage collector does. */
const wanted: Readonly<Record<Way, number>> = { scans: 1.05, interface: 1.1 };

interface Stack {
  readonly way: Way;
  readonly size: SheetSize;
  readonly files: readonly string[];
  readonly pages: number;
}

/** @param say tells a person what is going on */
export async function memoryRows(
  folder: string,
  files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const smallFiles = await Promise.all(files.map(file => smaller(file)));
  const rows: string[][] = [];
  let flat: readonly string[] = [];
  for (const { long, rounds, ...stack } of [
    { way: 'scans', size: sheet, files, long: LONG, rounds: ROUNDS },
    { way: 'scans', size: small, files: smallFiles, long: LONGEST, rounds: 1 },
    { way: 'interface', size: sheet, files, long: LONG, rounds: ROUNDS },
  ] as const) {
    const peaks: Readonly<Record<number, number[]>> = { [SHORT]: [], [long]: [] };
    for (let round = 1; round <= rounds; round++)
      for (const [pages, taken] of Object.entries(peaks)) {
        const { peak, samples, at } = await scanOnce({ ...stack, pages: Number(pages) }, folder, {});
        if (Number(pages) === LONGEST) flat = flatRow(samples, at);
        if (peak === undefined)
          return 'Peak memory is measured on Linux only: this system does not say what a process had resident.';
        taken.push(peak);
        say(`${stack.way}, PNG, ${pages} pages, round ${round} of ${rounds}: ${(peak / 1e6).toFixed(0)} MB`);
      }
    const [one, other] = [SHORT, long].map(pages => spreadOf((peaks[pages] ?? []).map(bytes => bytes / 1e6)));
    if (!one || !other) continue;
    const ratio = other.median / one.median;
    const title = `${titles[stack.way]}, ${stack.size.dpi} dpi`;
    rows.push([title, spell(one), `${long}`, spell(other), ratio.toFixed(2), verdict('≤', ratio, wanted[stack.way])]);
  }
  const head = ['peak memory of a PNG scan', `${SHORT} pages, MB`, 'pages', 'MB', 'ratio', 'wanted'];
  const flatHead = ['one PNG scan, 150 dpi', `first ${SHARE} pages, MB`, `last ${SHARE}`, 'ratio', 'wanted'];
  return `${table(head, rows)}\n\n${table(flatHead, [[...flat]])}\n\n${await limitedRows(folder, files, say)}`;
}

/** What was resident at a time of the system's monotonic clock, in nanoseconds. */
interface Sample {
  readonly at: bigint;
  readonly bytes: number;
}

interface Taken {
  /** Undefined where the system does not say. */
  readonly peak: number | undefined;
  readonly ms: number;
  readonly samples: readonly Sample[];
  /** When each page was here, as text; none of `POST /scan`. */
  readonly at: readonly string[];
}

/** The most that was resident while the first pages came, and the last. */
export function flatRow(samples: readonly Sample[], at: readonly string[]): readonly string[] {
  const most = (from: bigint, to: bigint): number =>
    Math.max(...samples.filter(each => each.at >= from && each.at <= to).map(({ bytes }) => bytes));
  const when = (page: number): bigint => BigInt(at[page] ?? 0);
  const [first, last] = [most(0n, when(SHARE - 1)), most(when(at.length - SHARE), when(at.length - 1))];
  const megabytes = [first, last].map(bytes => (bytes / 1e6).toFixed(0));
  return [`${at.length} pages`, ...megabytes, (last / first).toFixed(2), verdict('≤', last / first, FLAT_WANTED)];
}

async function scanOnce({ way, size, files, pages }: Stack, folder: string, start: StartWishes): Promise<Taken> {
  const service = await startService(folder, { files, stacks: [pages], hold: false, size }, start);
  const { port } = service;
  const task = { port, scannerName: stackName(pages), imageFormat: 'Png', pages, resolution: size.dpi } as const;
  const fetcher = startHelper<FetchTask, FetchTaking>('fetcher');
  const client = startHelper<ScanTask, ScanTaking>('client');
  const samples: Sample[] = [];
  const sampler = setInterval(() => {
    const bytes = residentBytes(service.pid);
    if (bytes !== undefined) samples.push({ at: process.hrtime.bigint(), bytes });
  }, SAMPLE_MS);
  try {
    const { ms, at = [] }: { ms: number; at?: readonly string[] } =
      way === 'scans' ? await fetcher.run({ ...task, check: false }) : await client.run({ ...task, decode: false });
    return { peak: await service.peakBytes(), ms, samples, at };
  } finally {
    clearInterval(sampler);
    fetcher.end();
    client.end();
    await service.stop();
  }
}

async function limitedRows(folder: string, files: readonly string[], say: (line: string) => void): Promise<string> {
  const rows: string[][] = [];
  for (const way of ways) {
    const limit = limitMemory(LIMIT_BYTES);
    if (!limit) return 'This account may not limit the memory of a process (cgroups of Linux, as root).';
    try {
      const outcome = await scanOnce({ way, size: sheet, files, pages: LONG }, folder, { limit }).then(
        ({ ms, peak = NaN }) => [(ms / 1000).toFixed(0), (peak / 1e6).toFixed(0), 'completes: met'],
        (error: unknown) => ['', '', `missed: ${String(error)}`],
      );
      const [seconds = '', resident = '', result = ''] = outcome;
      say(`${way}, ${LONG} pages with ${LIMIT_BYTES / 1024 ** 2} MB: ${result}`);
      rows.push([titles[way], seconds, resident, (limit.peakBytes() / 1e6).toFixed(0), result]);
    } finally {
      limit.remove();
    }
  }
  return table(
    [
      `${LONG} A4 pages, 300 dpi, colour, PNG, in ${LIMIT_BYTES / 1024 ** 2} MB`,
      's',
      'peak resident, MB',
      'peak with its files’ cache, MB',
      'wanted: completes',
    ],
    rows,
  );
}

/** Every second pixel of every second row: the noise stays. @returns its file */
async function smaller(file: string): Promise<string> {
  const { width, height, channels } = sheet;
  const out = `${file}.small`;
  const image = sharp(await readFile(file), { raw: { width, height, channels } });
  await writeFile(
    out,
    await image.resize({ width: small.width, height: small.height, kernel: 'nearest' }).raw().toBuffer(),
  );
  return out;
}
