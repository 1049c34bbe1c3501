/** A quick look over a picture, cell by cell: how light it is, and how much, and along which direction, it changes. */

/** The side of a cell in pixels: 1.4 mm at 300 dpi, less than any barcode is high. */
export const CELL = 16;

export interface Survey {
  readonly columns: number;
  readonly rows: number;
  readonly darkest: Uint8Array;
  readonly lightest: Uint8Array;
  readonly mean: Uint8Array;
  /** The structure tensor of each cell: sums of products of the gradient's parts. */
  readonly xx: Float32Array;
  readonly yy: Float32Array;
  readonly xy: Float32Array;
  /** The energy that grain alone has. */
  readonly grain: number;
}

/**
 * Gradients are taken over squares of two pixels (Roberts), which still see bars of one pixel; every second pixel of
 * every second row is enough for a mean over a cell.
 */
export function survey(picture: Uint8Array, width: number, height: number): Survey {
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
          const a = picture[at]!;
          const b = picture[at + 1]!;
          const c = picture[at + width]!;
          const d = picture[at + width + 1]!;
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
  return { columns, rows, darkest, lightest, mean, xx, yy, xy, grain: grainOf(xx, yy) };
}

/** What a fifth of the cells stay below, few pages being printed all over. */
function grainOf(xx: Float32Array, yy: Float32Array): number {
  const energies = Float32Array.from(xx, (value, at) => value + yy[at]!).sort();
  return energies[Math.floor(energies.length / 5)] ?? 0;
}

/** The same cells, their tones as they are when black and white are spread. */
export function toned(cells: Survey, levels: Uint8Array | undefined): Survey {
  if (!levels) return cells;
  const through = (tones: Uint8Array) => tones.map(tone => levels[tone]!);
  return { ...cells, darkest: through(cells.darkest), lightest: through(cells.lightest), mean: through(cells.mean) };
}
