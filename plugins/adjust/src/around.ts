/** Visits every pixel together with the mean of what lies around it; running sums, whatever the window's size. */

export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** 1 where a pixel is darker than what lies around it, by more than `contrast`; dark areas count at their rim only. */
export function darkerThanAround({ width, height, data }: Plane, radius: number, contrast: number): Uint8Array {
  const ink = new Uint8Array(width * height);
  const columns = new Uint32Array(width + 1);
  let rows = 0;
  const add = (y: number, sign: 1 | -1): void => {
    if (y < 0 || y >= height) return;
    rows += sign;
    const at = y * width;
    if (sign > 0) for (let x = 0; x < width; x++) columns[x]! += data[at + x]!;
    else for (let x = 0; x < width; x++) columns[x]! -= data[at + x]!;
  };
  for (let y = 0; y < radius; y++) add(y, 1);
  for (let y = 0; y < height; y++) {
    add(y + radius, 1);
    add(y - radius - 1, -1);
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
