/** 1-bit TIFFs: our own round trip, files of other programs, and rejected files. */
import { testPage } from '@platen/conformance';
import t from 'tap';
import { fromBilevelTiff, toBilevelTiff } from './bilevelTiff.js';

type Tag = [tag: number, type: number, count: number, value: number];
const SHORT = 3;
const LONG = 4;

/** A TIFF as another program lays it out: pixels first, the directory last. */
function foreignTiff(rows: Uint8Array, extra: readonly Tag[], tail: Uint8Array = new Uint8Array()): Uint8Array {
  const tags = new Map<number, Tag>();
  const size: Tag[] = [
    [256, LONG, 1, 12],
    [257, LONG, 1, 2],
    [258, SHORT, 1, 1],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 1],
    [273, LONG, 1, 8],
  ];
  for (const tag of [...size, ...extra]) tags.set(tag[0], tag);
  const at = 8 + rows.length + tail.length;
  const file = Buffer.alloc(at + 2 + tags.size * 12 + 4);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(at, 4);
  file.set(rows, 8);
  file.set(tail, 8 + rows.length);
  file.writeUInt16LE(tags.size, at);
  [...tags.values()].forEach(([tag, type, count, value], i) => {
    file.writeUInt16LE(tag, at + 2 + i * 12);
    file.writeUInt16LE(type, at + 4 + i * 12);
    file.writeUInt32LE(count, at + 6 + i * 12);
    file.writeUInt32LE(value, at + 10 + i * 12);
  });
  return file;
}

const rows = Uint8Array.of(0b1010_0000, 0b0001_0000, 0b1111_1111, 0b0000_0000);

for (const width of [1, 7, 8, 9, 61, 64]) {
  void t.test(`bilevelTiff: a page ${width} pixels wide, the same after encoding and decoding`, async t => {
    for (const padding of [0, 3]) {
      const size = { width, height: 5, pixels: 'bw1' } as const;
      const packed = testPage(size);
      const read = fromBilevelTiff(toBilevelTiff(testPage({ ...size, padding })));
      t.strictSame(
        { ...read, data: new Uint8Array(read.data) },
        { pixels: 'bw1', width, height: 5, stride: packed.stride, data: packed.data },
      );
    }
  });
}

void t.test('bilevelTiff: decoded rows, share no memory with the file', async t => {
  const file = toBilevelTiff(testPage({ pixels: 'bw1' }));
  const before = file.slice();
  fromBilevelTiff(file).data.fill(0);
  t.strictSame(file, before);
});

void t.test('bilevelTiff: 1 is white, inverted', async t => {
  t.strictSame(
    [...fromBilevelTiff(foreignTiff(rows, [])).data],
    [...rows].map(value => ~value & 0xff),
  );
});

void t.test('bilevelTiff: 0 is white, read as it is', async t => {
  t.strictSame([...fromBilevelTiff(foreignTiff(rows, [[262, SHORT, 1, 0]])).data], [...rows]);
});

void t.test('bilevelTiff: strip table elsewhere in the file, found', async t => {
  const table = Buffer.alloc(8);
  table.writeUInt32LE(8, 0);
  table.writeUInt32LE(10, 4);
  const file = foreignTiff(
    rows,
    [
      [262, SHORT, 1, 0],
      [273, LONG, 2, 12],
      [278, SHORT, 1, 1],
    ],
    table,
  );
  t.strictSame([...fromBilevelTiff(file).data], [...rows]);
});

void t.test('bilevelTiff: unsupported file, rejected with the reason', async t => {
  t.throws(() => fromBilevelTiff(Buffer.from('MM\0*0000')), /little-endian/);
  t.throws(() => fromBilevelTiff(foreignTiff(rows, [[258, SHORT, 1, 8]])), /1-bit/);
  t.throws(() => fromBilevelTiff(foreignTiff(rows, [[259, SHORT, 1, 4]])), /uncompressed/);
  t.throws(() => fromBilevelTiff(foreignTiff(rows, [[257, LONG, 1, 1000]])), /before its last row/);
  const file = toBilevelTiff(testPage({ pixels: 'bw1' }));
  file[10] = 1; // tag 256 becomes 257
  t.throws(() => fromBilevelTiff(file), /tag 256|strips/);
});
