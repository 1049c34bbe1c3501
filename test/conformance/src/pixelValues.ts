/** Pixels as colours, whatever they are stored in: for comparing small images and for fakes. */
import { type DecodedImage, type Pixels, type RawPage, rowBytes } from '@platen/core/plugin';

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
