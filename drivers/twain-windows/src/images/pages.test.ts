/** Bitmaps and strips from sources, as pages. */
import type { Frame } from '@platen/driver-kit';
import t from 'tap';
import { createDib } from './dib.js';
import type { Colour } from './rows.js';
import { createStrips, type StripOptions } from './strips.js';
import type { ImageInfo } from '../protocol/structures.js';

const MOST = 1_000_000;

interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly palette?: readonly Colour[];
  readonly rows: readonly (readonly number[])[];
  readonly header?: (view: DataView) => void;
}

/** Rows in memory, each padded to four bytes. */
function bitmap({ width, height, bits, palette = [], rows, header }: Bitmap): Uint8Array {
  const stride = Math.ceil((width * bits) / 32) * 4;
  const bytes = new Uint8Array(40 + 4 * palette.length + rows.length * stride);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 40, true);
  view.setInt32(4, width, true);
  view.setInt32(8, height, true);
  view.setUint16(14, bits, true);
  view.setInt32(24, 7874, true);
  if (bits <= 8) view.setUint32(32, palette.length, true);
  header?.(view);
  palette.forEach(([red, green, blue], i) => bytes.set([blue, green, red], 40 + 4 * i));
  rows.forEach((row, y) => bytes.set(row, 40 + 4 * palette.length + y * stride));
  return bytes;
}

/** In pieces of every size, so that rows are cut everywhere. */
function read(bytes: Uint8Array, maxPixels = MOST) {
  const [whole, ...others] = [bytes.length, 1, 3, 41, 47].map(piece => {
    const dib = createDib(maxPixels);
    for (let at = 0; at < bytes.length; at += piece) dib.push(bytes.subarray(at, at + piece));
    const {
      page: { data, ...facts },
      dpi,
    } = dib.finish();
    return { ...facts, data: [...data], dpi: Math.round(dpi) };
  });
  for (const other of others)
    if (JSON.stringify(other) !== JSON.stringify(whole)) throw new Error('the pieces gave a different page');
  return whole!;
}

const black: Colour = [0, 0, 0];
const white: Colour = [255, 255, 255];

t.test('bitmaps: bottom up and top down, rows in reading order', async t => {
  const rows = [
    [1, 2],
    [3, 4],
  ];
  const palette = Array.from({ length: 256 }, (_, i): Colour => [i, i, i]);
  t.strictSame(read(bitmap({ width: 2, height: 2, bits: 8, palette, rows })), {
    width: 2,
    height: 2,
    pixels: 'gray8',
    stride: 2,
    data: [3, 4, 1, 2],
    dpi: 200,
  });
  t.strictSame(read(bitmap({ width: 2, height: -2, bits: 8, palette, rows })).data, [1, 2, 3, 4]);
});

