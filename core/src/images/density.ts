/** The resolution in an image file's header. */

/** Pixels per inch, horizontally and vertically. */
export interface Density {
  readonly x: number;
  readonly y: number;
}

export const CM_PER_INCH = 2.54;

/** As stored in the file. */
export interface StatedDensity {
  readonly x: number;
  readonly y: number;
  /** 0 if the unit is unknown. */
  readonly unitsPerInch: number;
}

/** Undefined if the file has none; `read` may run past the end of the file (RangeError). */
export function densityFrom(read: () => StatedDensity): Density | undefined {
  try {
    const { x, y, unitsPerInch } = read();
    return x * unitsPerInch > 0 && y * unitsPerInch > 0 ? { x: x * unitsPerInch, y: y * unitsPerInch } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
