/** The invisible text of a PDF: where its words are, its bytes, and a searchable scan against `ocrmypdf`. */
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import adjust from '@platen/adjust';
import { drawnWords, lacking, pdfWords, shareInPlace, turnedWords } from '@platen/conformance';
import { type DocumentFormat, type DocumentPage, type RawPage, type Turn, type Word, turns } from '@platen/core/plugin';

import documentPdf from '@platen/document-pdf';
import sharp from 'sharp';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { dataFolder, drawing, drawSheet, startEngine } from './ocrRows.js';
import { documentOf, pagesOf, start } from './pdfRows.js';
import { stackName } from './plugin/stacks.js';
import { alternate, ratioOf, timed } from './rounds.js';
import { stacksOf, startServiceWith } from './service.js';

const run = promisify(execFile);

const PLACED_WANTED = 0.98;
const LAYER_WANTED = 3072;
const TIME_WANTED = 1;
/** Of the document against `ocrmypdf`. */
const PAGES = 20;
const DIFFERENT = 4;
const ROUNDS = 3;
/** Seconds a page: on a busy machine, its own three minutes would leave a page without text. */
const patient = ['--tesseract-timeout', '3600'];
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
  const { sides, close, assertSearchable } = await openSearchable(folder, PAGES, say);
  try {
    const times = await alternate(sides, { rounds: ROUNDS, title: 'scan and PDF, s', digits: 1, say });
    await assertSearchable();
    const ratio = ratioOf(times.ours, times.theirs);
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
          spell(spreadOf(times.ours), 1),
          spell(spreadOf(times.theirs), 1),
          spell(ratio, 2),
          verdict('≤', ratio.median, TIME_WANTED),
        ],
      ],
    );
  } finally {
    await close();
  }
}

export interface Searchable {
  /** Seconds of a scan as searchable PDF, and of `img2pdf` and `ocrmypdf` with its pages. */
  readonly sides: Readonly<Record<'ours' | 'theirs', () => Promise<number>>>;
  /** @throws unless the last PDFs have every page's words: a document without the text is made sooner */
  assertSearchable(): Promise<void>;
  close(): Promise<void>;
}

/** A service with scanned pages of text in color. */
export async function openSearchable(folder: string, pages: number, say: (line: string) => void): Promise<Searchable> {
  say('drawing pages of text in colour');
  const files: string[] = [];
  for (let number = 0; number < DIFFERENT; number++) {
    const { page } = await drawSheet(folder, number);
    const file = join(folder, `words-${number}.rgb`);
    const image = sharp(page.data, { raw: { width: page.width, height: page.height, channels: 1 } });
    await writeFile(file, await image.toColourspace('srgb').raw().toBuffer());
    files.push(file);
  }
  const driver = stacksOf({ files, stacks: [pages], hold: false });
  const service = await startServiceWith(folder, driver, {
    plugins: [{ use: '@platen/ocr', options: { engine: 'native' }, required: true }, { use: '@platen/document-pdf' }],
  });
  const pdf = { ours: join(folder, 'ours.pdf'), theirs: join(folder, 'theirs.pdf') };
  const scanned = async (): Promise<string> => {
    const id = await start(service, stackName(pages), true);
    await pipeline(await documentOf(service, id), createWriteStream(pdf.ours));
    return id;
  };
  const jpegs = await pagesOf(service, await scanned(), pages, await mkdtemp(join(folder, 'words-')));
  const tessdata = await sharedData(folder, await dataFolder(service.dataDir));
  return {
    sides: {
      ours: async () => (await timed(scanned)) / 1000,
      theirs: async () => (await ocrmypdf(jpegs, tessdata, join(folder, 'images.pdf'), pdf.theirs)) / 1000,
    },
    async assertSearchable() {
      for (const file of Object.values(pdf)) {
        const words = (await pdfWords(file)).map(each => each.length);
        if (words.length !== pages || words.some(each => each < 640 || each > 670))
          throw new Error(`${file} has ${words.join(', ')} words`);
      }
    },
    close: () => service.stop(),
  };
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

/** @returns milliseconds */
async function ocrmypdf(jpegs: readonly string[], tessdata: string, images: string, out: string): Promise<number> {
  const began = performance.now();
  // It takes a single image, or a PDF.
  await run('img2pdf', [...jpegs, '-o', images]);
  const jobs = String(availableParallelism());
  const options = ['--quiet', '-l', 'eng', '--jobs', jobs, '-O0', '--output-type', 'pdf', ...patient];
  await run('ocrmypdf', [...options, images, out], { env: { ...process.env, TESSDATA_PREFIX: tessdata } });
  const took = performance.now() - began;
  await rm(images);
  return took;
}
