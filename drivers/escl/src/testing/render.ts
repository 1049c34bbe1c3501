/** Renders a region of a picture at a resolution, as the device sends it. */
import type { Picture } from './pictures.js';
import type { ScanSettings } from './settings.js';

/** White outside the paper. */
const background = '#fff';

export async function render(picture: Picture, settings: ScanSettings, quality: number): Promise<Buffer> {
  const { format, resolution, colorMode, region, levels } = settings;
  const dots = (units: number) => Math.round((units * resolution) / 300);
  const [width, height] = [Math.max(1, dots(region.width)), Math.max(1, dots(region.height))];
  const [left, top] = [dots(region.x), dots(region.y)];
  const paper = { width: Math.ceil(picture.width * resolution), height: Math.ceil(picture.height * resolution) };
  const seen = { width: Math.min(width, paper.width - left), height: Math.min(height, paper.height - top) };
  let page = picture.open();
  if (seen.width > 0 && seen.height > 0) {
    page = page
      .resize(paper.width, paper.height, { fit: 'fill', kernel: picture.kernel })
      .extract({ left, top, ...seen })
      .extend({ right: width - seen.width, bottom: height - seen.height, background });
  } else {
    page = page.resize(width, height, { fit: 'fill' }).linear(0, 255);
  }
  if (colorMode !== 'RGB24') page = page.greyscale().toColourspace('b-w');
  const { Brightness = 1000, Contrast = 1000 } = levels;
  const slope = Contrast / 1000;
  if (slope !== 1 || Brightness !== 1000) page = page.linear(slope, 128 * (1 - slope) + (Brightness - 1000) / 8);
  if (colorMode === 'BlackAndWhite1') page = page.threshold(levels.Threshold ?? 128);
  page = page.withDensity(resolution);
  if (format === 'image/jpeg') return page.jpeg({ quality }).toBuffer();
  if (format === 'image/png')
    return page
      .removeAlpha()
      .png(colorMode === 'BlackAndWhite1' ? { palette: true, colours: 2 } : {})
      .toBuffer();
  return page
    .removeAlpha()
    .tiff(colorMode === 'BlackAndWhite1' ? { bitdepth: 1, compression: 'ccittfax4' } : { compression: 'lzw' })
    .toBuffer();
}

/** Caches the latest pages, so that a benchmark of a client does not measure the device. */
export function renderer(quality: number): (picture: Picture, settings: ScanSettings) => Promise<Buffer> {
  const pages = new Map<string, Promise<Buffer>>();
  const numbers = new WeakMap<Picture, number>();
  let pictures = 0;
  return (picture, settings) => {
    const number = numbers.get(picture) ?? ++pictures;
    numbers.set(picture, number);
    const { format, resolution, colorMode, region, levels } = settings;
    const key = JSON.stringify([number, format, resolution, colorMode, region, levels]);
    const page = pages.get(key) ?? render(picture, settings, quality);
    pages.set(key, page);
    const [oldest] = pages.keys();
    if (pages.size > MAX_PAGES && oldest !== undefined) pages.delete(oldest);
    return page;
  };
}

const MAX_PAGES = 24;