t.test('bitmaps: each depth and palette, converted to Platen pixels', async t => {
  t.match(
    read(
      bitmap({
        width: 1,
        height: 2,
        bits: 24,
        rows: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      }),
    ),
    { pixels: 'rgb24', stride: 3, data: [6, 5, 4, 3, 2, 1] },
    'blue first',
  );
  t.match(read(bitmap({ width: 1, height: 1, bits: 32, rows: [[1, 2, 3, 99]] })), { pixels: 'rgb24', data: [3, 2, 1] });
  t.match(
    read(bitmap({ width: 10, height: 1, bits: 1, palette: [black, white], rows: [[0b10100000, 0b01111111]] })),
    { pixels: 'bw1', stride: 2, data: [0b01011111, 0b10000000] },
    'a zero is black; bits after the last pixel are white',
  );
  t.match(
    read(bitmap({ width: 10, height: 1, bits: 1, palette: [white, black], rows: [[0b10100000, 0b01111111]] })),
    { pixels: 'bw1', data: [0b10100000, 0b01000000] },
    'a zero is white',
  );
  t.match(
    read(
      bitmap({
        width: 2,
        height: 1,
        bits: 1,
        palette: [
          [9, 9, 9],
          [200, 200, 200],
        ],
        rows: [[0b01000000]],
      }),
    ),
    { pixels: 'gray8', data: [9, 200] },
    'two greys',
  );
  t.match(
    read(bitmap({ width: 3, height: 1, bits: 4, palette: [black, [16, 16, 16], [32, 32, 32]], rows: [[0x12, 0x10]] })),
    { pixels: 'gray8', data: [16, 32, 16] },
  );
  t.match(read(bitmap({ width: 3, height: 1, bits: 4, palette: [black, [255, 0, 1]], rows: [[0x01, 0x10]] })), {
    pixels: 'rgb24',
    data: [0, 0, 0, 255, 0, 1, 255, 0, 1],
  });
  t.match(
    read(bitmap({ width: 2, height: 1, bits: 8, palette: [white, black], rows: [[0, 1]] })),
    { pixels: 'gray8', data: [255, 0] },
    'a palette that begins with white',
  );
  t.match(read(bitmap({ width: 2, height: 1, bits: 8, palette: [black, [1, 2, 3]], rows: [[1, 0]] })), {
    pixels: 'rgb24',
    data: [1, 2, 3, 0, 0, 0],
  });
  t.match(
    read(bitmap({ width: 8, height: 1, bits: 1, palette: [black, black], rows: [[0b10100000]] })),
    { pixels: 'bw1', data: [0b01011111] },
    'a palette that was never filled in',
  );
  t.match(
    read(bitmap({ width: 2, height: 1, bits: 8, palette: Array.from({ length: 256 }, () => black), rows: [[1, 254]] })),
    { pixels: 'gray8', data: [1, 254] },
  );
  t.equal(
    read(bitmap({ width: 1, height: 1, bits: 24, rows: [[1, 2, 3]], header: view => view.setInt32(24, 0, true) })).dpi,
    0,
    'an unknown resolution',
  );
});

t.test('bitmaps: malformed, unknown or too large, rejected', async t => {
  const one = { width: 1, height: 1, bits: 24, rows: [[1, 2, 3]] };
  t.throws(() => read(bitmap({ ...one, bits: 16, header: view => view.setUint16(14, 16, true) })), {
    code: 'unsupported',
    message: /16 bits per pixel/,
  });
  t.throws(() => read(bitmap({ ...one, header: view => view.setUint32(16, 1, true) })), {
    code: 'unsupported',
    message: /compression 1/,
  });
  t.throws(() => read(bitmap({ ...one, header: view => view.setUint32(0, 12, true) })), { code: 'driver-failed' });
  t.throws(() => read(bitmap({ ...one, header: view => view.setInt32(4, 0, true) })), { code: 'driver-failed' });
  t.throws(
    () => read(bitmap({ ...one, height: 2 })),
    { code: 'driver-failed', message: /ends before its last row/ },
    'a row is missing',
  );
  t.throws(() => createDib(MOST).finish(), { code: 'driver-failed' });
  // A bitmap of 40 GB is rejected by its header.
  t.throws(() => read(bitmap({ ...one, header: view => [4, 8].forEach(at => view.setInt32(at, 100_000, true)) })), {
    code: 'unsupported',
    message: /10000000000 pixels/,
  });
});

const gray: ImageInfo = {
  xResolution: 200,
  yResolution: 200,
  width: 3,
  length: 2,
  samplesPerPixel: 1,
  bitsPerSample: [8],
  bitsPerPixel: 8,
  planar: false,
  pixelType: 1,
  compression: 0,
};

function taken(
  info: Partial<ImageInfo>,
  frames: readonly (readonly [header: object, data: readonly number[]])[],
  options: Partial<StripOptions> = {},
) {
  const strips = createStrips({
    info: { ...gray, ...info },
    maxPixels: MOST,
    vanilla: false,
    lowestFirst: false,
    palette: [],
    ...options,
  });
  for (const [header, data] of frames)
    strips.push({
      header: { compression: 0, columns: info.width ?? 3, xOffset: 0, yOffset: 0, ...header } as Frame['header'],
      data: Uint8Array.from(data),
    });
  const { data, ...page } = strips.finish();
  return { ...page, data: [...data] };
}

