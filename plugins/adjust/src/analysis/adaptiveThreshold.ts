/** Adaptive mean threshold: each pixel against the mean of the window around it, by running sums. */

/** Eight bits a pixel, rows without padding. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/**
 * Of large dark areas only the edges count: inside, the window is as dark as the pixel.
 * @param radius half the side of the window, in pixels
 * @returns a byte a pixel, 1 where it is darker than the mean of its window by more than `contrast`
 */
export function adaptiveThreshold({ width, height, data }: Plane, radius: number, contrast: number): Uint8Array {
  const ink = new Uint8Array(width * height);
  const columns = new Int32Array(width);
  const blank = new Uint8Array(width);
  const rowAt = (y: number): Uint8Array => (y < 0 || y >= height ? blank : data.subarray(y * width, (y + 1) * width));
  const slide = (enters: Uint8Array, leaves: Uint8Array): void => {
    for (let x = 0; x < width; x++) columns[x]! += enters[x]! - leaves[x]!;
  };
  for (let y = 0; y < radius; y++) slide(rowAt(y), blank);
  for (let y = 0; y < height; y++) {
    slide(rowAt(y + radius), rowAt(y - radius - 1));
    const rows = Math.min(y + radius, height - 1) - Math.max(y - radius, 0) + 1;
    let sum = 0;
    const right = Math.min(radius, width);
    for (let x = 0; x < right; x++) sum += columns[x]!;
    const at = y * width;
    for (let x = 0; x < width; x++) {
      const enter = x + radius;
      const leave = x - radius - 1;
      if (enter < width) sum += columns[enter]!;
      if (leave >= 0) sum -= columns[leave]!;
      const area = rows * ((enter < width ? enter : width - 1) - (leave >= 0 ? leave : -1));
      if ((data[at + x]! + contrast) * area < sum) ink[at + x] = 1;
    }
  }
  return ink;
}
