/** The pages of the benchmark: A4 at 300 dpi in colour, drawn once into raw files. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

export interface SheetSize {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly channels: 3;
}

export const sheet = { width: 2480, height: 3508, dpi: 300, channels: 3 } as const;
export const sheetBytes = sheet.width * sheet.height * sheet.channels;

/** Each drawn differently. */
export const differentSheets = 20;

/** Off the paper's edge and between lines, in pixels. */
const MARGIN = 240;
const LINE = 62;
/** A 10-point letter at 300 dpi. */
const LETTER = { width: 21, height: 30, gap: 6 };

/** The scanner's noise: its strength in levels of 255, and how much it darkens. */
const NOISE = { type: 'gaussian', mean: 8, sigma: 1.5 } as const;

/** @returns the files, in the order of the sheets */
export async function drawSheets(folder: string, count: number = differentSheets): Promise<string[]> {
  const files: string[] = [];
  for (let number = 1; number <= count; number++) {
    const file = join(folder, `sheet-${number}.rgb`);
    await writeFile(file, await drawSheet(number));
    files.push(file);
  }
  return files;
}

/** Text-like strokes on paper that is not quite white, and noise that no encoder can guess. */
async function drawSheet(number: number): Promise<Buffer> {
  const { width, height, channels } = sheet;
  const create = { width, height, channels, background: '#000', noise: NOISE };
  const noise = await sharp({ create }).raw().toBuffer();
  return sharp(Buffer.from(text(number)))
    .flatten({ background: '#fbfaf6' })
    .blur(0.7)
    .composite([{ input: noise, raw: { width, height, channels }, blend: 'difference' }])
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** Strokes instead of letters: they need no font, and look the same to an encoder. */
function text(number: number): string {
  const random = dice(number);
  const { width, height } = sheet;
  let strokes = '';
  for (let y = MARGIN; y < height - MARGIN; y += LINE) {
    if (random() < 0.12) continue;
    const end = random() < 0.15 ? width / 2 : width - MARGIN;
    for (let x = MARGIN; x < end; x += LETTER.width) {
      if (random() < 0.17) continue;
      strokes += letter(x, y, random);
    }
  }
  const colour = ['#1a1a1a', '#222244', '#14456b'][number % 3] ?? '#000';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path d="${strokes}" fill="none" stroke="${colour}" stroke-width="4"/></svg>`;
}

function letter(x: number, y: number, random: () => number): string {
  const w = LETTER.width - LETTER.gap;
  const h = random() < 0.6 ? LETTER.height * 0.7 : LETTER.height;
  const [a, b] = [Math.round(random() * w), Math.round(random() * h)];
  return `M${x} ${y}v${-Math.round(h)}M${x} ${y - b}q${a} ${-b} ${w} 0t${-a} ${b}`;
}

/** Numbers from 0 to 1 that are the same in every run (a linear congruential generator, Numerical Recipes). */
function dice(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
