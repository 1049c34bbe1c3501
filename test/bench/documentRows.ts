/** The PDF writer by itself: against img2pdf, against libtiff's G4, and its memory. `pdfRows` has the whole service. */
import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lacking } from '@platen/conformance';
import { toBilevelTiff, type DocumentPage, type RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { jpegPages, writePdf } from './plugin/writePdf.js';
import { sheet } from './sheets.js';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./plugin/writePdf.js', import.meta.url));
/** A4 at 300 dpi, 650 words in 12 points. */
const drawing = fileURLToPath(new URL('../../../plugins/ocr/samples/report.png', import.meta.url));

const PAGES = 20;
const ROUNDS = 7;
const [SHORT, LONG] = [40, 1000];
const wanted = { time: 1, size: 1.02, memory: 1.1 } as const;

type Say = (line: string) => void;

export async function documentRows(folder: string, files: readonly string[], say: Say): Promise<string> {
  say('encoding JPEG pages');
  const jpegs: string[] = [];
  for (const [i, file] of files.slice(0, PAGES).entries()) {
    const { width, height, channels } = sheet;
    const path = join(folder, `document-${i + 1}.jpg`);
    await sharp(await readFile(file), { raw: { width, height, channels } })
      .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
      .toFile(path);
    jpegs.push(path);
  }
  const pages = Array.from({ length: PAGES }, (_, i) => jpegs[i % jpegs.length]!);
  const tables = [
    await againstImg2pdf(folder, pages, say),
    await againstLibtiff(folder, say),
    await memory(folder, pages, say),
  ];
  await Promise.all(jpegs.map(path => rm(path)));
  return tables.join('\n\n');
}

async function againstImg2pdf(folder: string, jpegs: readonly string[], say: Say): Promise<string> {
  if (lacking('img2pdf')) return 'The rows of JPEG pages as PDF need img2pdf (Debian: img2pdf).';
  const [ours, theirs] = [join(folder, 'own.pdf'), join(folder, 'img2pdf.pdf')];
  const sides = {
    inProcess: () => writePdf(jpegPages(jpegs), ours),
    asProgram: () => run(process.execPath, [program, ours, String(PAGES), ...jpegs]),
    img2pdf: () => run('img2pdf', [...jpegs, '-o', theirs]),
  };
  const names = Object.keys(sides) as (keyof typeof sides)[];
  const rounds: Record<keyof typeof sides, number>[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const one = { inProcess: 0, asProgram: 0, img2pdf: 0 };
    for (const name of round % 2 ? names : names.toReversed()) {
      const began = performance.now();
      await sides[name]();
      one[name] = performance.now() - began;
    }
    // The first one fills the file cache.
    if (round > 0) rounds.push(one);
    say(`${PAGES} JPEG pages, ms: ${names.map(name => `${name} ${one[name].toFixed(0)}`).join(', ')}`);
  }
  const [size, other] = [(await stat(ours)).size, (await stat(theirs)).size];
  await Promise.all([ours, theirs].map(path => rm(path)));
  const msOf = (name: keyof typeof sides): string => spell(spreadOf(rounds.map(each => each[name])));
  const row = (name: string, side: keyof typeof sides, isWanted: boolean): string[] => {
    const ratio = spreadOf(rounds.map(each => each[side] / each.img2pdf));
    return [
      name,
      msOf(side),
      msOf('img2pdf'),
      spell(ratio, 2),
      isWanted ? verdict('≤', ratio.median, wanted.time) : '',
    ];
  };
  return table(
    [`${PAGES} A4 pages, 300 dpi, colour, JPEG, as PDF`, 'writer', '`img2pdf`', 'ratio', 'wanted'],
    [
      row('ms, in a process that runs', 'inProcess', true),
      row('ms, as a program of its own, which starts', 'asProgram', false),
      ['bytes', String(size), String(other), (size / other).toFixed(4), verdict('≤', size / other, wanted.size)],
    ],
  );
}

/** Text as a scanner sees it: soft edges, noise, then a threshold. */
async function bilevelPage(number: number): Promise<RawPage> {
  const { width = 0, height = 0 } = await sharp(drawing).metadata();
  const noise = await sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 20, sigma: 8 } },
  })
    .raw()
    .toBuffer();
  const noisy = await sharp(drawing)
    .toColourspace('srgb')
    .blur(0.7)
    .composite([{ input: noise, raw: { width, height, channels: 3 }, blend: 'difference' }])
    .png()
    .toBuffer();
  const grey = await sharp(noisy).toColourspace('b-w').raw().toBuffer();
  const stride = Math.ceil(width / 8);
  const data = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (grey[y * width + x]! < 128) data[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  return { kind: 'raw', sheet: number, side: 'front', width, height, dpi: sheet.dpi, pixels: 'bw1', stride, data };
}

async function againstLibtiff(folder: string, say: Say): Promise<string> {
  const path = join(folder, 'bilevel.pdf');
  const pages: RawPage[] = [];
  let theirs = 0;
  for (let number = 1; number <= PAGES; number++) {
    const page = await bilevelPage(number);
    const file = sharp(toBilevelTiff(page)).toColourspace('b-w');
    theirs += (await file.tiff({ compression: 'ccittfax4', bitdepth: 1, miniswhite: true }).toBuffer()).length;
    pages.push(page);
  }
  const rows: string[][] = [];
  for (const count of [1, PAGES]) {
    await writePdf(rawPages(pages.slice(0, count)), path);
    const [own, other] = [(await stat(path)).size / count, theirs / PAGES];
    const ratio = (own / other).toFixed(3);
    rows.push([
      `document of ${count}`,
      own.toFixed(0),
      other.toFixed(0),
      ratio,
      verdict('≤', own / other, wanted.size),
    ]);
    say(`1-bit, ${count} pages: ${own.toFixed(0)} bytes a page, libtiff ${other.toFixed(0)}`);
  }
  await rm(path);
  const head = ['1-bit A4 page of 650 words, 300 dpi, bytes a page', 'PDF', 'TIFF, G4, by libtiff', 'ratio', 'wanted'];
  return table(head, rows);
}

async function* rawPages(pages: readonly RawPage[]): AsyncGenerator<DocumentPage, void> {
  for (const [i, page] of pages.entries()) {
    const { width, height, dpi } = page;
    yield {
      pageNumber: i + 1,
      width,
      height,
      dpi,
      mimeType: 'image/tiff',
      size: 1,
      turn: 0,
      words: [],
      barcodes: [],
      async *read() {
        yield Buffer.alloc(1);
      },
      pixels: async () => page,
    };
  }
}

async function memory(folder: string, jpegs: readonly string[], say: Say): Promise<string> {
  const out = join(folder, 'memory.pdf');
  const peaks: number[] = [];
  for (const count of [SHORT, LONG]) {
    const { stdout } = await run(process.execPath, [program, out, String(count), ...jpegs]);
    peaks.push(Number(stdout) / 1e6);
    await rm(out);
    say(`writer, ${count} pages: ${peaks.at(-1)!.toFixed(0)} MB`);
  }
  const ratio = peaks[1]! / peaks[0]!;
  return table(
    ['the writer alone, A4 pages, 300 dpi, JPEG', `${SHORT} pages, MB`, `${LONG} pages, MB`, 'ratio', 'wanted'],
    [['peak memory', peaks[0]!.toFixed(0), peaks[1]!.toFixed(0), ratio.toFixed(2), verdict('≤', ratio, wanted.memory)]],
  );
}
