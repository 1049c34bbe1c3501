/** Pixels as colours, whatever they are stored in: for comparing small images and for fakes. */
import { type DecodedImage, type Pixels, type RawPage, rowBytes, type Turn } from '@platen/core/plugin';

/** Red, green and blue, 0 to 255; slow, for single pixels. */
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

/** The colours of all pixels, three bytes each, row by row. */
function coloursOf({ width, height, pixels, stride, data }: DecodedImage): Uint8Array {
  const colours = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    const row = data.subarray(y * stride);
    if (pixels === 'rgb24') {
      colours.set(row.subarray(0, width * 3), at);
      at += width * 3;
    } else {
      for (let x = 0; x < width; x++, at += 3)
        colours.fill(pixels === 'gray8' ? row[x]! : row[x >> 3]! & (0x80 >> (x & 7)) ? 0 : 255, at, at + 3);
    }
  }
  return colours;
}

/** How far two images of the same size are apart, in steps of 255. */
export function difference(a: DecodedImage, b: DecodedImage): { readonly worst: number; readonly mean: number } {
  const [one, other] = [coloursOf(a), coloursOf(b)];
  let worst = 0;
  let sum = 0;
  for (let i = 0; i < one.length; i++) {
    const apart = Math.abs(one[i]! - other[i]!);
    sum += apart;
    worst = Math.max(worst, apart);
  }
  return { worst, mean: sum / one.length };
}

/** The page turned clockwise by 90°. */
export const quarterTurned = (page: RawPage): RawPage => pageIn({ ...page, ...turnedImage(page, 90) }, page.pixels);

/** The page in another kind of pixels, black below half. Needs no memory but the page's own. */
export function pageIn(page: RawPage, pixels: Pixels, padding = 0): RawPage {
  const { width, height, pixels: kind, stride: step, data: from } = page;
  const stride = rowBytes(pixels, width) + padding;
  const data = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const row = y * stride;
    for (let x = 0; x < width; x++) {
      const at = y * step + (kind === 'rgb24' ? x * 3 : kind === 'gray8' ? x : x >> 3);
      const red = kind === 'bw1' ? (from[at]! & (0x80 >> (x & 7)) ? 0 : 255) : from[at]!;
      const green = kind === 'rgb24' ? from[at + 1]! : red;
      const blue = kind === 'rgb24' ? from[at + 2]! : red;
      const grey = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
      if (pixels === 'rgb24') {
        data[row + x * 3] = red;
        data[row + x * 3 + 1] = green;
        data[row + x * 3 + 2] = blue;
      } else if (pixels === 'gray8') data[row + x] = grey;
      else if (grey < 128) data[row + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  return { ...page, pixels, stride, data };
}

/** The image as a viewer shows it that turns it clockwise; always `rgb24`. */
export function turnedImage(image: DecodedImage, turn: Turn): DecodedImage & { readonly pixels: 'rgb24' } {
  const upright = turn === 0 || turn === 180;
  const [width, height] = upright ? [image.width, image.height] : [image.height, image.width];
  const [right, bottom] = [image.width - 1, image.height - 1];
  const colours = coloursOf(image);
  const data = new Uint8Array(colours.length);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const fromX = turn === 0 ? x : turn === 90 ? y : turn === 180 ? right - x : right - y;
      const fromY = turn === 0 ? y : turn === 90 ? bottom - x : turn === 180 ? bottom - y : x;
      let from = (fromY * image.width + fromX) * 3;
      data[at++] = colours[from++]!;
      data[at++] = colours[from++]!;
      data[at++] = colours[from]!;
    }
  }
  return { width, height, pixels: 'rgb24', stride: width * 3, data };
}

/** 0, black, to 255; the mean over the pixels from `left`, `top` to before `right`, `bottom`. */
export function lightness(
  { pixels, stride, data }: Pick<DecodedImage, 'pixels' | 'stride' | 'data'>,
  box: { left: number; top: number; right: number; bottom: number },
): number {
  let sum = 0;
  for (let y = box.top; y < box.bottom; y++) {
    const row = y * stride;
    for (let x = box.left; x < box.right; x++) {
      if (pixels === 'rgb24') sum += (data[row + x * 3]! + data[row + x * 3 + 1]! + data[row + x * 3 + 2]!) / 3;
      else if (pixels === 'gray8') sum += data[row + x]!;
      else sum += data[row + (x >> 3)]! & (0x80 >> (x & 7)) ? 0 : 255;
    }
  }
  return sum / ((box.right - box.left) * (box.bottom - box.top));
}
