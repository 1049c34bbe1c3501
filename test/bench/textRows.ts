/** The invisible text of a PDF: where its words are, its bytes, and a searchable scan against `ocrmypdf`. */
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import adjust from '@platen/adjust';
import { drawnWords, lacking, pdfWords, shareInPlace, turnedWords } from '@platen/conformance';
import { type DocumentFormat, type DocumentPage, type RawPage, type Turn, type Word, turns } from '@platen/core/plugin';

import documentPdf from '@platen/document-pdf';
import sharp from 'sharp';
import { ask } from './ask.js';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { dataFolder, drawing, drawSheet, startEngine } from './ocrRows.js';
import { documentOf, start } from './pdfRows.js';
import { stackName } from './plugin/stacks.js';
import { stacksOf, startServiceWith, type Service } from './service.js';

const run = promisify(execFile);

const PLACED_WANTED = 0.98;
const LAYER_WANTED = 3072;
const TIME_WANTED = 1;
/** Of the document against `ocrmypdf`. */
const PAGES = 20;
const DIFFERENT = 4;
const ROUNDS = 3;
/** Degrees: what a feeder does to a sheet. */
const ASKEW = 1.5;

const call = { signal: new AbortController().signal };
const quiet = { debug() {}, info() {}, warn: console.error, error: console.error };
const missing = (): string[] => ['pdftotext', 'ocrmypdf', 'img2pdf', 'tesseract'].filter(each => lacking(each));

export async function textRows(
  folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  if (missing().length > 0) return `The rows of text need ${missing().join(', ')}.`;
  return [await placedRows(folder, say), await againstOcrmypdf(folder, say)].join('\n\n');
}

async function placedRows(folder: string, say: (line: string) => void): Promise<string> {
  const text = await readFile(`${drawing}.txt`, 'utf8');
  const engine = await startEngine('native', availableParallelism(), folder);
  const format = (await documentPdf.setup({ options: {}, log: quiet, dataDir: folder })).documents?.[0];
  if (!format) throw new Error('The plugin has no document format.');
  try {
    const { page } = await drawSheet(folder, 0);
    const pages = { '': page, ', deskewed': await deskewed(page) };
    const rows: string[][] = [];
    for (const [how, shown] of Object.entries(pages)) {
      const truth = drawnWords(shown, text);
      const found = await engine.recogniser.read(shown, {}, call);
      if (typeof found === 'string') throw new Error('The engine does not say where the words are.');
      const file = join(folder, 'placed.pdf');
      const sizes = await written(format, shown, found.words, turns, file);
      for (const [at, words] of (await pdfWords(file)).entries()) {
        const share = shareInPlace(words, turnedWords(truth, shown, turns[at]!));
        say(`turned by ${turns[at]}${how}: ${share.toFixed(4)} of the words in their places`);
        rows.push([`turned by ${turns[at]}°${how}`, share.toFixed(4), verdict('≥', share, PLACED_WANTED)]);
      }
      const plain = await written(format, shown, [], turns, file);
      const bytes = Math.round((sizes - plain) / turns.length);
      rows.push([`bytes of text a page${how}, with the fonts' share of a four-page document`, String(bytes), '']);
      const long = Array.from({ length: PAGES }, () => 0 as const);
      const layer = await written(format, shown, found.words, long, file);
      const each = (layer - (await written(format, shown, [], long, file))) / PAGES;
      rows.push([
        `the same of ${PAGES} pages${how}`,
        each.toFixed(0),
        `≤ ${LAYER_WANTED}: ${each <= LAYER_WANTED ? 'met' : 'missed'}`,
      ]);
    }
    return table(['A4 page of 650 words, 300 dpi, noise, by Tesseract', 'share or bytes', 'wanted'], rows);
  } finally {
    await engine.close();
  }
}

