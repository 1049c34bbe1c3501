/** CCITT G4: what libtiff reads is what was encoded, whatever the pixels. */
import { randomBytes } from 'node:crypto';
import { testPage } from '@platen/conformance';
import { toBilevelTiff } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import { encodeG4, type Bits } from './g4.js';

/** The data as the one strip of a TIFF (TIFF 6.0, section 11): white is zero. */
function tiffOf({ width, height }: Bits, data: Uint8Array): Buffer {
  const tags = [
    [256, width],
    [257, height],
    [258, 1],
    [259, 4],
    [262, 0],
    [273, 8],
    [277, 1],
    [278, height],
    [279, data.length],
  ] as const;
  const head = Buffer.from([...Buffer.from('II*\0', 'latin1'), 0, 0, 0, 0]);
  head.writeUInt32LE(8 + data.length, 4);
  const directory = Buffer.alloc(2 + tags.length * 12 + 4);
  directory.writeUInt16LE(tags.length, 0);
  tags.forEach(([tag, value], i) => {
    directory.writeUInt16LE(tag, 2 + i * 12);
    directory.writeUInt16LE(4, 4 + i * 12);
    directory.writeUInt32LE(1, 6 + i * 12);
    directory.writeUInt32LE(value, 10 + i * 12);
  });
  return Buffer.concat([head, data, directory]);
}

const read = async (tiff: Uint8Array): Promise<Buffer> =>
  sharp(tiff, { limitInputPixels: false, failOn: 'warning' }).toColourspace('b-w').raw().toBuffer();

/** libtiff's pixels of the encoded page and of the page itself. */
async function isSame(page: Bits): Promise<boolean> {
  const [seen, wanted] = [await read(tiffOf(page, encodeG4(page))), await read(toBilevelTiff(page))];
  return seen.equals(wanted);
}

/** Rows of black runs from `from` to `until`. */
function rowsOf(width: number, runs: readonly (readonly [from: number, until: number])[][]): Bits {
  const stride = Math.ceil(width / 8);
  const data = new Uint8Array(stride * runs.length);
  runs.forEach((row, y) => {
    for (const [from, until] of row) for (let x = from; x < until; x++) data[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  });
  return { width, height: runs.length, stride, data };
}

void t.test('encodeG4: runs of every length of both colours, the same pixels', async t => {
  const width = 8000;
  const none: [number, number][] = [];
  // Below an empty row, a run is coded by its length: white from the edge, then black.
  const lengths = Array.from({ length: 2700 }, (_, length) => length + 1);
  const black = lengths.flatMap(length => [none, [[9, 9 + length] as [number, number]]]);
  const white = lengths.flatMap(length => [none, [[length + 4, length + 9] as [number, number]]]);
  t.ok(await isSame(rowsOf(width, black)), 'black');
  t.ok(await isSame(rowsOf(width, white)), 'white');
  const long = [2560, 2561, 2623, 2624, 5119, 5120, 5121, 5184, 7679, 7680, 7681];
  t.ok(
    await isSame(
      rowsOf(
        width,
        long.flatMap(length => [none, [[0, length]], none, [[length, 8000]]]),
      ),
    ),
    'repeated',
  );
});

void t.test('encodeG4: pages of any size and content, the same pixels', async t => {
  const wrong: string[] = [];
  for (const width of [1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 200, 1001]) {
    for (const height of [1, 2, 37]) {
      for (const [kind, fill] of Object.entries({
        noise: (row: number) => randomBytes(row * height),
        white: (row: number) => Buffer.alloc(row * height),
        black: (row: number) => Buffer.alloc(row * height, 0xff),
        rows: (row: number) =>
          Buffer.from(Array.from({ length: height }, (_, y) => Array<number>(row).fill(y % 3 ? 0 : 255)).flat()),
        nearlySame: (row: number) => {
          // Edges that wander by up to five pixels, for all the vertical code words and pass mode.
          const data = Buffer.alloc(row * height);
          for (let y = 0; y < height; y++)
            for (let x = 0; x < width; x++)
              if ((x + ((y * 7) % 6)) % 23 > 11 && (y + x) % 17 > 0) data[y * row + (x >> 3)]! |= 0x80 >> (x & 7);
          return data;
        },
      })) {
        for (const padding of [0, 3]) {
          const stride = Math.ceil(width / 8) + padding;
          if (!(await isSame({ width, height, stride, data: fill(stride) })))
            wrong.push(`${kind} ${width} x ${height}, padding ${padding}`);
        }
      }
    }
  }
  t.strictSame(wrong, []);
  t.ok(await isSame(testPage({ pixels: 'bw1', width: 2001, height: 500, padding: 2 })), 'the test page');
});

void t.test('encodeG4: every pair of rows of up to 8 pixels, the same pixels', async t => {
  for (let width = 1; width <= 8; width++) {
    const rows = 1 << width;
    const data = new Uint8Array(rows * rows * 2);
    for (let above = 0; above < rows; above++)
      for (let row = 0; row < rows; row++)
        data.set([above << (8 - width), row << (8 - width)], (above * rows + row) * 2);
    t.ok(await isSame({ width, height: data.length, stride: 1, data }), `${width} pixels`);
  }
});

void t.test('encodeG4: 1 is black in the code words themselves', async t => {
  const data = Uint8Array.of(0xff, 0xf0);
  const bits = [...encodeG4({ width: 12, height: 1, stride: 2, data })].map(byte => byte.toString(2).padStart(8, '0'));
  // T.6: horizontal mode, a white run of 0, a black run of 12, the end of the block.
  t.equal(bits.join(''), ['001', '00110101', '0000111', '000000000001', '000000000001', '000000'].join(''));
});

void t.test('encodeG4: edges as a scanner sees them, 2% shorter than libtiff at least', async t => {
  // Strokes whose edges wander from row to row.
  const [width, height] = [1700, 1100];
  const text = rowsOf(
    width,
    Array.from({ length: height }, (_, y) =>
      y % 40 < 14
        ? []
        : Array.from({ length: 60 }, (__, i): [number, number] => {
            const edge = i * 28 + ((y * 7 + i * 5) % 3) + ((y >> 2) % (2 + (i % 7)));
            return [edge, edge + 4 + ((y * 3 + i) % 3)];
          }),
    ),
  );
  t.ok(await isSame(text));
  for (const [page, most] of [
    [text, 0.98],
    [testPage({ pixels: 'bw1', width: 1700, height: 2200 }), 1],
    [
      rowsOf(
        900,
        Array.from({ length: 900 }, () => [[3, 700] as [number, number]]),
      ),
      1,
    ],
  ] as const) {
    const file = await sharp(toBilevelTiff(page))
      .toColourspace('b-w')
      .tiff({ compression: 'ccittfax4', bitdepth: 1, miniswhite: true })
      .toBuffer();
    const own = encodeG4(page).length;
    t.ok(own <= file.length * most, `${own} bytes, libtiff's file ${file.length}`);
  }
});
