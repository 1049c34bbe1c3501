/** The JFIF header: where a JPEG says its resolution (JFIF 1.02, "JFIF syntax"). */

const START = 2;

/**
 * Puts a JFIF header behind the start marker of a JPEG without one. sharp stores a resolution as EXIF only, which
 * many readers do not look into.
 * @param dpi rounded to a whole number, as the field is one
 */
export function withJfif(jpeg: Uint8Array, dpi: number): Uint8Array {
  const head = Buffer.from('ffd8ffe000104a46494600010201000000000000', 'hex');
  const density = Math.min(Math.round(dpi), 0xffff);
  head.writeUInt16BE(density, 14);
  head.writeUInt16BE(density, 16);
  return Buffer.concat([head, jpeg.subarray(START)]);
}
