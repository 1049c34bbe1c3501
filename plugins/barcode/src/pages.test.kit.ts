/** Composes pages for tests: codes drawn by zxing's writer, in millimetres, among strokes that resemble text. */
import type { Pixels, RawPage, Symbology } from '@platen/core/plugin';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { prepareZXingModule, writeBarcode, type WriterOptions } from 'zxing-wasm/writer';

const wasm = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

export interface Code {
  readonly symbology: Symbology;
  readonly text: string;
  /** Of the code's centre, on the page. */
  readonly x: number;
  readonly y: number;
  /** Clockwise, in degrees. */
  readonly angle?: number;
  /** The width of a module; linear codes are 12 mm high. */
  readonly module?: number;
  readonly ink?: string;
  readonly ground?: string;
  /** Rows of `#` and `.` instead of what the writer draws. */
  readonly modules?: readonly string[];
}

export interface Sheet {
  readonly codes?: readonly Code[];
  readonly dpi?: number;
  readonly width?: number;
  readonly height?: number;
  readonly pixels?: Pixels;
  /** Skew of the whole sheet, in degrees. */
  readonly skew?: number;
  /** Standard deviation of the scanner's noise, in grey levels. */
  readonly grain?: number;
  /** The grey levels of ink and paper. */
  readonly black?: number;
  readonly white?: number;
  /** Rows of strokes between the codes. */
  readonly text?: boolean;
  /** More SVG, in millimetres, below the codes and above them. */
  readonly svg?: string;
  readonly over?: string;
}

const writerFormat: Readonly<Record<Symbology, WriterOptions['format']>> = {
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
} as Record<Symbology, NonNullable<WriterOptions['format']>>;

/** One of each, as it is printed below the bars. */
export const texts: Readonly<Record<Symbology, string>> = {
  Code128: 'DN-2026-00917',
  Code39: 'PALLET-07',
  Code93: 'BIN 4C-118',
  Codabar: 'A40156B',
  Itf: '15400141288763',
  Ean13: '4006381333931',
  Ean8: '96385074',
  UpcA: '036000291452',
  UpcE: '01234565',
  QrCode: 'https://track.example/DN-2026-00917',
  DataMatrix: 'LOT 0226-B / SN 48812',
  Aztec: 'GATE 12 BAY 3',
  Pdf417: 'SHIP TO: ASHGROVE, BURLINGTON VT; 3 CARTONS',
};

export const everyFormat = Object.keys(texts) as Symbology[];

/** All thirteen, in two columns down a page of 210 x 297 mm, or a lower one with less than 40 mm from row to row. */
export function allCodes(look: Partial<Code> = {}, pitch = 40): Code[] {
  return everyFormat.map((symbology, i) => ({
    symbology,
    text: texts[symbology],
    x: i % 2 === 0 ? 55 : 150,
    y: 25 + Math.floor(i / 2) * pitch,
    ...look,
  }));
}

/** All thirteen, closer together on a sheet of two thirds of the height: there is less to read. */
export function closeCodes(look: Partial<Code> = {}): Pick<Sheet, 'codes' | 'height'> {
  return { codes: allCodes(look, 24), height: 194 };
}

/** A sample document of the virtual scanner, in colour at 200 dpi. */
export async function sampleDocument(name: string): Promise<RawPage> {
  const { data, info } = await sharp(
    fileURLToPath(new URL(`../../../drivers/virtual/samples/${name}`, import.meta.url)),
  )
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { kind: 'raw', sheet: 1, side: 'front', width, height, dpi: 200, pixels: 'rgb24', stride: width * 3, data };
}

export async function sheet(wishes: Sheet): Promise<RawPage> {
  const {
    codes = [],
    dpi = 300,
    pixels = 'gray8',
    skew = 0,
    grain = 1.5,
    black = 25,
    white = 245,
    text = true,
    svg = '',
    over = '',
  } = wishes;
  const [wide, high] = [wishes.width ?? 210, wishes.height ?? 297];
  const [width, height] = [Math.round((wide / 25.4) * dpi), Math.round((high / 25.4) * dpi)];
  const drawn = await Promise.all(codes.map(draw));
  const lines = text ? strokes(wide, high) : '';
  const body = `<rect width="${wide}" height="${high}" fill="#fff"/><g transform="rotate(${skew} ${wide / 2} ${high / 2})">${lines}${svg}${drawn.join('')}${over}</g>`;
  const image = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${wide} ${high}">${body}</svg>`;
  const drawing = sharp(Buffer.from(image))
    .flatten({ background: '#fff' })
    .blur(Math.max(0.4, dpi / 500))
    .toColourspace('b-w')
    .raw();
  const grey = scanned(new Uint8Array(await drawing.toBuffer()), grain, black, white);
  return {
    kind: 'raw',
    sheet: 1,
    side: 'front',
    width,
    height,
    dpi,
    ...packed(grey, width, height, pixels, (black + white) / 2),
  };
}

