/** A coarse map of an image, cell by cell: how light each cell is, and the structure tensor of its gradients. */

/** The side of a cell in pixels: 1.4 mm at 300 dpi, less than the height of any barcode. */
export const CELL = 16;

export interface GradientMap {
  readonly columns: number;
  readonly rows: number;
  readonly darkest: Uint8Array;
  readonly lightest: Uint8Array;
  readonly mean: Uint8Array;
  /** The structure tensor of each cell: sums of products of the gradient's components. */
  readonly xx: Float32Array;
  readonly yy: Float32Array;
  readonly xy: Float32Array;
  /** The gradient energy of a cell that holds nothing but noise. */
  readonly noise: number;
}

/**
 * Gradients are Roberts crosses over 2 x 2 pixels, which still see bars of one pixel. Sampling every second pixel of
 * every second row is enough for the sum over a cell.
 * @param image rows without padding
 */
export function gradientMap(image: Uint8Array, width: number, height: number): GradientMap {
  const columns = Math.ceil(width / CELL);
  const rows = Math.ceil(height / CELL);
  const count = columns * rows;
  const darkest = new Uint8Array(count).fill(255);
  const lightest = new Uint8Array(count);
  const mean = new Uint8Array(count);
  const [xx, yy, xy] = [new Float32Array(count), new Float32Array(count), new Float32Array(count)];
  for (let row = 0; row < rows; row++) {
    const bottom = Math.min((row + 1) * CELL, height - 1);
    for (let column = 0; column < columns; column++) {
      const right = Math.min((column + 1) * CELL, width - 1);
      let [low, high, sum, seen, ax, ay, axy] = [255, 0, 0, 0, 0, 0, 0];
      for (let y = row * CELL; y < bottom; y += 2) {
        for (let x = column * CELL, at = y * width + x; x < right; x += 2, at += 2) {
          const a = image[at]!;
          const b = image[at + 1]!;
          const c = image[at + width]!;
          const d = image[at + width + 1]!;
          const gx = b + d - a - c;
          const gy = c + d - a - b;
          ax += gx * gx;
          ay += gy * gy;
          axy += gx * gy;
          if (a < low) low = a;
          if (a > high) high = a;
          sum += a;
          seen++;
        }
      }
      const at = row * columns + column;
      darkest[at] = low;
      lightest[at] = high;
      mean[at] = seen === 0 ? 255 : sum / seen;
      xx[at] = ax;
      yy[at] = ay;
      xy[at] = axy;
    }
  }
  return { columns, rows, darkest, lightest, mean, xx, yy, xy, noise: noiseOf(xx, yy) };
}

/** The energy that a fifth of the cells stay below: hardly any page is printed all over. */
function noiseOf(xx: Float32Array, yy: Float32Array): number {
  const energies = Float32Array.from(xx, (value, at) => value + yy[at]!).sort();
  return energies[Math.floor(energies.length / 5)] ?? 0;
}

/** The same cells with their grey levels looked up in a table. */
export function withLevels(map: GradientMap, table: Uint8Array | undefined): GradientMap {
  if (!table) return map;
  const lookUp = (levels: Uint8Array) => levels.map(level => table[level]!);
  return { ...map, darkest: lookUp(map.darkest), lightest: lookUp(map.lightest), mean: lookUp(map.mean) };
}