t.test('strips: padding, unknown and wrong lengths, parts, the same page', async t => {
  const rows = [
    [{ bytesPerRow: 5, rows: 1 }, [1, 2, 3, 99, 99]],
    [{ bytesPerRow: 5, rows: 1 }, [4, 5, 6]],
  ] as const;
  const page = { width: 3, height: 2, pixels: 'gray8', stride: 3, data: [1, 2, 3, 4, 5, 6] };
  t.strictSame(taken({}, rows), page, 'the last row lacks its padding');
  t.strictSame(taken({ length: -1 }, rows), page);
  t.strictSame(taken({ length: 1 }, rows), page, 'more rows than were announced');
  t.strictSame(taken({ length: 9000 }, rows), page, 'fewer');
  t.strictSame(
    taken({}, [
      [{ bytesPerRow: 3, part: true }, [1, 2]],
      [{ bytesPerRow: 3, part: true }, [3, 4, 5]],
      [{ bytesPerRow: 3 }, [6]],
    ]),
    page,
    'one strip in three frames',
  );
  t.strictSame(
    taken({}, [
      [{ bytesPerRow: 4 }, [1, 2, 3, 99]],
      [{ bytesPerRow: 3 }, [4, 5, 6]],
      [{ bytesPerRow: 0 }, []],
    ]),
    page,
    'different padding in each, and an empty strip',
  );
  const nothing = [
    { compression: 0xffff, bytesPerRow: 0xffffffff, columns: 0xffffffff, rows: 0xffffffff },
    [],
  ] as const;
  t.strictSame(
    taken({}, [
      [{ bytesPerRow: 3, rows: 1 }, [1, 2, 3, 7, 7, 7, 7]],
      [{ bytesPerRow: 3, rows: 1, part: true }, [4, 5, 6, 7]],
      [{ bytesPerRow: 3, rows: 1 }, [7, 7]],
      nothing,
    ]),
    page,
    'as long as the buffer, with an end without facts',
  );
  const silent = { bytesPerRow: 0xffffffff, columns: 0xffffffff, xOffset: 0xffffffff, yOffset: 0xffffffff };
  t.strictSame(
    taken({}, [[{ ...silent, rows: 2, bytesWritten: 10 }, [1, 2, 3, 99, 99, 4, 5, 6, 99, 99]]]),
    page,
    'an unknown row length, from the length of the strip',
  );
  t.strictSame(
    taken({}, [[{ ...silent, rows: 0xffffffff, bytesWritten: 6 }, [1, 2, 3, 4, 5, 6]]]),
    page,
    'an unknown number of rows, too',
  );
  const long = Array.from({ length: 5000 }, (_, y) => [{ bytesPerRow: 3 }, [y & 255, 2, 3]] as const);
  t.match(taken({ length: -1 }, long), { height: 5000 });
});

t.test('strips: tiles in any order, assembled; a missing tile is a failure', async t => {
  const tiles = [
    [{ bytesPerRow: 2, columns: 2, rows: 2, xOffset: 0, yOffset: 0 }, [1, 2, 4, 5]],
    [{ bytesPerRow: 3, columns: 1, rows: 2, xOffset: 2, yOffset: 0 }, [3, 99, 99, 6, 99, 99]],
  ] as const;
  t.strictSame(taken({}, tiles), { width: 3, height: 2, pixels: 'gray8', stride: 3, data: [1, 2, 3, 4, 5, 6] });
  t.strictSame(taken({}, tiles.toReversed()).data, [1, 2, 3, 4, 5, 6], 'in another order');
  t.throws(() => taken({}, [tiles[0], [{ ...tiles[1][0], rows: 1 }, [3]]]), {
    code: 'driver-failed',
    message: /missing tile/,
  });
  t.throws(
    () =>
      taken({ bitsPerPixel: 1, width: 16 }, [[{ bytesPerRow: 1, columns: 4, xOffset: 4, yOffset: 0, rows: 1 }, [1]]]),
    { code: 'unsupported' },
    'in the middle of a byte',
  );
});

