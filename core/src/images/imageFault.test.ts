/** Encoded pages against their bytes: complete images of every shape pass; truncated, padded or damaged ones do not. */
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { testJpeg, type TestJpegWishes, testPage } from '@platen/conformance';
import t from 'tap';
import { toBilevelTiff } from '../pixels/bilevelTiff.js';
import { imageFacts } from './imageFacts.js';
import { imageFault, type ImageClaim } from './imageFault.js';

const end = Buffer.from([0xff, 0xd9]);

function jpegClaim(data: Uint8Array, wishes: Partial<ImageClaim> = {}): ImageClaim {
  return { mimeType: 'image/jpeg', width: 100, height: 60, pixels: 'rgb24', data, ...wishes };
}

const shapes: readonly [how: string, wishes: TestJpegWishes, claim?: Partial<ImageClaim>][] = [
  ['colour at half resolution', {}],
  [
    'colour at full resolution',
    {
      components: [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    },
  ],
  [
    'colour at half resolution across',
    {
      components: [
        [2, 1],
        [1, 1],
        [1, 1],
      ],
    },
  ],
  ['grey', { components: [[1, 1]] }, { pixels: 'gray8' }],
  ['grey with its own factors', { components: [[2, 2]] }, { pixels: 'gray8' }],
  [
    'four components',
    {
      components: [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    },
  ],
  ['restart markers', { restartInterval: 3 }],
  ['a restart marker behind each unit', { restartInterval: 1 }],
  ['a scan for each component', { apart: true }],
  ['a scan for each component, with restart markers', { apart: true, restartInterval: 2 }],
  ['its height behind the scan', { later: true }],
  ['one pixel', { width: 1, height: 1 }, { width: 1, height: 1 }],
];

t.test('imageFault: complete JPEG of every shape, no fault', async t => {
  for (const [how, wishes, claim] of shapes) {
    const { file } = testJpeg(wishes);
    t.same(await imageFault(jpegClaim(file, claim)), {}, how);
    t.same(
      await imageFault(jpegClaim(Buffer.concat([file, Buffer.alloc(500)]), claim)),
      {},
      `${how}, and bytes behind its end`,
    );
  }
});

t.test('imageFault: JPEG truncated anywhere, with or without an EOI appended, incomplete', async t => {
  for (const [how, wishes, claim] of shapes.slice(0, -1)) {
    const { file, dataAt } = testJpeg(wishes);
    for (let length = 2; length < file.length; length += 1 + Math.floor(file.length / 97)) {
      const { fault } = await imageFault(jpegClaim(file.subarray(0, length), claim));
      if (fault === undefined) t.fail(`${how}: cut after ${length} of ${file.length} bytes`);
      if (length < dataAt || length > file.length - 6) continue;
      const closed = await imageFault(jpegClaim(Buffer.concat([file.subarray(0, length), end]), claim));
      if (closed.fault === undefined) t.fail(`${how}: cut after ${length} of ${file.length} bytes, and ended`);
    }
    t.pass(how);
  }
});

t.test('imageFault: JPEG with replaced data, faulty', async t => {
  const { file, dataAt } = testJpeg({ width: 800, height: 600 });
  const claim = { width: 800, height: 600 };
  const middle = (dataAt + file.length) >> 1;
  const fills = {
    'by chance': randomBytes(file.length),
    'by zeroes': Buffer.alloc(file.length),
    'by a word': Buffer.alloc(file.length, 'garbage'),
  };
  for (const [how, fill] of Object.entries(fills)) {
    const damaged = Buffer.concat([file.subarray(0, middle), fill.subarray(0, file.length - 2 - middle), end]);
    t.match(await imageFault(jpegClaim(damaged, claim)), { fault: /not a complete image/ }, how);
  }
  const longer = Buffer.concat([file.subarray(0, -2), Buffer.alloc(10_000), end]);
  t.match(await imageFault(jpegClaim(longer, claim)), { fault: /more data than rows/ });
  const padded = Buffer.concat([file.subarray(0, -2), Buffer.alloc(400), end]);
  t.same(await imageFault(jpegClaim(padded, claim)), {}, 'zeroes up to a sector are harmless');
});

t.test('imageFault: JPEG with restart markers out of order or a missing scan, faulty', async t => {
  const { file } = testJpeg({ restartInterval: 3 });
  const wrong = Buffer.from(file);
  wrong[wrong.lastIndexOf(Buffer.from([0xff, 0xd1])) + 1] = 0xd5;
  t.match(await imageFault(jpegClaim(wrong)), { fault: /./ });
  const { file: apart } = testJpeg({ apart: true });
  const lastScan = apart.lastIndexOf(Buffer.from([0xff, 0xda]));
  t.match(await imageFault(jpegClaim(Buffer.concat([apart.subarray(0, lastScan), end]))), { fault: /./ });
});

t.test('imageFault: JPEG with the usual deviations of encoders, no fault', async t => {
  const { file, dataAt } = testJpeg();
  const restarts = testJpeg({ restartInterval: 3 }).file;
  const first = restarts.indexOf(Buffer.from([0xff, 0xd0]));
  const numbers = Buffer.from(file);
  for (const at of [0, 3, 6]) numbers[file.indexOf(Buffer.from([0xff, 0xc0])) + 10 + at] = 7;
  const oddities: Readonly<Record<string, Buffer>> = {
    'fill bytes before the end': Buffer.concat([file.subarray(0, -2), Buffer.alloc(5, 0xff), end]),
    'fill bytes before a restart marker': Buffer.concat([
      restarts.subarray(0, first),
      Buffer.alloc(3, 0xff),
      restarts.subarray(first),
    ]),
    'a restart marker behind the last interval': Buffer.concat([file.subarray(0, -2), Buffer.from([0xff, 0xd3]), end]),
    'bytes between two segments': Buffer.concat([file.subarray(0, 20), Buffer.alloc(4), file.subarray(20)]),
    'components with one number': numbers,
  };
  for (const [how, odd] of Object.entries(oddities)) t.same(await imageFault(jpegClaim(odd)), {}, how);
  const taller = Buffer.from(testJpeg({ height: 960 }).file);
  const frame = taller.indexOf(Buffer.from([0xff, 0xc0]));
  taller.writeUInt16BE(600, frame + 5);
  t.same(await imageFault(jpegClaim(taller, { height: 600 })), {}, 'more rows than the page has');
  const tables = file.indexOf(Buffer.from([0xff, 0xc4]));
  const bare = Buffer.concat([file.subarray(0, tables), file.subarray(dataAt - 14)]);
  t.same(await imageFault(jpegClaim(bare)), { undecided: true }, 'without its tables, which decoders know');
});

t.test('imageFault: JPEG of a kind that scanners do not write, only the EOI is checked', async t => {
  const { file } = testJpeg({ frame: 0xc2 });
  t.same(await imageFault(jpegClaim(file)), { undecided: true });
  t.match(await imageFault(jpegClaim(file.subarray(0, -2))), { fault: /ends too early/ });
});

function png(data: Buffer, { width = 5, height = 4, depth = 8, type = 2, interlaced = 0, closed = true } = {}): Buffer {
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, depth, type, 0, 0, interlaced]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data.subarray(0, 9)),
    chunk('IDAT', data.subarray(9)),
    ...(closed ? [chunk('IEND', Buffer.alloc(0))] : []),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const pngClaim = (data: Uint8Array): ImageClaim => ({
  mimeType: 'image/png',
  width: 5,
  height: 4,
  pixels: 'rgb24',
  data,
});

t.test('imageFault: PNG with wrong chunks, checksums or rows, faulty', async t => {
  const rows = deflateSync(randomBytes(4 * 16));
  const whole = png(rows);
  t.same(await imageFault(pngClaim(whole)), {});
  t.same(
    await imageFault({ ...pngClaim(png(deflateSync(Buffer.alloc(4 * 2)), { depth: 1, type: 0 })), pixels: 'bw1' }),
    {},
    'one bit a pixel',
  );
  // 5 by 4 pixels interlaced: passes of 1x1, 1x1, 2x1, 1x1 (of width 5: 3, 2 and so on), each row after its filter byte.
  const passes = [
    [1, 1],
    [1, 1],
    [2, 0],
    [1, 1],
    [3, 1],
    [2, 2],
    [5, 2],
  ] as const;
  const bytes = passes.reduce((sum, [across, down]) => sum + down * (1 + across * 3), 0);
  t.same(await imageFault(pngClaim(png(deflateSync(Buffer.alloc(bytes)), { interlaced: 1 }))), {}, 'interlaced');
  for (let length = 8; length < whole.length; length++) {
    if ((await imageFault(pngClaim(whole.subarray(0, length)))).fault === undefined)
      t.fail(`cut after ${length} of ${whole.length} bytes`);
  }
  t.match(await imageFault(pngClaim(png(rows, { closed: false }))), { fault: /ends too early/ });
  t.match(
    await imageFault(pngClaim(png(rows.subarray(0, rows.length >> 1)))),
    { fault: /not a complete image/ },
    'half of the data, in chunks that are whole',
  );
  t.match(await imageFault(pngClaim(png(deflateSync(Buffer.alloc(3 * 16))))), { fault: /before the last row/ });
  t.match(await imageFault(pngClaim(png(deflateSync(Buffer.alloc(100 * 16))))), { fault: /more data than rows/ });
  const halfDecoded = { ...pngClaim(png(rows.subarray(0, rows.length >> 1))), decoded: true };
  t.same(await imageFault(halfDecoded), {}, 'found by the decoder, if there is one');
  const flipped = Buffer.from(whole);
  flipped[50]! ^= 1;
  t.match(await imageFault(pngClaim(flipped)), { fault: /damaged/ });
});

t.test('imageFault: TIFF with strips outside the file or missing rows, faulty', async t => {
  const data = toBilevelTiff(testPage({ pixels: 'bw1' }));
  const claim: ImageClaim = { mimeType: 'image/tiff', width: 64, height: 48, pixels: 'bw1', data };
  t.same(await imageFault(claim), {});
  for (let length = 4; length < data.length; length++) {
    if ((await imageFault({ ...claim, data: data.subarray(0, length) })).fault === undefined)
      t.fail(`cut after ${length} of ${data.length} bytes`);
  }
});

t.test('imageFault: header that contradicts the page, faulty', async t => {
  const { file } = testJpeg();
  t.match(await imageFault(jpegClaim(file, { height: 61 })), {
    fault: 'the image is 100 by 60 pixels, the page says 100 by 61',
  });
  t.match(await imageFault(jpegClaim(file, { pixels: 'gray8' })), { fault: /3 channels/ });
  t.match(await imageFault(jpegClaim(file, { mimeType: 'image/png' })), {
    fault: 'its data are image/jpeg, the page says image/png',
  });
  t.match(await imageFault(jpegClaim(Buffer.from('PK\x03\x04'))), { fault: /JPEG, PNG or TIFF/ });
  t.match(await imageFault(jpegClaim(new Uint8Array())), { fault: /JPEG, PNG or TIFF/ });
  t.match(imageFacts(testJpeg({ later: true }).file), { mimeType: 'image/jpeg', width: 100, height: 60, channels: 3 });
});
