/** Colour to grey: the luma of ITU-R BT.601, which scanners and image libraries use. */

/**
 * @param data three bytes a pixel
 * @returns one byte a pixel
 */
export function lumaOf(data: Uint8Array): Uint8Array {
  const grey = new Uint8Array(data.length / 3);
  for (let i = 0, at = 0; i < grey.length; i++, at += 3)
    grey[i] = (77 * data[at]! + 150 * data[at + 1]! + 29 * data[at + 2]! + 128) >> 8;
  return grey;
}
