/** Pages of text per minute, by both engines, against the program `tesseract` with the same data on the same pages. */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OcrRecogniser, RawPage } from '@platen/core/plugin';
import ocr from '@platen/ocr';
import sharp from 'sharp';
import { spell, spreadOf, table } from './numbers.js';

const wanted = { native: 0.95, wasm: 0.5 } as const;
/** An odd number, so that the median is one of them. */
const ROUNDS = 3;
/** At least; each core gets two. */
const PAGES = 4;

/** A4 at 300 dpi, 650 words in 12 points. */
const drawing = fileURLToPath(new URL('../../../plugins/ocr/samples/report', import.meta.url));

interface Sheet {
  readonly page: RawPage;
  /** The same pixels, for the program. */
  readonly file: string;
}

export async function ocrRows(folder: string, _files: readonly string[], say: (line: string) => void): Promise<string> {
  const cores = availableParallelism();
  const sheets: Sheet[] = [];
  say('drawing pages of text');
  for (let number = 0; number < Math.max(PAGES, 2 * cores); number++) sheets.push(await drawSheet(folder, number));
  const text = await readFile(`${drawing}.txt`, 'utf8');

  const rows: string[][] = [];
  for (const places of cores > 1 ? [1, cores] : [1]) {
    const share = sheets.slice(0, Math.max(PAGES, 2 * places));
    const native = await startEngine('native', places, folder);
    const wasm = await startEngine('wasm', places, folder);
    const taken = { program: [] as number[], native: [] as number[], wasm: [] as number[] };
    try {
      const data = await dataFolder(folder);
      // Threads start with the first pages.
      for (const each of [native, wasm]) await Promise.all(share.slice(0, places).map(sheet => read(each, sheet)));
      for (let round = 1; round <= ROUNDS; round++) {
        taken.program.push(await perMinute(share, sheet => runProgram(sheet.file, data), places));
        taken.native.push(await perMinute(share, async sheet => sameText(await read(native, sheet), text)));
        taken.wasm.push(await perMinute(share, async sheet => sameText(await read(wasm, sheet), text)));
        say(`${coresOf(places)}, round ${round} of ${ROUNDS}: pages/min ${Object.entries(taken).map(([name, all]) => `${name} ${(all.at(-1) ?? NaN).toFixed(1)}`).join(', ')}`);
      }
    } finally {
      await Promise.all([native.close(), wasm.close()]);
    }
    for (const engine of ['native', 'wasm'] as const) rows.push(row(engine, places, spreadOf(taken[engine]), spreadOf(taken.program)));
  }
  return table([`A4 pages of 650 words, 300 dpi, grey, scanner's noise`, 'engine, pages/min', '`tesseract`, pages/min', 'ratio', 'wanted'], rows);
}

function row(engine: keyof typeof wanted, places: number, ours: ReturnType<typeof spreadOf>, theirs: ReturnType<typeof spreadOf>): string[] {
  const ratio = ours.median / theirs.median;
  return [`\`${engine}\`, ${coresOf(places)}`, spell(ours, 1), spell(theirs, 1), ratio.toFixed(2), `≥ ${wanted[engine].toFixed(2)}: ${ratio >= wanted[engine] ? 'met' : 'missed'}`];
}

const coresOf = (places: number): string => (places === 1 ? 'one core' : `${places} cores`);

/** The drawing with soft edges, on paper that is not quite white, with noise of its own. */
async function drawSheet(folder: string, number: number): Promise<Sheet> {
  const { width = 0, height = 0 } = await sharp(`${drawing}.png`).metadata();
  const noise = await sharp({ create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 20, sigma: 8 } } }).raw().toBuffer();
  const page = sharp(`${drawing}.png`).toColourspace('srgb').blur(0.7);
  const noisy = await page.composite([{ input: noise, raw: { width, height, channels: 3 }, blend: 'difference' }]).png().toBuffer();
  const data = await sharp(noisy).toColourspace('b-w').raw().toBuffer();
  const file = join(folder, `text-${number}.pgm`);
  await writeFile(file, Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]));
  return { page: { kind: 'raw', sheet: number + 1, side: 'front', width, height, dpi: 300, pixels: 'gray8', stride: width, data }, file };
}

async function startEngine(engine: keyof typeof wanted, workers: number, dataDir: string): Promise<{ recogniser: OcrRecogniser; close(): Promise<void> }> {
  const log = { debug() {}, info() {}, warn: say, error: say };
  const { recognisers, close } = await ocr.setup({ options: { engine, languages: ['eng'], workers, pageSeconds: 600, program: 'tesseract' }, log, dataDir });
  return { recogniser: recognisers?.[0] as OcrRecogniser, close: async () => close?.() };
}

function say(line: string): void {
  console.error(line);
}

function read({ recogniser }: { recogniser: OcrRecogniser }, { page }: Sheet): Promise<string> {
  return recogniser.read(page, {}, { signal: new AbortController().signal });
}

/** @param places at the same time; all at once where the engine sees to it */
async function perMinute(sheets: readonly Sheet[], work: (sheet: Sheet) => Promise<void>, places = sheets.length): Promise<number> {
  const left = [...sheets];
  const begin = performance.now();
  await Promise.all(Array.from({ length: places }, async () => {
    for (let sheet = left.shift(); sheet; sheet = left.shift()) await work(sheet);
  }));
  return (sheets.length / (performance.now() - begin)) * 60_000;
}

/** The data as the plugin unpacked it for its own processes. */
async function dataFolder(folder: string): Promise<string> {
  const [unpacked] = await readdir(join(folder, 'ocr'));
  return join(folder, 'ocr', unpacked ?? '');
}

async function runProgram(file: string, data: string): Promise<void> {
  const child = spawn('tesseract', [file, 'stdout', '--tessdata-dir', data, '-l', 'eng', '--dpi', '300'], { env: { ...process.env, OMP_THREAD_LIMIT: '1' }, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`tesseract ended with code ${String(code)}`);
}

/** An engine that reads something else is not faster. */
function sameText(read: string, wanted: string): void {
  const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);
  const there = new Set(words(read));
  const missing = words(wanted).filter(word => !there.has(word));
  if (missing.length > words(wanted).length * 0.02) throw new Error(`the page was misread: ${missing.slice(0, 5).join(' ')} …`);
}
