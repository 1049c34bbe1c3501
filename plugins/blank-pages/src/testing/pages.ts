/** Pages drawn as scanners deliver them: paper, what shines through, shadows, grain, gamma, JPEG, three kinds of pixels. */
import type { Pixels, RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import { shading } from './artefacts.js';
import { dice, type Dice } from './drawing.js';

export type Colour = readonly [number, number, number];

/** A sheet, in millimetres, and how it is scanned. */
export interface Scanning {
  readonly seed: number;
  readonly wide: number;
  readonly high: number;
  readonly dpi: number;
  readonly pixels: Pixels;
  readonly paper: Colour;
  /** SVG on the sheet: what is printed on it, and what belongs to it. */
  readonly front: string;
  /** SVG of the other side, which shines through, with its strength from 0 to 1 and its blur in millimetres. */
  readonly back?: { readonly svg: string; readonly strength: number; readonly blur: number };
  /** SVG that does not turn with the sheet. */
  readonly scanner?: string;
  /** Degrees; the corners show the background, or paper if there is none. */
  readonly skew?: number;
  /** The scanner's background, and how much of it shows on each side, in millimetres. */
  readonly background?: { readonly tone: number; readonly margin: readonly [number, number, number, number] };
  readonly shade?: 'none' | 'spine' | 'slope';
  /** Standard deviation of the grain, in levels. */
  readonly grain: number;
  readonly gamma?: number;
  /** 1 to 100; absent: not compressed. */
  readonly jpeg?: number;
  /** Blur of the scanner's lens, in millimetres. */
  readonly lens?: number;
  /** Below this share of the paper's tone, a pixel of a 1-bit page is black. */
  readonly threshold?: number;
}

export async function scanned(scan: Scanning): Promise<RawPage> {
  const { wide, high, dpi, pixels, paper, front, back, scanner = '', skew = 0, background, grain, gamma = 1 } = scan;
  const random = dice(scan.seed + 77);
  const [left, top, right, bottom] = background?.margin ?? [0, 0, 0, 0];
  const [fullWide, fullHigh] = [wide + left + right, high + top + bottom];
  const [width, height] = [fullWide, fullHigh].map(mm => Math.max(1, Math.round((mm / 25.4) * dpi))) as [
    number,
    number,
  ];
  const perMm = dpi / 25.4;
  const place = `translate(${left} ${top}) rotate(${skew} ${wide / 2} ${high / 2})`;
  const lens = Math.max(0.3, (scan.lens ?? 0.05) * perMm);
  const render = async (body: string, ground: string, blur: number): Promise<Buffer> => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${fullWide} ${fullHigh}" preserveAspectRatio="none"><rect width="${fullWide}" height="${fullHigh}" fill="${ground}"/>${body}</svg>`;
    const image = sharp(Buffer.from(svg), { unlimited: true }).flatten({ background: '#fff' });
    return image.blur(Math.max(0.3, blur)).toColourspace('srgb').raw().toBuffer();
  };
  const print = await render(`<g transform="${place}">${front}</g>${scanner}`, '#fff', lens);
  const through = back
    ? await render(
        `<g transform="${place} translate(${wide} 0) scale(-1 1)">${back.svg}</g>`,
        '#fff',
        back.blur * perMm,
      )
    : undefined;
  const sheet = background
    ? await render(`<rect transform="${place}" width="${wide}" height="${high}" fill="#fff"/>`, '#000', lens)
    : undefined;
  const shaded = shading(random, scan.shade ?? 'none');
  const shade = (scan.shade ?? 'none') === 'none' ? undefined : shaded;
  const layers = { print, through, strength: back?.strength ?? 0, sheet, behind: background?.tone ?? 0 };
  const rgb = exposed(width, height, { ...layers, paper, shade, gamma, ...grains(random, grain) });
  const page = { kind: 'raw', sheet: 1, side: 'front', width, height, dpi } as const;
  const colour = await pressed(rgb, width, height, scan.jpeg);
  if (pixels === 'rgb24') return { ...page, pixels, stride: width * 3, data: colour };
  const grey = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < grey.length; i++, at += 3)
    grey[i] = (77 * colour[at]! + 150 * colour[at + 1]! + 29 * colour[at + 2]!) >> 8;
  if (pixels === 'gray8') return { ...page, pixels, stride: width, data: grey };
  const white = (77 * paper[0] + 150 * paper[1] + 29 * paper[2]) >> 8;
  const level = Math.fround(255 * (white / 255) ** gamma);
  return { ...page, ...bilevel(grey, width, height, level * (scan.threshold ?? 0.55)) };
}

