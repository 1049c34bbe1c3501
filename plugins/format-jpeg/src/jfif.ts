/** The JFIF header, which holds the resolution of a JPEG (JFIF 1.02, "JFIF syntax"). */

const START = 2;

/**
 * Inserts a JFIF header after the start marker of a JPEG without one. sharp stores a resolution as EXIF only, which
 * many readers ignore.
 * @param dpi rounded to the field's integer
 */
export function withJfif(jpeg: Uint8Array, dpi: number): Uint8Array {
  const head = Buffer.from('ffd8ffe000104a46494600010201000000000000', 'hex');
  const density = Math.min(Math.round(dpi), 0xffff);
  head.writeUInt16BE(density, 14);
  head.writeUInt16BE(density, 16);
  return Buffer.concat([head, jpeg.subarray(START)]);
}