async function draw({
  symbology,
  text,
  x,
  y,
  angle = 0,
  module = linear(symbology) ? 0.33 : 0.5,
  ink = '#000',
  ground = '#fff',
  modules,
}: Code): Promise<string> {
  const symbol = modules ? symbolOf(modules) : await written(symbology, text);
  const rows = linear(symbology) ? 1 : symbol.height;
  const row = linear(symbology) ? 12 : module;
  let path = '';
  for (let top = 0; top < rows; top++) {
    for (let left = 0, end = 0; left < symbol.width; left = end) {
      const dark = symbol.data[top * symbol.width + left] === 0;
      while (end < symbol.width && (symbol.data[top * symbol.width + end] === 0) === dark) end++;
      if (dark) path += `M${left * module} ${top * row}h${(end - left) * module}v${row}h${(left - end) * module}z`;
    }
  }
  const [w, h, quiet] = [symbol.width * module, rows * row, (linear(symbology) ? 10 : 4) * module];
  const place = `translate(${x} ${y}) rotate(${angle}) translate(${-w / 2} ${-h / 2})`;
  return `<g transform="${place}"><rect x="${-quiet}" y="${-quiet / 2}" width="${w + 2 * quiet}" height="${h + quiet}" fill="${ground}"/><path fill="${ink}" d="${path}"/></g>`;
}

interface Symbol {
  readonly width: number;
  readonly height: number;
  /** 0 is dark. */
  readonly data: ArrayLike<number>;
}

async function written(symbology: Symbology, text: string): Promise<Symbol> {
  const options = symbology === 'Pdf417' ? 'columns=4' : '';
  const { symbol, error } = await writeBarcode(text, {
    format: writerFormat[symbology],
    scale: 1,
    addQuietZones: false,
    addHRT: false,
    options,
  } as WriterOptions);
  if (error) throw new Error(`${symbology} ${text}: ${error}`);
  return symbol;
}

function symbolOf(modules: readonly string[]): Symbol {
  const data = [...modules.join('')].map(each => (each === '#' ? 0 : 1));
  return { width: modules[0]!.length, height: modules.length, data };
}

function linear(symbology: Symbology): boolean {
  return !['QrCode', 'DataMatrix', 'Aztec', 'Pdf417'].includes(symbology);
}

/** Strokes instead of letters, which would need a font. */
function strokes(wide: number, high: number): string {
  const random = dice(5);
  let path = '';
  for (let y = 12; y < high - 10; y += 5.2)
    for (let x = 15; x < wide - 15; x += 1.8)
      if (random() > 0.17)
        path += `M${x} ${y}v-${(1.5 + random()).toFixed(2)}M${x} ${y - 1}q.6 -${random().toFixed(2)} 1.2 0`;
  return `<path d="${path}" fill="none" stroke="#222" stroke-width=".3"/>`;
}

/** With the scanner's noise. The numbers are those of `dice(1)`, written out: millions of calls took half of the tests' time. */
function scanned(drawing: Uint8Array, grain: number, black: number, white: number): Uint8Array {
  const levels = new Uint8ClampedArray(drawing.length);
  let state = 1;
  for (let i = 0; i < levels.length; i++) {
    let thrown = 0;
    for (let times = 0; times < 3; times++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      thrown += (state >>> 0) / 2 ** 32;
    }
    levels[i] = black + (drawing[i]! * (white - black)) / 255 + (thrown - 1.5) * 2 * grain;
  }
  return new Uint8Array(levels.buffer);
}

function packed(
  grey: Uint8Array,
  width: number,
  height: number,
  pixels: Pixels,
  threshold: number,
): Pick<RawPage, 'pixels' | 'stride' | 'data'> {
  if (pixels === 'gray8') return { pixels, stride: width, data: grey };
  if (pixels === 'rgb24') {
    const data = new Uint8Array(grey.length * 3);
    for (let i = 0; i < grey.length; i++) data.fill(grey[i]!, i * 3, i * 3 + 3);
    return { pixels, stride: width * 3, data };
  }
  const stride = Math.ceil(width / 8);
  const data = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (grey[y * width + x]! < threshold) data[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  return { pixels, stride, data };
}

/** Numbers from 0 to 1 that are the same in every run (a linear congruential generator, Numerical Recipes). */
export function dice(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
