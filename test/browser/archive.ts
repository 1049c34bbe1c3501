/** Reads a ZIP archive without compression, as the page writes it. */
import { crc32 } from 'node:zlib';

export interface ArchivedBytes {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The files of the archive's directory, whose length is in its end record. @throws if a file is incomplete */
export function filesIn(zip: Buffer): ArchivedBytes[] {
  const end = zip.subarray(-22);
  let at = end.readUInt32LE(16);
  return Array.from({ length: end.readUInt16LE(10) }, () => {
    const length = zip.readUInt16LE(at + 28);
    const name = zip.toString('latin1', at + 46, at + 46 + length);
    const start = zip.readUInt32LE(at + 42) + 30 + length;
    const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    if (crc32(bytes) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is incomplete`);
    at += 46 + length;
    return { name, bytes };
  });
}
