/** A band from the helper: rows of the page being scanned, and their layout. */
import { ScanError, type Pixels } from '@platen/core/plugin';

export interface Band {
  readonly startRow: number;
  /** Of the full image. */
  readonly width: number;
  readonly height: number;
  readonly bytesPerRow: number;
  /** Bytes from the start of the band, if it arrives in several frames. */
  readonly offset: number;
  readonly bandBytes: number;
  readonly kind: BandKind;
}

export interface BandKind {
  readonly pixels: Pixels;
  /** Per pixel; 4 if the fourth is unused. */
  readonly components: number;
}

/** ICScannerPixelDataType, components and bits of each. */
const kinds: Readonly<Record<string, BandKind>> = {
  '2/3/8': { pixels: 'rgb24', components: 3 },
  '2/4/8': { pixels: 'rgb24', components: 4 },
  '1/1/8': { pixels: 'gray8', components: 1 },
  '0/1/1': { pixels: 'bw1', components: 1 },
  // 1-bit pages may be reported as grey.
  '0/1/8': { pixels: 'gray8', components: 1 },
};

const MOST_PADDING = 64 * 1024;

/** @throws ScanError for pixel formats unknown to Platen, and for impossible numbers */
export function readBand(header: Readonly<Record<string, unknown>>): Band {
  const { pixelType, components, depth } = header;
  const numbers = ['startRow', 'width', 'height', 'bytesPerRow', 'offset', 'bandBytes'].map(name => header[name]);
  if (!numbers.every(each => Number.isSafeInteger(each) && (each as number) >= 0))
    throw new ScanError('driver-failed', 'The scanner sent a band without its size.');
  const [startRow, width, height, bytesPerRow, offset, bandBytes] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const kind = kinds[`${pixelType}/${components}/${depth}`];
  if (!kind)
    throw new ScanError(
      'unsupported',
      `Platen does not read pages of pixel type ${pixelType} with ${components} components of ${depth} bits.`,
    );
  const row = kind.pixels === 'bw1' ? Math.ceil(width / 8) : width * kind.components;
  if (width < 1 || height < 1 || bytesPerRow < row || bytesPerRow > row + MOST_PADDING) {
    throw new ScanError(
      'driver-failed',
      `The scanner reports an impossible line: ${width} pixels in ${bytesPerRow} bytes.`,
    );
  }
  return { startRow, width, height, bytesPerRow, offset, bandBytes, kind };
}
