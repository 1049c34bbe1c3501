/** Pixels as colours, whatever they are stored in: for comparing small images and for fakes. */
import { type DecodedImage, type Pixels, type RawPage, rowBytes, type Turn } from '@platen/core/plugin';

/** Red, green and blue, 0 to 255. */
export function colourAt(
  { pixels, stride, data }: Pick<DecodedImage, 'pixels' | 'stride' | 'data'>,
  x: number,
  y: number,
): [number, number, number] {
  const row = y * stride;
  if (pixels === 'rgb24') return [data[row + x * 3]!, data[row + x * 3 + 1]!, data[row + x * 3 + 2]!];
  const grey = pixels === 'gray8' ? data[row + x]! : data[row + (x >> 3)]! & (0x80 >> (x & 7)) ? 0 : 255;
  return [grey, grey, grey];
}

/** How far two images of the same size are apart, in steps of 255. */
export function difference(a: DecodedImage, b: DecodedImage): { readonly worst: number; readonly mean: number } {
  let worst = 0;
  let sum = 0;
  for (let y = 0; y < a.height; y++) {
    for (let x = 0; x < a.width; x++) {
      const other = colourAt(b, x, y);
      colourAt(a, x, y).forEach((value, i) => {
        const apart = Math.abs(value - other[i]!);
        sum += apart;
        worst = Math.max(worst, apart);
      });
    }
  }
  return { worst, mean: sum / (a.width * a.height * 3) };
}

/** The page turned clockwise by 90°; slow, for small pages. */
export function quarterTurned(page: RawPage): RawPage {
  const [width, height] = [page.height, page.width];
  const stride = width * 3;
  const data = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set(colourAt(page, y, width - 1 - x), y * stride + x * 3);
  return pageIn({ ...page, width, height, pixels: 'rgb24', stride, data }, page.pixels);
}

/** The page in another kind of pixels, black below half; slow, for small pages. */
export function pageIn(page: RawPage, pixels: Pixels, padding = 0): RawPage {
  const stride = rowBytes(pixels, page.width) + padding;
  const data = new Uint8Array(stride * page.height);
  for (let y = 0; y < page.height; y++) {
    for (let x = 0; x < page.width; x++) {
      const [red, green, blue] = colourAt(page, x, y);
      const grey = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
      if (pixels === 'rgb24') data.set([red, green, blue], y * stride + x * 3);
      else if (pixels === 'gray8') data[y * stride + x] = grey;
      else if (grey < 128) data[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  return { ...page, pixels, stride, data };
}

/** The image as a viewer shows it that turns it clockwise; always `rgb24`. Slow, for small images. */
export function turnedImage(image: DecodedImage, turn: Turn): DecodedImage {
  const upright = turn === 0 || turn === 180;
  const [width, height] = upright ? [image.width, image.height] : [image.height, image.width];
  const [right, bottom] = [image.width - 1, image.height - 1];
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = (
        { 0: [x, y], 90: [y, bottom - x], 180: [right - x, bottom - y], 270: [right - y, x] } as const
      )[turn];
      data.set(colourAt(image, fromX, fromY), (y * width + x) * 3);
    }
  }
  return { width, height, pixels: 'rgb24', stride: width * 3, data };
}

/** 0, black, to 255; the mean over the pixels from `left`, `top` to before `right`, `bottom`. */
export function lightness(
  image: Pick<DecodedImage, 'pixels' | 'stride' | 'data'>,
  box: { left: number; top: number; right: number; bottom: number },
): number {
  let sum = 0;
  for (let y = box.top; y < box.bottom; y++)
    for (let x = box.left; x < box.right; x++) sum += colourAt(image, x, y).reduce((a, b) => a + b) / 3;
  return sum / ((box.right - box.left) * (box.bottom - box.top));
}
