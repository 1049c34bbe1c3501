/** Pages for tests: the virtual scanner's samples and pages composed of their parts, drawn by sharp without fonts. */
import { fileURLToPath } from 'node:url';
import { rowBytes, type Pixels, type RawPage } from '@platen/core/plugin';
import sharp, { type Sharp } from 'sharp';
import { adjustPage, type AdjustRequest, type Outcome } from './adjustPage.js';
import { rotate90, type Quarters } from './raster/rotate90.js';
import { channelsOf, packed, type Raster } from './raster/raster.js';

export type SampleName = 'letter' | 'invoice' | 'labels' | 'photo';

/** Letter, at 200 dpi. */
const SAMPLE_DPI = 200;
const files: Readonly<Record<SampleName, string>> = {
  letter: 'letter.png',
  invoice: 'invoice.png',
  labels: 'labels.png',
  photo: 'photo.jpg',
};

export interface Drawing {
  readonly dpi?: number;
  readonly pixels?: Pixels;
  /** Degrees clockwise; the corners become white. */
  readonly skew?: number;
  /** Standard deviation of the noise, in grey levels. */
  readonly grain?: number;
}

export function sampleImage(name: SampleName): Sharp {
  return sharp(fileURLToPath(new URL(`../../../drivers/virtual/samples/${files[name]}`, import.meta.url)));
}

/** A sample is decoded once, and scaled once to each resolution. */
const decoded = new Map<string, Promise<Decoded>>();

export async function sample(name: SampleName, drawing: Drawing = {}): Promise<RawPage> {
  return finished(await sampleAt(name, drawing.dpi ?? SAMPLE_DPI), drawing);
}

function sampleAt(name: SampleName, dpi: number): Promise<Decoded> {
  const key = `${name} ${dpi}`;
  let image = decoded.get(key);
  if (!image) {
    image = dpi === SAMPLE_DPI ? colours(sampleImage(name)) : sampleAt(name, SAMPLE_DPI).then(its => scaled(its, dpi));
    decoded.set(key, image);
  }
  return image;
}

/** An image at 200 dpi as a page. */
export async function drawn(image: Sharp, drawing: Drawing = {}): Promise<RawPage> {
  const { dpi = SAMPLE_DPI } = drawing;
  const whole = await colours(image);
  return finished(dpi === SAMPLE_DPI ? whole : await scaled(whole, dpi), drawing);
}

type Decoded = Awaited<ReturnType<typeof colours>>;

const colours = (image: Sharp) => image.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
const opened = ({ data, info: { width, height, channels } }: Decoded): Sharp =>
  sharp(data, { raw: { width, height, channels } });

/** An image at 200 dpi, at another resolution. */
function scaled(image: Decoded, dpi: number): Promise<Decoded> {
  const [width, height] = [image.info.width, image.info.height].map(each => Math.round((each * dpi) / SAMPLE_DPI));
  return opened(image).resize(width, height, { fit: 'fill' }).raw().toBuffer({ resolveWithObject: true });
}

/** An image that has its resolution. */
async function finished(
  image: Decoded,
  { dpi = SAMPLE_DPI, pixels = 'gray8', skew = 0, grain = 0 }: Drawing,
): Promise<RawPage> {
  const { width, height } = image.info;
  let picture = opened(image);
  if (skew) {
    const wide = await opened(image).rotate(skew, { background: 'white' }).raw().toBuffer({ resolveWithObject: true });
    picture = opened(wide).extract({
      left: Math.round((wide.info.width - width) / 2),
      top: Math.round((wide.info.height - height) / 2),
      width,
      height,
    });
  }
  picture = pixels === 'rgb24' ? picture.toColourspace('srgb') : picture.greyscale().toColourspace('b-w');
  const { buffer, byteOffset, length } = await picture.raw().toBuffer();
  const data = new Uint8Array(buffer, byteOffset, length).slice();
  if (grain) addGrain(data, grain);
  const raster: Raster = { pixels: pixels === 'rgb24' ? 'rgb24' : 'gray8', width, height, data };
  return pageOf(pixels === 'bw1' ? packed(raster) : raster, dpi);
}

/** A blank sheet at 200 dpi, to compose parts on. */
export function blankSheet(width = 1700, height = 2200, background = 'white'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

export function pageOf(raster: Raster, dpi: number): RawPage {
  return { kind: 'raw', sheet: 1, side: 'front', dpi, ...raster, stride: rowBytes(raster.pixels, raster.width) };
}

export function rotatedBy(page: RawPage, quarters: 0 | Quarters): RawPage {
  return quarters === 0 ? page : pageOf(rotate90(page, quarters), page.dpi);
}

/** A page with background around it: grey or colour only. */
export function onBackground(
  page: RawPage,
  around: { left: number; top: number; right: number; bottom: number; colour: number },
): RawPage {
  const channels = channelsOf(page);
  const [width, height] = [page.width + around.left + around.right, page.height + around.top + around.bottom];
  const data = new Uint8Array(width * height * channels).fill(around.colour);
  const row = page.width * channels;
  for (let y = 0; y < page.height; y++)
    data.set(page.data.subarray(y * row, (y + 1) * row), ((y + around.top) * width + around.left) * channels);
  return pageOf({ pixels: page.pixels, width, height, data }, page.dpi);
}

/** Approximately normal: the sum of three uniform numbers. */
export function addGrain(data: Uint8Array, deviation: number): void {
  let state = 1;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    const thrown = (state >>> 24) + ((state >>> 16) & 255) + ((state >>> 8) & 255) - 382.5;
    data[i] = Math.max(0, Math.min(255, Math.round(data[i]! + (thrown / 128) * deviation)));
  }
}

/** What a thread would answer. */
export function outcome(
  adjustment: AdjustRequest['adjustment'],
  page: RawPage,
  colorMode: AdjustRequest['colorMode'] = 'Color',
): Outcome {
  return adjustPage({ adjustment, page, dpi: page.dpi, colorMode });
}
