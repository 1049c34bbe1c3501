/** A fault of ImageCaptureCore that others have met: grey rows that are said to be padded, and are not. */

/**
 * Whether the rows lie one behind the other, although each is said to take `bytesPerRow`: then what is left over is a block of zeros at the page's
 * end, and what should be padding is picture. A page of nothing but zeros is the same either way.
 * NAPS2 takes all grey pages for packed (DeviceOperator.cs); here the page itself decides.
 */
export function isPacked(page: Uint8Array, width: number, height: number, bytesPerRow: number): boolean {
  const padding = bytesPerRow - width;
  if (padding <= 0) return false;
  const end = width * height;
  for (let i = end; i < bytesPerRow * height; i++) if (page[i] !== 0) return false;
  for (let row = 0; row < height; row++) {
    const start = row * bytesPerRow + width;
    for (let i = start; i < start + padding && i < end; i++) if (page[i] !== 0) return true;
  }
  return false;
}
