/** The records of a ZIP file whose entries are stored as they are (PKWARE's APPNOTE.TXT). */
import { ScanError } from '@platen/core/plugin';

const VERSION = 20;
const UTF8 = 0x0800;
/** What fits into 32 and 16 bits. */
const MOST_BYTES = 0xffff_ffff;
const MOST_ENTRIES = 0xffff;

export interface Entry {
  readonly name: string;
  readonly size: number;
  readonly crc: number;
  /** Of its first byte in the file. */
  readonly offset: number;
}

/** Before the bytes of an entry. */
export function entryHead(entry: Entry, createdAt: number): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(0x04034b50);
  return Buffer.concat([head, facts(entry, createdAt), Buffer.from(entry.name)]);
}

/** @throws ScanError `unsupported` if the file became too large for its numbers */
export function assertFits(length: number, entries: number): void {
  if (length <= MOST_BYTES && entries <= MOST_ENTRIES) return;
  throw new ScanError('unsupported', 'The document is larger than a CBZ file can be: 4 GB, or 65,535 pages.');
}

/** After all entries: the list of them. @param length of the file so far */
export function directory(entries: readonly Entry[], length: number, createdAt: number): Buffer {
  const list = Buffer.concat(
    entries.flatMap(entry => {
      const [head, tail] = [Buffer.alloc(6), Buffer.alloc(14)];
      head.writeUInt32LE(0x02014b50);
      head.writeUInt16LE(VERSION, 4);
      tail.writeUInt32LE(entry.offset, 10);
      return [head, facts(entry, createdAt), tail, Buffer.from(entry.name)];
    }),
  );
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(length, 16);
  return Buffer.concat([list, end]);
}

function facts({ name, size, crc }: Entry, createdAt: number): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION);
  fields.writeUInt16LE(UTF8, 2);
  const at = new Date(Math.max(createdAt, Date.UTC(1980, 0)));
  fields.writeUInt16LE((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1), 6);
  fields.writeUInt16LE(((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(), 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(size, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}
