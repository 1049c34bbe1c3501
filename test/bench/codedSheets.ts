/**
 * Sheets as an office feeds them: two sides in colour at 300 dpi, a little askew. Every second front has a QR code and a
 * Code 128.
 */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { bars, dice, pick, text, textFor, type Dice, type Truth } from './barcodePages.js';
import { drawing } from './ocrRows.js';
import { sheet } from './sheets.js';

export interface CodedSheet {
  /** JPEG files, A4 at 300 dpi. */
  readonly front: Uint8Array;
  readonly back: Uint8Array;
  /** What can be read on the front. */
  readonly codes: readonly Truth[];
}

/** Degrees; feeders pull sheets in askew by up to three. */
const [LEAST_SKEW, MOST_SKEW] = [1, 3];
/** As a scanner encodes it. */
const QUALITY = 85;
const NOISE = { type: 'gaussian', mean: 8, sigma: 2 } as const;
const inks = ['#1a1a1a', '#222244', '#14456b'];

/** Different ones, the same in each run. */
export async function codedSheets(count: number): Promise<CodedSheet[]> {
  const sheets: CodedSheet[] = [];
  for (let seed = 0; seed < count; seed++) {
    const random = dice(seed);
    const codes: Truth[] =
      seed % 2 === 0
        ? (['QrCode', 'Code128'] as const).map(symbology => ({ symbology, text: textFor(symbology, random) }))
        : [];
    const [qr = '', line = ''] = await Promise.all(codes.map(drawn));
    const letterhead = `<rect x="15" y="12" width="42" height="14" fill="${pick(random, ['#b3202c', '#1f6f43', '#224f9c'])}"/>`;
    const front = `${letterhead}<g fill="${pick(random, inks)}">${text(random, 3.5)}</g>${place(qr, 160, 20)}${place(line, 120, 250)}`;
    const back = `<g fill="${pick(random, inks)}">${text(random, pick(random, [3, 3.5, 4.5]))}</g>`;
    sheets.push({ front: await scanned(front, random), back: await scanned(back, random), codes });
  }
  return sheets;
}

/** Sides of 650 words in real type, in colour, a little askew: for engines that read text. */
export async function writtenSheets(count: number): Promise<CodedSheet[]> {
  const page = (await readFile(`${drawing}.png`)).toString('base64');
  const body = `<image width="210" height="297" preserveAspectRatio="none" href="data:image/png;base64,${page}"/>`;
  const sheets: CodedSheet[] = [];
  for (let seed = 0; seed < count; seed++) {
    const random = dice(seed);
    sheets.push({ front: await scanned(body, random), back: await scanned(body, random), codes: [] });
  }
  return sheets;
}

/** On white, with its quiet zone. */
async function drawn(code: Truth): Promise<string> {
  const { path, width, height, quiet } = await bars(code, code.symbology === 'QrCode' ? 0.6 : 0.33);
  return `<rect x="${-quiet}" y="${-quiet}" width="${width + 2 * quiet}" height="${height + 2 * quiet}" fill="#fff"/><path d="${path}"/>`;
}

const place = (code: string, x: number, y: number): string => `<g transform="translate(${x} ${y})">${code}</g>`;

async function scanned(body: string, random: Dice): Promise<Uint8Array> {
  const { width, height, channels, dpi } = sheet;
  const skew = (random() < 0.5 ? -1 : 1) * (LEAST_SKEW + random() * (MOST_SKEW - LEAST_SKEW));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 210 297"><rect width="210" height="297" fill="#fbfaf6"/><g transform="rotate(${skew.toFixed(2)} 105 148)">${body}</g></svg>`;
  const noise = await sharp({ create: { width, height, channels, background: '#000', noise: NOISE } })
    .raw()
    .toBuffer();
  const page = await sharp(Buffer.from(svg), { unlimited: true })
    .flatten({ background: '#fbfaf6' })
    .blur(0.7)
    .composite([{ input: noise, raw: { width, height, channels }, blend: 'difference' }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return sharp(page, { raw: { width, height, channels } }).withDensity(dpi).jpeg({ quality: QUALITY }).toBuffer();
}
