/** Scans one side: an image's pixels on a page, in the colour mode that was asked for, on sharp's threads. */
import { fromBilevelTiff, lateRequire, type ColorMode, type RawPage } from '@platen/core/plugin';
import type { Sharp, default as sharpPackage } from 'sharp';
import type { dropouts } from './capabilities.js';
import type { Layout } from './layout.js';
import { broken, MAX_PIXELS, type SheetImage } from './sheetImage.js';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

export interface RenderOptions {
  readonly colorMode: ColorMode;
  /** Turned by 180°. */
  readonly turned: boolean;
  /** The background behind the sheet. */
  readonly backing: 'white' | 'black';
  /** Ink of this colour is white, except in Color. */
  readonly dropout: (typeof dropouts)[number];
}

export type Rendered = Pick<RawPage, 'pixels' | 'width' | 'height' | 'stride' | 'data'>;

/** From here on up a grey pixel is white in a 1-bit page. */
const THRESHOLD = 128;

/**
 * @param image undefined: a blank side
 * @throws InvalidImage where the file's pixels cannot be read
 */
export async function render(image: SheetImage | undefined, layout: Layout, options: RenderOptions): Promise<Rendered> {
  try {
    return await inColour(onPage(source(image, layout), layout, options), layout.page, options);
  } catch (error) {
    throw image ? broken(error) : error;
  }
}

function source(image: SheetImage | undefined, { sheet }: Layout): Sharp {
  if (!image) return sharp()({ create: { ...sheet, channels: 3, background: 'white' } });
  const upright = sharp()(image.bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).autoOrient();
  return upright.flatten({ background: 'white' });
}

/** Nothing is resampled where the sheet has the image's own size: such a page is the file, pixel for pixel. */
function onPage(pixels: Sharp, { page, sheet, left, top }: Layout, options: RenderOptions): Sharp {
  const x = Math.max(0, left);
  const y = Math.max(0, top);
  const width = Math.min(sheet.width - Math.max(0, -left), page.width - x);
  const height = Math.min(sheet.height - Math.max(0, -top), page.height - y);
  if (width <= 0 || height <= 0) return sharp()({ create: { ...page, channels: 3, background: options.backing } });
  let placed = options.turned ? pixels.rotate(180) : pixels;
  placed = placed.resize({ ...sheet, fit: 'fill' });
  if (width < sheet.width || height < sheet.height) {
    placed = placed.extract({ left: Math.max(0, -left), top: Math.max(0, -top), width, height });
  }
  const margin = { left: x, top: y, right: page.width - x - width, bottom: page.height - y - height };
  return margin.left || margin.top || margin.right || margin.bottom
    ? placed.extend({ ...margin, background: options.backing })
    : placed;
}

async function inColour(
  page: Sharp,
  { width, height }: Layout['page'],
  { colorMode, dropout }: RenderOptions,
): Promise<Rendered> {
  const grey = async () => (dropout === 'none' ? page.greyscale() : inLightOf(page, dropout));
  if (colorMode === 'BlackAndWhite') {
    const bilevel = (await grey()).threshold(THRESHOLD).toColourspace('b-w');
    return fromBilevelTiff(await bilevel.tiff({ compression: 'none', predictor: 'none', bitdepth: 1 }).toBuffer());
  }
  const colour = colorMode === 'Color';
  const raw = colour ? page.toColourspace('srgb') : (await grey()).toColourspace('b-w');
  // The size that sharp tells of its output is wrong where one side was cut and the other extended.
  const data = await raw.raw({ depth: 'uchar' }).toBuffer();
  const stride = colour ? width * 3 : width;
  if (data.length !== stride * height)
    throw new Error(`sharp gave ${data.length} bytes for ${height} rows of ${stride}`);
  return { pixels: colour ? 'rgb24' : 'gray8', width, height, stride, data };
}

/** In light of the ink's colour, the ink is as light as the paper. */
async function inLightOf(page: Sharp, colour: Exclude<RenderOptions['dropout'], 'none'>): Promise<Sharp> {
  // sharp extracts a channel after every other step: those that follow here need a pipeline of their own.
  const whole = await page.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = whole.info;
  const channel = sharp()(whole.data, { raw: { width, height, channels } }).extractChannel(channels < 3 ? 0 : colour);
  return sharp()(await channel.raw({ depth: 'uchar' }).toBuffer(), { raw: { width, height, channels: 1 } });
}