t.test('strips: each depth and polarity, converted to Platen pixels', async t => {
  const one = (
    info: Partial<ImageInfo>,
    bytesPerRow: number,
    data: readonly number[],
    options?: Partial<StripOptions>,
  ) => taken({ length: 1, ...info }, [[{ bytesPerRow }, data]], options);
  t.match(one({}, 3, [0, 1, 255], { vanilla: true }), { pixels: 'gray8', data: [255, 254, 0] });
  const bw = { width: 9, bitsPerPixel: 1, pixelType: 0 };
  t.match(one(bw, 2, [0b10000001, 0b10000000]), { pixels: 'bw1', data: [0b01111110, 0] }, 'a zero is black');
  t.match(
    one(bw, 2, [0b10000001, 0b11111111], { vanilla: true }),
    { data: [0b10000001, 0b10000000] },
    'a zero is white',
  );
  t.match(
    one(bw, 2, [0b00000011, 0b00000001], { vanilla: true, lowestFirst: true }),
    { data: [0b11000000, 0b10000000] },
    'the lowest bit first',
  );
  t.match(one({ width: 1, bitsPerPixel: 24, pixelType: 2, samplesPerPixel: 3 }, 4, [1, 2, 3, 99]), {
    pixels: 'rgb24',
    data: [1, 2, 3],
  });
  t.match(one({ width: 1, bitsPerPixel: 32, pixelType: 2 }, 4, [1, 2, 3, 99]), { pixels: 'rgb24', data: [1, 2, 3] });
  t.match(one({ width: 1, bitsPerPixel: 48, pixelType: 2 }, 6, [99, 1, 99, 2, 99, 3]), {
    pixels: 'rgb24',
    data: [1, 2, 3],
  });
  t.match(one({ width: 2, bitsPerPixel: 16 }, 4, [99, 1, 99, 2]), { pixels: 'gray8', data: [1, 2] });
  t.match(one({ width: 3, bitsPerPixel: 4 }, 2, [0x0f, 0x10]), { pixels: 'gray8', data: [0, 255, 17] });
  t.match(
    one({ width: 2, bitsPerPixel: 8, pixelType: 3 }, 2, [1, 0], {
      palette: [
        [0, 0, 0],
        [1, 2, 3],
      ],
    }),
    { pixels: 'rgb24', data: [1, 2, 3, 0, 0, 0] },
  );
});

t.test('strips: malformed, unknown or too large, rejected', async t => {
  const one = (info: Partial<ImageInfo>, header: object) => taken(info, [[{ bytesPerRow: 3, ...header }, [1, 2, 3]]]);
  t.throws(() => one({}, { compression: 6 }), { code: 'unsupported', message: /compressed/ });
  t.throws(() => one({ planar: true, samplesPerPixel: 3, bitsPerPixel: 24, width: 1 }, {}), {
    code: 'unsupported',
    message: /colour by colour/,
  });
  t.throws(() => one({ bitsPerPixel: 12 }, {}), { code: 'unsupported' });
  t.match(
    one({ width: 5, length: 1 }, { columns: 3 }),
    { width: 3, stride: 3, data: [1, 2, 3] },
    'narrower than announced',
  );
  t.throws(() => one({}, { columns: 4 }), { code: 'driver-failed', message: /4 pixels are 3 bytes/ });
  t.throws(
    () => taken({}, [[{ bytesPerRow: 0xfffffffe, rows: 1 }, [1, 2, 3]]]),
    { code: 'driver-failed' },
    'a row that exceeds the memory',
  );
  t.throws(() => taken({}, [[{ bytesPerRow: 3 }, [1, 2, 3, 4]]]), {
    code: 'driver-failed',
    message: /middle of a row/,
  });
  t.throws(() => taken({}, []), { code: 'driver-failed', message: /before its first row/ });
  t.throws(() => taken({ length: 1_000_000 }, [[{ bytesPerRow: 3 }, [1, 2, 3]]]), {
    code: 'unsupported',
    message: /3000000 pixels/,
  });
  t.throws(
    () =>
      taken(
        { length: -1 },
        Array.from({ length: 400_000 }, () => [{ bytesPerRow: 3 }, [1, 2, 3]] as const),
      ),
    { code: 'unsupported', message: /more than the 1000000 allowed/ },
    'rejected as soon as it is too long',
  );
});
