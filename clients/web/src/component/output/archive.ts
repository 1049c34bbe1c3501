/** A ZIP archive without compression: images are compressed already. After APPNOTE.TXT 6.3, sections 4.3 and 4.4. */

export interface ArchivedFile {
  /** Unique in its archive. */
  readonly name: string;
  /** Called once: the archive holds one file after the other. */
  read(): Promise<Blob>;
  readonly at: Date;
}

const VERSION = 20;
/** The names are UTF-8. */
const UTF_8 = 0x0800;
/** Made on Unix: some programs read the names of others in a code page of DOS, whatever the flag says. */
const UNIX = 0x0300;
/** A file that its owner may write and everybody may read, in the field's upper half. */
const MODE = 0o100644 * 0x1_0000;

/** What the format's 4-byte fields can address, less the directory. */
export const MOST_BYTES = 0xf000_0000;

/** @param files together at most `MOST_BYTES` */
export async function archiveOf(files: readonly ArchivedFile[]): Promise<Blob> {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let offset = 0;
  let directorySize = 0;
  for (const { name, read, at } of files) {
    const blob = await read();
    const text = new TextEncoder().encode(name);
    const checksum = crc32(new Uint8Array(await blob.arrayBuffer()));
    const common = [
      [2, VERSION],
      [2, UTF_8],
      [2, 0],
      [2, timeOf(at)],
      [2, dateOf(at)],
      [4, checksum],
      [4, blob.size],
      [4, blob.size],
      [2, text.length],
      [2, 0],
    ] as const;
    const header = record([[4, 0x04034b50], ...common]);
    const entry = record([
      [4, 0x02014b50],
      [2, UNIX | VERSION],
      ...common,
      [2, 0],
      [2, 0],
      [2, 0],
      [4, MODE],
      [4, offset],
    ]);
    parts.push(header, text, blob);
    directory.push(entry, text);
    offset += header.length + text.length + blob.size;
    directorySize += entry.length + text.length;
  }
  const end = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, directorySize],
    [4, offset],
    [2, 0],
  ]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/** Little-endian fields of two or four bytes. */
function record(fields: readonly (readonly [2 | 4, number])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

const timeOf = (at: Date): number => (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);
const dateOf = (at: Date): number => ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();

const POLYNOMIAL = 0xedb88320;
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let value = ~0;
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}