async function pressed(rgb: Buffer, width: number, height: number, quality: number | undefined): Promise<Uint8Array> {
  if (quality === undefined) return new Uint8Array(rgb);
  const file = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
  return new Uint8Array(await sharp(file).toColourspace('srgb').raw().toBuffer());
}

function bilevel(
  grey: Uint8Array,
  width: number,
  height: number,
  threshold: number,
): Pick<RawPage, 'pixels' | 'stride' | 'data'> {
  const stride = Math.ceil(width / 8);
  const data = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (grey[y * width + x]! < threshold) data[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  return { pixels: 'bw1', stride, data };
}

/** All that a pixel's levels are made of. */
interface Exposure extends Grains {
  readonly print: Buffer;
  readonly through: Buffer | undefined;
  readonly strength: number;
  readonly sheet: Buffer | undefined;
  readonly behind: number;
  readonly paper: Colour;
  readonly gamma: number;
  /** Absent: as light everywhere. */
  readonly shade: ((x: number, y: number) => number) | undefined;
}

/** Tables and whole numbers instead of calls for each sample: a page has millions, and most of the tests' time was theirs. */
function exposed(width: number, height: number, exposure: Exposure): Buffer {
  const { print, through, strength, sheet, behind, paper, gamma, shade, table } = exposure;
  const rgb = Buffer.alloc(width * height * 3);
  const each = (of: (tone: number) => number) => Float64Array.from({ length: 256 }, (_, tone) => of(tone));
  const tones = Float32Array.from({ length: 256 }, (_, tone) => 255 * (tone / 255) ** gamma);
  const is = each(tone => tone / 255);
  const losses = each(tone => 1 - strength * (1 - tone / 255));
  const inked = paper.map(tone => each(ink => tone * (ink / 255)));
  const isPlain = !through && !sheet;
  const lights = new Float64Array(width).fill(1);
  let state = exposure.state;
  for (let y = 0, at = 0; y < height; y++) {
    if (shade) for (let x = 0; x < width; x++) lights[x] = shade(x / width, y / height);
    for (let x = 0; x < width; x++, at += 3) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      const common = table[(state >>> 8) & 4095]! + 0.5;
      const light = lights[x]!;
      for (let c = 0; c < 3; c++) {
        let reflected = inked[c]![print[at + c]!]! * light;
        if (!isPlain) {
          const loss = through ? losses[through[at + c]!]! : 1;
          const share = sheet ? is[sheet[at]!]! : 1;
          reflected = reflected * loss * share + behind * (1 - share);
        }
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        const own = table[(state >>> 8) & 4095]! * 0.5;
        const level = (tones[(reflected + 0.5) | 0]! + common + own) | 0;
        rgb[at + c] = level < 0 ? 0 : level > 255 ? 255 : level;
      }
    }
  }
  return rgb;
}

/** Approximately normal numbers, in an order that xorshift gives. */
interface Grains {
  readonly table: Float32Array;
  /** The state of xorshift. */
  readonly state: number;
}

function grains(random: Dice, deviation: number): Grains {
  const table = Float32Array.from(
    { length: 4096 },
    () => (random() + random() + random() + random() - 2) * 1.73 * deviation,
  );
  return { table, state: Math.floor(random() * 2 ** 31) | 1 };
}
