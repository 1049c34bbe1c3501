/** Pages of text per minute, by both engines, against the program `tesseract` with the same data on the same pages. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OcrRecogniser, RawPage } from '@platen/core/plugin';
import ocr from '@platen/ocr';
import sharp from 'sharp';
import { spell, spreadOf, table } from './numbers.js';

const wanted = { native: 0.95, wasm: 0.5 } as const;
/**
 * Odd, so that the median is one of them; many short runs, so that other load on the machine affects all sides alike.
 */
const ROUNDS = 7;
/** A round's pages for each core. */
const PAGES = 2;

/** A4 at 300 dpi, 650 words in 12 points. */
export const drawing = fileURLToPath(new URL('../../../plugins/ocr/samples/report', import.meta.url));

export interface Sheet {
  readonly page: RawPage;
  /** The same pixels, for the program. */
  readonly file: string;
}

export async function ocrRows(folder: string, _files: readonly string[], say: (line: string) => void): Promise<string> {
  const cores = availableParallelism();
  const sheets: Sheet[] = [];
  say('drawing pages of text');
  for (let number = 0; number < PAGES * cores; number++) sheets.push(await drawSheet(folder, number));
  const text = await readFile(`${drawing}.txt`, 'utf8');
  const rows: string[][] = [];
  for (const places of cores > 1 ? [1, cores] : [1])
    rows.push(...(await rowsWith(places, sheets.slice(0, PAGES * places), text, folder, say)));
  return table(
    [
      "A4 pages of 650 words, 300 dpi, grey, scanner's noise",
      'engine, pages/min',
      '`tesseract`, pages/min',
      'ratio',
      'ratio of processor time',
      'wanted',
    ],
    rows,
  );
}

async function rowsWith(
  places: number,
  sheets: readonly Sheet[],
  text: string,
  folder: string,
  say: (line: string) => void,
): Promise<string[][]> {
  const { sides, close } = await openEngines(folder, places, sheets, text);
  const rounds: Round[] = [];
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      const order = Object.keys(sides) as (keyof Round)[];
      const one: Partial<Record<keyof Round, Taking>> = {};
      for (const side of round % 2 ? order : order.reverse()) one[side] = await sides[side]();
      rounds.push(one as Round);
      say(
        `${coresOf(places)}, round ${round} of ${ROUNDS}, pages/min: ${order.map(side => `${side} ${one[side]?.perMinute.toFixed(1)}`).join(', ')}`,
      );
    }
  } finally {
    await close();
  }
  return (['native', 'wasm'] as const).map(engine => row(engine, places, rounds));
}

export interface Engines {
  /** Each reads all sheets. @throws unless it reads their words */
  readonly sides: Readonly<Record<keyof Round, () => Promise<Taking>>>;
  close(): Promise<void>;
}

/**
 * Both engines, which have read a sheet, and the program with their data.
 * @param places pages at the same time
 * @param text what the sheets say
 */
export async function openEngines(
  folder: string,
  places: number,
  sheets: readonly Sheet[],
  text: string,
): Promise<Engines> {
  const [native, wasm] = [await startEngine('native', places, folder), await startEngine('wasm', places, folder)];
  const data = await dataFolder(folder);
  // Threads start with the first pages.
  for (const each of [native, wasm]) await Promise.all(sheets.slice(0, places).map(sheet => read(each, sheet)));
  return {
    sides: {
      program: () => take(sheets, async sheet => sameText(await runProgram(sheet.file, data), text), places),
      native: () => take(sheets, async sheet => sameText(await read(native, sheet), text)),
      wasm: () => take(sheets, async sheet => sameText(await read(wasm, sheet), text)),
    },
    close: async () => void (await Promise.all([native.close(), wasm.close()])),
  };
}

interface Taking {
  /** Pages. */
  readonly perMinute: number;
  /** Processor time of a page, in seconds: what other work on the machine changes least. */
  readonly processor: number;
}

interface Round {
  readonly program: Taking;
  readonly native: Taking;
  readonly wasm: Taking;
}

