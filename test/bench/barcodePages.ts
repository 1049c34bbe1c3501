/** The barcode benchmark's pages: codes with known texts on pages of text, and pages on which there is no code. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RawPage, Symbology } from '@platen/core/plugin';
import sharp from 'sharp';
import { prepareZXingModule, writeBarcode, type WriterOptions } from 'zxing-wasm/writer';

const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

/** A4, in millimetres. */
const paper = { width: 210, height: 297 } as const;

export interface Look {
  readonly dpi: number;
  readonly bilevel?: boolean;
  /** Standard deviation of the scanner's grain, in grey levels. */
  readonly grain?: number;
  readonly black?: number;
  readonly white?: number;
  /** The sheet's, in degrees. */
  readonly skew?: number;
  /** The codes': one angle for all, or any. */
  readonly turn?: number | 'any';
  readonly ink?: string;
  readonly ground?: string;
}

export interface Truth {
  readonly symbology: Symbology;
  readonly text: string;
}

export type Dice = () => number;

/**
 * All thirteen, with other texts for each seed, down two columns of a page of text. Codes that are turned need more
 * room:
 * the first seven for an odd seed, the other six for an even one.
 */
export async function codePage(seed: number, look: Look): Promise<{ page: RawPage; truth: Truth[] }> {
  const random = dice(seed);
  const shown = look.turn === undefined ? symbologies : seed % 2 ? symbologies.slice(0, 7) : symbologies.slice(7);
  const pitch = look.turn === undefined ? 39.5 : 72;
  const truth = shown.map(symbology => ({ symbology, text: textFor(symbology, random) }));
  const drawn = await Promise.all(
    truth.map(async (each, i) => {
      const angle = look.turn === 'any' ? random() * 360 : (look.turn ?? 0);
      const { path, width, height, quiet } = await bars(each, linear(each.symbology) ? 0.33 : 0.5);
      const ground = `<rect x="${-quiet}" y="${-quiet / 2}" width="${width + 2 * quiet}" height="${height + quiet}" fill="${look.ground ?? '#fff'}"/>`;
      return `<g transform="translate(${i % 2 ? 155 : 55} ${(look.turn === undefined ? 30 : 40) + Math.floor(i / 2) * pitch}) rotate(${angle}) translate(${-width / 2} ${-height / 2})">${ground}<path fill="${look.ink ?? '#000'}" d="${path}"/></g>`;
    }),
  );
  return { page: await scan(text(random, 3.5) + drawn.join(''), look, seed), truth };
}

/** Pages without a code. `bars` are groups of random bars, the worst case for a reader. */
export const codeless = {
  text: (random: Dice) => text(random, pick(random, [2, 2.8, 3.5, 5])),
  tables: (random: Dice) => tables(random),
  photos: () => photo,
  noise: () => '<rect width="210" height="297" fill="#808080"/>',
  bars: (random: Dice) => groups(random),
} satisfies Record<string, (random: Dice) => string>;
export type Codeless = keyof typeof codeless;

export async function codelessPage(kind: Codeless, seed: number, look: Look): Promise<RawPage> {
  const random = dice(seed);
  const skew = pick(random, [0, 0, 90, 1.5, -3]);
  return scan(
    codeless[kind](random),
    kind === 'noise' ? { ...look, grain: pick(random, [20, 60, 90]), black: 60, white: 190 } : { skew, ...look },
    seed,
  );
}

