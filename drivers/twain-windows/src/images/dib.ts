/** A device-independent bitmap from a native transfer, in pieces. */
import { rowBytes, ScanError } from '@platen/core/plugin';
import { pageBuffer, type PageRows } from '@platen/driver-kit';
import { colour, type Colour, createRowReader, indexed, type RowReader, type Samples } from './rows.js';

export interface TransferredPage extends PageRows {
  readonly dpi: number;
}

/** BITMAPINFOHEADER, and what follows it. */
interface Header {
  readonly width: number;
  readonly height: number;
  readonly topDown: boolean;
  readonly bits: number;
  /** Dots per inch; 0 if not specified. */
  readonly dpi: number;
  /** The offset of the rows. */
  readonly start: number;
  readonly palette: readonly Colour[];
}

export interface Dib {
  push(piece: Uint8Array): void;
  /** @throws ScanError `driver-failed` for a bitmap that ended too soon */
  finish(): { readonly page: PageRows; readonly dpi: number };
}

const LEAST_HEADER = 40;
const INCHES_PER_METRE = 39.3700787;
const COMPRESSION = { RGB: 0, BITFIELDS: 3 };
const masks = { red: 0xff0000, green: 0x00ff00, blue: 0x0000ff };

/**
 * `push` throws a ScanError `unsupported` for a bitmap that is too large or of an unknown kind, before
 * anything is allocated.
 */
export function createDib(maxPixels: number): Dib {
  let head: Uint8Array = new Uint8Array();
  let begun: { readonly header: Header; readonly rows: RowReader; page(): PageRows } | undefined;
  let y = 0;

  function begin(header: Header): NonNullable<typeof begun> {
    const { width, height, topDown } = header;
    const samples = samplesOf(header);
    const { pixels } = samples;
    const stride = rowBytes(pixels, width);
    const buffer = pageBuffer({ width, height, pixels, stride, maxPixels });
    const rows = createRowReader(Math.ceil((width * header.bits) / 32) * 4, samples.least, row => {
      if (y < height) samples.write(row, buffer.data, (topDown ? y : height - 1 - y) * stride);
      y++;
    });
    return { header, rows, page: () => buffer.page(height * stride) };
  }

  return {
    push(piece) {
      if (begun) return begun.rows.push(piece);
      head = head.length === 0 ? piece : Buffer.concat([head, piece]);
      const header = headerOf(head);
      if (!header) return;
      begun = begin(header);
      begun.rows.push(head.subarray(header.start));
    },
    finish() {
      begun?.rows.end();
      if (!begun || y < begun.header.height) {
        throw new ScanError('driver-failed', 'The driver delivered a bitmap that ends before its last row.');
      }
      return { page: begun.page(), dpi: begun.header.dpi };
    },
  };
}

/** Undefined until enough bytes have arrived. */
function headerOf(bytes: Uint8Array): Header | undefined {
  if (bytes.length < LEAST_HEADER) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(0, true);
  const width = view.getInt32(4, true);
  const height = view.getInt32(8, true);
  const bits = view.getUint16(14, true);
  const compression = view.getUint32(16, true);
  const colours = view.getUint32(32, true) || (bits <= 8 ? 1 << bits : 0);
  if (size < LEAST_HEADER || size > 1024 || width < 1 || height === 0 || colours > 4096) {
    throw new ScanError('driver-failed', 'The driver delivered data that is not a bitmap.');
  }
  const fields = compression === COMPRESSION.BITFIELDS;
  // A longer header contains the masks.
  const masked = fields && size === LEAST_HEADER ? 12 : 0;
  const start = size + masked + colours * 4;
  if (bytes.length < start || (fields && bytes.length < LEAST_HEADER + 12)) return undefined;
  const usual = [masks.red, masks.green, masks.blue].every(
    (mask, i) => fields && view.getUint32(LEAST_HEADER + 4 * i, true) === mask,
  );
  if (![1, 4, 8, 24, 32].includes(bits) || (compression !== COMPRESSION.RGB && !(usual && bits === 32))) {
    throw new ScanError(
      'unsupported',
      `Platen does not read bitmaps with ${bits} bits per pixel and compression ${compression}.`,
    );
  }
  const palette = Array.from({ length: Math.min(256, colours) }, (_, i): Colour => {
    const at = size + masked + 4 * i;
    return [bytes[at + 2]!, bytes[at + 1]!, bytes[at]!];
  });
  return {
    width,
    height: Math.abs(height),
    topDown: height < 0,
    bits,
    dpi: view.getInt32(24, true) / INCHES_PER_METRE,
    start,
    palette,
  };
}

function samplesOf({ width, bits, palette }: Header): Samples {
  // An all-black palette was never filled in.
  const told = palette.some(each => each.some(level => level > 0));
  const ramp = (_: unknown, i: number): Colour =>
    [i, i, i].map(place => Math.round((255 * place) / ((1 << bits) - 1))) as [number, number, number];
  return bits <= 8
    ? indexed(width, bits as 1 | 4 | 8, told ? palette : Array.from({ length: 1 << bits }, ramp))
    : colour(width, [2, 1, 0], bits / 8);
}
