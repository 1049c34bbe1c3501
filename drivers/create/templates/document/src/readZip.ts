/** Reads a ZIP by its directory, as other programs do: for the suite and the tests, not packed. */
import { crc32 } from 'node:zlib';

/** @returns the files by name, in their order. @throws if it is not a whole ZIP of stored files */
export function readZip(bytes: Uint8Array): ReadonlyMap<string, Buffer> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = zip.length - 22;
  if (end < 0 || zip.readUInt32LE(end) !== 0x06054b50) throw new Error('The ZIP has no end.');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error('The directory of the ZIP is broken.');
    const [check, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)];
    const [nameLength, offset] = [zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const from = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
    const file = zip.subarray(from, from + size);
    if (zip.readUInt32LE(offset) !== 0x04034b50 || crc32(file) !== check) throw new Error(`${name} is damaged.`);
    files.set(name, file);
    at += 46 + nameLength;
  }
  if (at !== end) throw new Error('The directory of the ZIP has another length.');
  return files;
}