export async function scan(
  body: string,
  { dpi, bilevel = false, grain = 3, black = 25, white = 245, skew = 0 }: Look,
  seed: number,
): Promise<RawPage> {
  const [width, height] = [Math.round((paper.width / 25.4) * dpi), Math.round((paper.height / 25.4) * dpi)];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 210 297"><rect width="210" height="297" fill="#fff"/><g transform="rotate(${skew} 105 148)">${body}</g></svg>`;
  const drawing = await sharp(Buffer.from(svg), { unlimited: true })
    .flatten({ background: '#fff' })
    .blur(Math.max(0.5, dpi / 500))
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const random = dice(seed);
  const grey = new Uint8ClampedArray(drawing.length);
  for (let i = 0; i < grey.length; i++)
    grey[i] = black + (drawing[i]! * (white - black)) / 255 + (random() + random() + random() - 1.5) * 2 * grain;
  const facts = { kind: 'raw', sheet: 1, side: 'front', width, height, dpi } as const;
  if (!bilevel) return { ...facts, pixels: 'gray8', stride: width, data: new Uint8Array(grey.buffer) };
  const stride = Math.ceil(width / 8);
  const data = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (grey[y * width + x]! < (black + white) / 2) data[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  return { ...facts, pixels: 'bw1', stride, data };
}

const words =
  'the invoice of balance total amount delivery quantity illness minimum unit price ill number hill tax per cent date 4471 0098 111 1100 kilogram Illinois'.split(
    ' ',
  );
const faces = ['Liberation Serif', 'Liberation Sans', 'DejaVu Sans', 'Lato', 'Liberation Mono'];

export function text(random: Dice, size: number): string {
  const face = pick(random, faces);
  let lines = '';
  for (let y = 15; y < 285; y += size * 1.35) {
    let line = '';
    while (line.length * size * 0.5 < 165) line += `${pick(random, words)} `;
    lines += `<text x="15" y="${y}" font-family="${face}" font-size="${size}">${line}</text>`;
  }
  return lines;
}

function tables(random: Dice): string {
  const row = pick(random, [4, 6, 9]);
  let cells = '';
  for (let y = 20; y < 280; y += row) {
    cells += `<path d="M15 ${y}H195" stroke="#000" stroke-width="${pick(random, [0.1, 0.2, 0.5])}"/>`;
    for (let x = 17; x < 190; x += 22)
      cells += `<text x="${x}" y="${y + row * 0.7}" font-family="Liberation Sans" font-size="${row * 0.55}">${pick(random, ['1,110.00', '11 111', 'III', '0.1', 'lll', '||', digits(random, 5)])}</text>`;
  }
  for (let x = 15; x < 196; x += 22)
    cells += `<path d="M${x} 20V280" stroke="#000" stroke-width="${pick(random, [0.1, 0.3, 0.6])}"/>`;
  return cells;
}

const photoFile = fileURLToPath(new URL('../../../drivers/virtual/samples/photo.jpg', import.meta.url));
const photo = `<image width="210" height="297" preserveAspectRatio="none" href="data:image/jpeg;base64,${readFileSync(photoFile).toString('base64')}"/>`;

function groups(random: Dice): string {
  let rects = '';
  for (let group = 0; group < 12; group++) {
    const [left, top, regular, width] = [
      15 + (group % 3) * 62,
      15 + Math.floor(group / 3) * 68,
      random() < 0.4,
      pick(random, [0.3, 0.5, 0.8]),
    ];
    for (let x = left; x < left + 50;) {
      const [bar, gap] = regular ? [width, width] : [0.2 + random() * 1.2, 0.2 + random() * 1.2];
      rects += `<rect x="${x}" y="${top}" width="${bar}" height="40"/>`;
      x += bar + gap;
    }
  }
  return rects;
}

const written = {
  Code128: 'Code128',
  Code39: 'Code39',
  Code93: 'Code93',
  Codabar: 'Codabar',
  Itf: 'ITF',
  Ean13: 'EAN13',
  Ean8: 'EAN8',
  UpcA: 'UPCA',
  UpcE: 'UPCE',
  QrCode: 'QRCode',
  DataMatrix: 'DataMatrix',
  Aztec: 'Aztec',
  Pdf417: 'PDF417',
} as const satisfies Record<Symbology, WriterOptions['format']>;
export const symbologies = Object.keys(written) as Symbology[];

export function linear(symbology: Symbology): boolean {
  return symbologies.indexOf(symbology) < 9;
}

/** One byte for each module, 1 is dark; linear codes have one row. The quiet zone is not included. */
export async function modulesOf({
  symbology,
  text: content,
}: Truth): Promise<{ modules: Uint8Array; columns: number; rows: number; quiet: number }> {
  const options = symbology === 'Pdf417' ? 'columns=4' : '';
  const { symbol, error } = await writeBarcode(content, {
    format: written[symbology],
    scale: 1,
    addQuietZones: false,
    addHRT: false,
    options,
  });
  if (error) throw new Error(`${symbology} ${content}: ${error}`);
  const rows = linear(symbology) ? 1 : symbol.height;
  const modules = Uint8Array.from({ length: symbol.width * rows }, (_, i) => (symbol.data[i] === 0 ? 1 : 0));
  return { modules, columns: symbol.width, rows, quiet: linear(symbology) ? 10 : 4 };
}

export async function bars(
  code: Truth,
  module: number,
): Promise<{ path: string; width: number; height: number; quiet: number }> {
  const { modules, columns, rows, quiet } = await modulesOf(code);
  const row = linear(code.symbology) ? 12 : module;
  let path = '';
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++)
      if (modules[y * columns + x])
        path += `M${x * module} ${y * row}h${module * 1.002}v${row * 1.002}h${-module * 1.002}z`;
  }
  return { path, width: columns * module, height: rows * row, quiet: quiet * module };
}

export function textFor(symbology: Symbology, random: Dice): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';
  const some = (count: number) => Array.from({ length: count }, () => pick(random, [...letters])).join('');
  switch (symbology) {
    case 'Codabar':
      return `A${digits(random, 8)}B`;
    case 'Itf':
      return digits(random, 10);
    case 'Ean13':
      return checked(`4${digits(random, 11)}`);
    case 'Ean8':
      return checked(digits(random, 7));
    case 'UpcA':
      return checked(digits(random, 11));
    case 'UpcE':
      return '01234565';
    case 'Code39':
    case 'Code93':
    case 'Code128':
      return some(9);
    default:
      return `ID ${some(20)}`;
  }
}

/** Others may give UPC codes as the EAN-13 that they stand for. */
export function sameText(text: string, { text: expected }: Truth): boolean {
  return text === expected || text === `0${expected}` || (expected === '01234565' && /^0?012345000065$/.test(text));
}

/** With its check digit, modulo 10, weights 3 and 1 from the right (GS1 General Specifications, 7.9). */
function checked(number: string): string {
  const sum = [...number].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 1 : 3), 0);
  return number + ((10 - (sum % 10)) % 10);
}

function digits(random: Dice, count: number): string {
  return Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
}

export function pick<T>(random: Dice, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

/** Numbers from 0 to 1 that are the same in every run (a linear congruential generator, Numerical Recipes). */
export function dice(seed: number): Dice {
  let state = Math.imul(seed + 1, 2654435761);
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