/** The ratio is the median of the rounds' ratios: what disturbs a round disturbs all its sides. */
function row(engine: keyof typeof wanted, places: number, rounds: readonly Round[]): string[] {
  const all = (side: keyof Round, what: keyof Taking) => spreadOf(rounds.map(each => each[side][what]));
  const ratio = spreadOf(rounds.map(each => each[engine].perMinute / each.program.perMinute));
  const processor = spreadOf(rounds.map(each => each.program.processor / each[engine].processor));
  const verdict = `≥ ${wanted[engine].toFixed(2)}: ${ratio.median >= wanted[engine] ? 'met' : 'missed'}`;
  return [
    `\`${engine}\`, ${coresOf(places)}`,
    spell(all(engine, 'perMinute'), 1),
    spell(all('program', 'perMinute'), 1),
    spell(ratio, 2),
    spell(processor, 2),
    verdict,
  ];
}

const coresOf = (places: number): string => (places === 1 ? 'one core' : `${places} cores`);

/** The drawing with soft edges, on paper that is not quite white, with noise of its own. */
export async function drawSheet(folder: string, number: number): Promise<Sheet> {
  const { width = 0, height = 0 } = await sharp(`${drawing}.png`).metadata();
  const noise = await sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 20, sigma: 8 } },
  })
    .raw()
    .toBuffer();
  const page = sharp(`${drawing}.png`).toColourspace('srgb').blur(0.7);
  const noisy = await page
    .composite([{ input: noise, raw: { width, height, channels: 3 }, blend: 'difference' }])
    .png()
    .toBuffer();
  const data = await sharp(noisy).toColourspace('b-w').raw().toBuffer();
  // As the service writes PNG.
  const file = join(folder, `text-${number}.png`);
  await sharp(data, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png({ compressionLevel: 2 })
    .withDensity(300)
    .toFile(file);
  return {
    page: {
      kind: 'raw',
      sheet: number + 1,
      side: 'front',
      width,
      height,
      dpi: 300,
      pixels: 'gray8',
      stride: width,
      data,
    },
    file,
  };
}

export async function startEngine(
  engine: keyof typeof wanted,
  workers: number,
  dataDir: string,
): Promise<{ recogniser: OcrRecogniser; close(): Promise<void> }> {
  const log = { debug() {}, info() {}, warn: say, error: say };
  const { recognisers, close } = await ocr.setup({
    options: { engine, languages: ['eng'], workers, pageSeconds: 600, program: 'tesseract' },
    log,
    dataDir,
  });
  return { recogniser: recognisers?.[0] as OcrRecogniser, close: async () => close?.() };
}

function say(line: string): void {
  console.error(line);
}

async function read({ recogniser }: { recogniser: OcrRecogniser }, { page }: Sheet): Promise<string> {
  const found = await recogniser.read(page, {}, { signal: new AbortController().signal });
  return typeof found === 'string' ? found : found.text;
}

/** @param places at the same time; all at once where the engine sees to it */
async function take(
  sheets: readonly Sheet[],
  work: (sheet: Sheet) => Promise<void>,
  places = sheets.length,
): Promise<Taking> {
  const left = [...sheets];
  const [begin, before] = [performance.now(), await processorSeconds()];
  await Promise.all(
    Array.from({ length: places }, async () => {
      for (let sheet = left.shift(); sheet; sheet = left.shift()) await work(sheet);
    }),
  );
  const ms = performance.now() - begin;
  return { perMinute: (sheets.length / ms) * 60_000, processor: ((await processorSeconds()) - before) / sheets.length };
}

/**
 * Of this process, its threads and its children that have ended; not a number where the system has no `/proc` (see
 * proc(5), `cutime`).
 */
async function processorSeconds(): Promise<number> {
  const { user, system } = process.cpuUsage();
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => '');
  const [cutime, cstime] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return (user + system) / 1e6 + ((cutime ?? NaN) + (cstime ?? NaN)) / 100;
}

/** The data as the plugin unpacked it for its own processes. */
export async function dataFolder(folder: string): Promise<string> {
  const [unpacked] = await readdir(join(folder, 'ocr'));
  return join(folder, 'ocr', unpacked ?? '');
}

async function runProgram(file: string, data: string): Promise<string> {
  const args = [file, 'stdout', '--tessdata-dir', data, '-l', 'eng', '--dpi', '300'];
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  return (await promisify(execFile)('tesseract', args, { env })).stdout;
}

/** An engine that reads something else is not faster. */
function sameText(read: string, wanted: string): void {
  const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);
  const there = new Set(words(read));
  const missing = words(wanted).filter(word => !there.has(word));
  if (missing.length > words(wanted).length * 0.02)
    throw new Error(`the page was misread: ${missing.slice(0, 5).join(' ')} …`);
}
