/** The resolution that an image file states of itself. */

/** Pixels per inch, across and down. */
export interface Density {
  readonly x: number;
  readonly y: number;
}

export const CM_PER_INCH = 2.54;

/** As the file states it. */
export interface StatedDensity {
  readonly x: number;
  readonly y: number;
  /** 0 where the unit is unknown. */
  readonly unitsPerInch: number;
}

/** Undefined where the file states none; `read` may run past the end of the file (RangeError). */
export function densityFrom(read: () => StatedDensity): Density | undefined {
  try {
    const { x, y, unitsPerInch } = read();
    return x * unitsPerInch > 0 && y * unitsPerInch > 0 ? { x: x * unitsPerInch, y: y * unitsPerInch } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
