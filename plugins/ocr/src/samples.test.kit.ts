/** Pages with known text for the tests, and the error rate of a reading. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { testPage } from '@platen/conformance';
import type { Call, RawPage } from '@platen/core/plugin';
import sharp from 'sharp';

export const calm: Call = { signal: new AbortController().signal };

export type Sample = 'note' | 'report';

/** Line by line, an empty line between paragraphs. */
export function sampleText(name: Sample): string {
  return readFileSync(sampleFile(`${name}.txt`), 'utf8').trim();
}

export interface PageWishes {
  /** Of the page; the drawing is at 300. */
  readonly dpi?: number;
  readonly pixels?: RawPage['pixels'];
}

/** The sample as a scanner with that resolution would deliver it. */
export async function samplePage(name: Sample, { dpi = 300, pixels = 'gray8' }: PageWishes = {}): Promise<RawPage> {
  const drawn = sharp(sampleFile(`${name}.png`));
  const { width = 0 } = await drawn.metadata();
  return pageOf(
    await drawn
      .resize(Math.round((width * dpi) / 300))
      .png()
      .toBuffer(),
    { dpi, pixels },
  );
}

/** The first lines of the note: a page that is read in a third of its time. */
export async function firstLines({ pixels = 'gray8' }: Pick<PageWishes, 'pixels'> = {}): Promise<RawPage> {
  const { width, height, data } = await samplePage('note');
  return pageOf(
    await sharp(data, { raw: { width, height, channels: 1 } })
      .extract({ left: 0, top: 0, width, height: 270 })
      .png()
      .toBuffer(),
    { pixels },
  );
}

export const firstText = 'Delivery 20417\nReceived on 14 March by the workshop in good order: two';

/** @param image a file that sharp reads */
export async function pageOf(image: Buffer, { dpi = 300, pixels = 'gray8' }: PageWishes = {}): Promise<RawPage> {
  const channels = pixels === 'rgb24' ? 'srgb' : 'b-w';
  const { data, info } = await sharp(image)
    .flatten({ background: '#fff' })
    .toColourspace(channels)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const page = { ...testPage({ width: 1, height: 1, dpi, pixels }), width, height };
  if (pixels !== 'bw1') return { ...page, stride: width * info.channels, data };
  const stride = Math.ceil(width / 8);
  const bits = new Uint8Array(stride * height);
  data.forEach((grey, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    if (grey < 128) bits[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  });
  return { ...page, stride, data: bits };
}

/** A drawing on white, 300 dpi. */
export function drawing(width: number, height: number, shapes: string): Promise<RawPage> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${shapes}</svg>`;
  return pageOf(Buffer.from(svg));
}

/** The character error rate: characters to change, of those on the page. White space counts as one space. */
export function errorRate(read: string, wanted: string): number {
  const [a, b] = [read, wanted].map(text => text.replace(/\s+/g, ' ').trim()) as [string, string];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]! / b.length;
}

function sampleFile(name: string): string {
  return fileURLToPath(new URL(`../samples/${name}`, import.meta.url));
}