/** As a feeder skews it and the plugin straightens it. */
async function deskewed(page: RawPage): Promise<RawPage> {
  const { width, height } = page;
  const { data, info } = await sharp(page.data, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .rotate(ASKEW, { background: '#eee' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const options = { adjustments: ['deskew'], threads: 1 } as const;
  const { processors = [], close } = await adjust.setup({ options, log: quiet, dataDir: '/' });
  try {
    const askew = { ...page, width: info.width, height: info.height, stride: info.width, data };
    const { page: straight, applied } = await processors[0]!.apply(askew, { colorMode: 'Grayscale' }, call);
    if (!applied) throw new Error('The page was not deskewed.');
    return straight;
  } finally {
    await close?.();
  }
}

/** @returns bytes of the document */
async function written(
  format: DocumentFormat,
  raw: RawPage,
  words: readonly Word[],
  pages: readonly Turn[],
  file: string,
): Promise<number> {
  const { width, height, dpi } = raw;
  const jpeg = await sharp(raw.data, { raw: { width, height, channels: 1 } })
    .jpeg()
    .toBuffer();
  async function* all(): AsyncGenerator<DocumentPage, void> {
    for (const [at, turn] of pages.entries())
      yield {
        pageNumber: at + 1,
        width,
        height,
        dpi,
        mimeType: 'image/jpeg',
        size: jpeg.length,
        turn,
        words,
        barcodes: [],
        async *read() {
          yield jpeg;
        },
        pixels: async () => raw,
      };
  }
  await pipeline(format.write(all(), { createdAt: 0, barcodes: false }, call), createWriteStream(file));
  return (await stat(file)).size;
}

async function againstOcrmypdf(folder: string, say: (line: string) => void): Promise<string> {
  say('drawing pages of text in colour');
  const files: string[] = [];
  for (let number = 0; number < DIFFERENT; number++) {
    const { page } = await drawSheet(folder, number);
    const file = join(folder, `words-${number}.rgb`);
    const image = sharp(page.data, { raw: { width: page.width, height: page.height, channels: 1 } });
    await writeFile(file, await image.toColourspace('srgb').raw().toBuffer());
    files.push(file);
  }
  const driver = stacksOf({ files, stacks: [PAGES], hold: false });
  const service = await startServiceWith(folder, driver, {
    plugins: [{ use: '@platen/ocr', options: { engine: 'native' }, required: true }, { use: '@platen/document-pdf' }],
  });
  try {
    const times = { ours: [] as number[], theirs: [] as number[] };
    const [ours, theirs] = [join(folder, 'ours.pdf'), join(folder, 'theirs.pdf')];
    let jpegs: readonly string[] | undefined;
    const tessdata = await sharedData(folder, await dataFolder(service.dataDir));
    for (let round = 1; round <= ROUNDS; round++) {
      const began = performance.now();
      const id = await start(service, stackName(PAGES), true);
      await pipeline(await documentOf(service, id), createWriteStream(ours));
      times.ours.push(performance.now() - began);
      jpegs ??= await pagesOf(service, id, folder);
      times.theirs.push(await ocrmypdf(jpegs, tessdata, join(folder, 'images.pdf'), theirs));
      const [mine, other] = [times.ours.at(-1)!, times.theirs.at(-1)!];
      say(
        `round ${round} of ${ROUNDS}, s: scan and PDF ${(mine / 1000).toFixed(1)}, ocrmypdf ${(other / 1000).toFixed(1)}`,
      );
    }
    for (const file of [ours, theirs]) await assertSearchable(file);
    const ratio = spreadOf(times.ours.map((each, at) => each / times.theirs[at]!));
    const seconds = (all: readonly number[]): string => spell(spreadOf(all.map(each => each / 1000)), 1);
    return table(
      [
        `${PAGES} A4 pages of 650 words, 300 dpi, colour, JPEG, as searchable PDF`,
        'service',
        'ocrmypdf',
        'ratio',
        'wanted',
      ],
      [
        [
          's, the scan included',
          seconds(times.ours),
          seconds(times.theirs),
          spell(ratio, 2),
          verdict('≤', ratio.median, TIME_WANTED),
        ],
      ],
    );
  } finally {
    await service.stop();
  }
}

/** The service's language data in a folder as the program `tesseract` wants it: with its own configurations. */
async function sharedData(folder: string, data: string): Promise<string> {
  const { stdout } = await run('tesseract', ['--list-langs']);
  const own = /"(.+)"/.exec(stdout)?.[1];
  if (own === undefined) throw new Error('tesseract does not say where its data is');
  const shared = join(folder, 'tessdata');
  await mkdir(shared);
  for (const name of ['configs', 'tessconfigs', 'pdf.ttf']) await symlink(join(own, name), join(shared, name));
  await symlink(join(data, 'eng.traineddata'), join(shared, 'eng.traineddata'));
  return shared;
}

async function pagesOf({ port }: Service, id: string, folder: string): Promise<string[]> {
  const agent = new Agent({ keepAlive: true });
  try {
    const files: string[] = [];
    for (let page = 1; page <= PAGES; page++) {
      const file = join(folder, `words-${page}.jpg`);
      await pipeline(await ask({ port, path: `/api/scans/${id}/pages/${page}`, agent }), createWriteStream(file));
      files.push(file);
    }
    return files;
  } finally {
    agent.destroy();
  }
}

/** @returns milliseconds */
async function ocrmypdf(jpegs: readonly string[], tessdata: string, images: string, out: string): Promise<number> {
  const began = performance.now();
  // It takes a single image, or a PDF.
  await run('img2pdf', [...jpegs, '-o', images]);
  const jobs = String(availableParallelism());
  const options = ['--quiet', '-l', 'eng', '--jobs', jobs, '-O0', '--output-type', 'pdf'];
  await run('ocrmypdf', [...options, images, out], { env: { ...process.env, TESSDATA_PREFIX: tessdata } });
  const took = performance.now() - began;
  await rm(images);
  return took;
}

/** A document without the text is made sooner. */
async function assertSearchable(file: string): Promise<void> {
  const pages = await pdfWords(file);
  const words = pages.map(each => each.length);
  if (words.length !== PAGES || words.some(each => each < 640 || each > 670))
    throw new Error(`${file} has ${words.join(', ')} words`);
}
