/** Size and colour of an encoded image, read from its header: enough to hold a page's words against its bytes. */

export interface ImageFacts {
  readonly mimeType: 'image/jpeg' | 'image/png' | 'image/tiff';
  readonly width: number;
  readonly height: number;
  /** 1 for grey and 1-bit, 3 or 4 for colour; absent where the header does not say. */
  readonly channels: number | undefined;
}

/** Undefined for anything but a readable JPEG, PNG or TIFF. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return png(file) ?? jpeg(file) ?? tiff(file);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // ends within its header
    throw error;
  }
}

/** PNG (ISO/IEC 15948), 11.2.1: IHDR comes first. */
function png(file: Buffer): ImageFacts | undefined {
  if (file.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  const colourType = file.readUInt8(25);
  const channels = { 0: 1, 2: 3, 4: 1, 6: 3 }[colourType];
  return { mimeType: 'image/png', width: file.readUInt32BE(16), height: file.readUInt32BE(20), channels };
}

/** JPEG (ITU-T T.81), B.2.2: the frame header SOF, which no marker but C4, C8 and CC between C0 and CF leaves out. */
function jpeg(file: Buffer): ImageFacts | undefined {
  if (file.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; ; ) {
    if (file.readUInt8(at) !== 0xff) return undefined;
    const marker = file.readUInt8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width, channels] = [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7), file.readUInt8(at + 9)];
      return { mimeType: 'image/jpeg', width, height, channels };
    }
    at += 2 + file.readUInt16BE(at + 2);
  }
}

/** TIFF 6.0, sections 2 and 8: tags 256 and 257 of the first directory; 277 is samples per pixel. */
function tiff(file: Buffer): ImageFacts | undefined {
  const order = file.toString('latin1', 0, 4);
  if (order !== 'II*\0' && order !== 'MM\0*') return undefined;
  const little = order.startsWith('II');
  const short = (at: number) => (little ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const long = (at: number) => (little ? file.readUInt32LE(at) : file.readUInt32BE(at));
  const directory = long(4);
  const values = new Map<number, number>();
  for (let i = 0; i < short(directory); i++) {
    const at = directory + 2 + i * 12;
    values.set(short(at), short(at + 2) === 3 ? short(at + 8) : long(at + 8));
  }
  const [width = 0, height = 0] = [values.get(256), values.get(257)];
  const palette = values.get(262) === 3;
  return { mimeType: 'image/tiff', width, height, channels: palette ? 3 : (values.get(277) ?? 1) };
}
