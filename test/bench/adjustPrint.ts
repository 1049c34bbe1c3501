/** How much of small print is still read when it is 1-bit: by the plugin's threshold, and by a fixed one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Processor, RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import { table } from './numbers.js';

/** A page of 650 words in 12 points; drawn at 0.58 of its size it is of 7 points. */
const drawing = fileURLToPath(new URL('../../../plugins/ocr/samples/report', import.meta.url));
const SMALLER = 0.58;
const MIDDLE = 128;

/** What is done to the print: a pixel's value, and how far it is across the page. */
const papers: Readonly<Record<string, (value: number, across: number) => number>> = {
  'black on white': value => value,
  'pale: a third of the contrast': value => 250 - (255 - value) * 0.33,
  'brown paper': value => 25 + value * 0.45,
  'a shadow over two thirds of it': (value, across) => value * (0.3 + 0.7 * Math.min(1, across * 1.5)),
};

export async function printTable(color: Processor, say: (line: string) => void): Promise<string> {
  const text = await readFile(`${drawing}.txt`, 'utf8');
  const clean = await smallPage();
  const rows: string[][] = [];
  for (const [name, change] of Object.entries(papers)) {
    const data = Uint8Array.from(
      Uint8ClampedArray.from(clean.data, (value, i) => change(value, (i % clean.width) / clean.width) + grain()),
    );
    const page = { ...clean, data };
    const { page: bilevel } = await color.apply(
      page,
      { colorMode: 'BlackAndWhite' },
      { signal: new AbortController().signal },
    );
    const readings = [page, bilevel, { ...page, data: data.map(value => (value < MIDDLE ? 0 : 255)) }];
    const rates: string[] = [];
    for (const each of readings) rates.push(`${(100 * errorRate(await read(each), text)).toFixed(1)}%`);
    rows.push([name, ...rates]);
    say(`${name}: ${rates.join(', ')}`);
  }
  return table(
    [
      "7 points, 300 dpi, scanner's grain: signs that `tesseract` misreads",
      'grey',
      '1-bit, ours',
      '1-bit, fixed threshold',
    ],
    rows,
  );
}

async function smallPage(): Promise<RawPage> {
  const width = Math.round(2480 * SMALLER);
  const { data, info } = await sharp(`${drawing}.png`)
    .greyscale()
    .resize(width)
    .blur(0.6)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    kind: 'raw',
    sheet: 1,
    side: 'front',
    width,
    height: info.height,
    dpi: 300,
    pixels: 'gray8',
    stride: width,
    data,
  };
}

function grain(): number {
  return (Math.random() + Math.random() + Math.random() - 1.5) * 12;
}

async function read({ width, height, pixels, data }: RawPage): Promise<string> {
  // PBM and PGM: 1 is black in both this and a page's 1-bit pixels.
  const head = pixels === 'bw1' ? `P4\n${width} ${height}\n` : `P5\n${width} ${height}\n255\n`;
  const program = spawn('tesseract', ['stdin', 'stdout', '--dpi', '300'], { stdio: ['pipe', 'pipe', 'ignore'] });
  program.stdin.end(Buffer.concat([Buffer.from(head), data]));
  const pieces: Buffer[] = [];
  program.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  await once(program, 'close');
  return Buffer.concat(pieces).toString();
}

/** Signs to change, of those that there are; white space counts as one space. */
function errorRate(seen: string, wanted: string): number {
  const [a, b] = [wanted, seen].map(text => [...text.replace(/\s+/g, ' ').trim()]) as [string[], string[]];
  let row = b.map((_, i) => i + 1);
  a.forEach((sign, i) => {
    let [diagonal, left] = [i, i + 1];
    row = row.map((above, j) => {
      left = Math.min(above + 1, left + 1, diagonal + (sign === b[j] ? 0 : 1));
      diagonal = above;
      return left;
    });
  });
  return (row.at(-1) ?? a.length) / a.length;
}
