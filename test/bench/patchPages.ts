/** The patch codes' pages: our separator sheets as a scanner sees them, and pages that have no patch code. */
import { drawSeparatorSheet, toBilevelTiff, type SeparatorSheet } from '@platen/core';
import type { Pixels, RawPage } from '@platen/core/plugin';
import sharp, { type Sharp } from 'sharp';
import {
  codeless,
  codelessPage,
  dice,
  modulesOf,
  pick,
  scan,
  symbologies,
  textFor,
  type Codeless,
  type Dice,
  type Look,
} from './barcodePages.js';

export interface SheetLook {
  readonly dpi: number;
  readonly pixels: Pixels;
  /** Degrees clockwise. */
  readonly skew?: number;
  /** Quarters of a turn clockwise: which edge was fed first. */
  readonly quarters?: number;
  /** Standard deviation of the scanner's grain, in grey levels. */
  readonly grain?: number;
  /** Grey levels of ink and paper. */
  readonly black?: number;
  readonly white?: number;
  /** Quality of a JPEG that the page went through. */
  readonly jpeg?: number;
  /** Colour of the paper. */
  readonly paper?: string;
}

/** A printed sheet that went through a scanner. */
export async function scannedSheet(sheet: SeparatorSheet, look: SheetLook, seed: number): Promise<RawPage> {
  const { dpi, skew = 0, quarters = 0, paper = '#fff' } = look;
  const drawn = drawSeparatorSheet(sheet);
  const [width, height] = [drawn.width, drawn.height].map(each => Math.round((each * dpi) / drawn.dpi)) as [
    number,
    number,
  ];
  const printed = await sharp(toBilevelTiff(drawn))
    .toColourspace('srgb')
    .blur(0.8)
    .png({ compressionLevel: 0 })
    .toBuffer();
  const turned = await sharp(printed)
    .rotate(skew, { background: 'white' })
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true });
  const [left, top] = [(turned.info.width - drawn.width) >> 1, (turned.info.height - drawn.height) >> 1];
  const cut = await sharp(turned.data)
    .extract({ left, top, width: drawn.width, height: drawn.height })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const small = await sharp(cut)
    .resize(width, height, { fit: 'fill' })
    .rotate(quarters * 90)
    .png({ compressionLevel: 0 })
    .toBuffer();
  const base = sharp(small).composite([
    { input: { create: { width: 8, height: 8, channels: 3, background: paper } }, tile: true, blend: 'multiply' },
  ]);
  return asScanned(base, look, seed);
}

async function asScanned(
  image: Sharp,
  { dpi, pixels, grain = 4, black = 25, white = 245, jpeg }: SheetLook,
  seed: number,
): Promise<RawPage> {
  const channels = pixels === 'rgb24' ? 3 : 1;
  const { data, info } = await image
    .removeAlpha()
    .toColourspace(channels === 3 ? 'srgb' : 'b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const random = dice(seed);
  const seen = new Uint8ClampedArray(data.length);
  for (let i = 0; i < seen.length; i++)
    seen[i] = black + (data[i]! * (white - black)) / 255 + (random() + random() + random() - 1.5) * 2 * grain;
  const facts = { kind: 'raw', sheet: 1, side: 'front', width, height, dpi } as const;
  if (pixels === 'bw1') return { ...facts, pixels, ...bilevel(seen, width, height, (black + white) / 2) };
  const stride = width * channels;
  if (jpeg === undefined) return { ...facts, pixels, stride, data: new Uint8Array(seen.buffer) };
  const file = await sharp(seen, { raw: { width, height, channels } }).jpeg({ quality: jpeg }).toBuffer();
  const decoded = await sharp(file)
    .toColourspace(channels === 3 ? 'srgb' : 'b-w')
    .raw()
    .toBuffer();
  return { ...facts, pixels, stride, data: new Uint8Array(decoded) };
}

function bilevel(
  grey: Uint8ClampedArray,
  width: number,
  height: number,
  threshold: number,
): Pick<RawPage, 'stride' | 'data'> {
  const stride = Math.ceil(width / 8);
  const data = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (grey[y * width + x]! < threshold) data[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  return { stride, data };
}

/** Pages without a patch code: those without barcodes, forms, barcodes of any size, and bars as thick as those of a patch. */
const drawings = { ...codeless, forms, barcodes, almost };
export type Plain = keyof typeof drawings;
export const plainKinds = Object.keys(drawings) as Plain[];

export async function plainPage(kind: Plain, seed: number, look: Look): Promise<RawPage> {
  if (kind in codeless) return codelessPage(kind as Codeless, seed, look);
  const random = dice(seed);
  return scan(await drawings[kind](random), { skew: pick(random, [0, 0, 90, 2, -4]), ...look }, seed);
}

const rect = (x: number, y: number, width: number, height: number): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}"/>`;

/** Headings in white on black, rules of every strength, fields and combs. */
function forms(random: Dice): string {
  let drawn = '';
  for (let y = 12; y < 285;) {
    const height = pick(random, [0.4, 1, 2, 2.03, 5, 5.08, 8]);
    const kind = random();
    if (kind < 0.5) drawn += rect(15, y, pick(random, [40, 90, 180]), height);
    else if (kind < 0.75)
      drawn += `<rect x="15" y="${y}" width="180" height="${height + 3}" fill="none" stroke="#000" stroke-width="${pick(random, [0.3, 1, 2])}"/>`;
    else for (let x = 15; x < 190; x += 5) drawn += rect(x, y, 0.3, 6);
    y += height + pick(random, [1, 2, 3, 5, 6]);
  }
  return drawn;
}

/** Linear codes, from the size on a parcel to that on a pallet. */
async function barcodes(random: Dice): Promise<string> {
  let drawn = '';
  for (let y = 15; y < 260;) {
    const symbology = pick(random, symbologies.slice(0, 9));
    const { modules, columns } = await modulesOf({ symbology, text: textFor(symbology, random) });
    const module = pick(random, [0.33, 0.5, 1, 180 / columns]);
    const height = pick(random, [12, 25, 40]);
    for (let x = 0; x < columns; x++) if (modules[x]) drawn += rect(15 + x * module, y, module * 1.002, height);
    y += height + pick(random, [4, 9, 20]);
  }
  return drawn;
}

/** Four bars, and more or fewer, that are not quite those of a patch code. */
function almost(random: Dice): string {
  const [narrow, wide] = [2.03, 5.08];
  const groups = [
    [wide, narrow, wide, narrow, wide],
    [narrow, wide, narrow],
    [narrow, narrow, narrow, narrow],
    [wide, wide, wide, wide],
    [wide, wide, wide, narrow],
    [narrow, narrow, narrow, wide],
    [narrow, wide, narrow, wide, narrow, wide],
  ];
  let drawn = '';
  for (let y = 12; y < 215;) {
    const bars = pick(random, groups);
    const space = pick(random, [narrow, wide, 3.4]);
    const length = pick(random, [60, 120, 180]);
    for (const bar of bars) {
      drawn += rect(15, y, length, bar);
      y += bar + space;
    }
    y += 10;
  }
  // As long as a patch's bars must not be: four of the right thickness.
  for (const [index, bar] of [narrow, wide, narrow, wide].entries())
    drawn += rect(15, 262 + index * narrow + [0, narrow, narrow + wide, 2 * narrow + wide][index]!, 12, bar);
  return drawn;
}
