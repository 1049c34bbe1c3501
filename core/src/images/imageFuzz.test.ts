/** Damaged JPEG, PNG and TIFF files of devices: facts or none, and a verdict; never an error. */
import { testJpeg, testPage, type TestJpegWishes } from '@platen/conformance';
import { damaged, fuzzed } from '@platen/conformance/fuzz';
import * as fc from 'fast-check';
import t from 'tap';
import { crc32, deflateSync } from 'node:zlib';
import { toBilevelTiff } from '../pixels/bilevelTiff.js';
import { hold } from '../walk.test.kit.js';
import { imageFacts } from './imageFacts.js';
import { imageFault, type ImageClaim } from './imageFault.js';
import { PNG_SIGNATURE } from './png.js';

const RUNS = 1300;

const jpegs: readonly TestJpegWishes[] = [
  {},
  { components: [[1, 1]], width: 9, height: 5 },
  { restartInterval: 3 },
  { apart: true, restartInterval: 2 },
  { later: true },
  { frame: 0xc2 },
];

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function png(depth: number, type: number, interlaced: number): Buffer {
  const rows = deflateSync(Buffer.alloc(400));
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', Buffer.from([0, 0, 0, 5, 0, 0, 0, 4, depth, type, 0, 0, interlaced])),
    chunk('pHYs', Buffer.from('00002e2300002e2301', 'hex')),
    chunk('IDAT', rows.subarray(0, 9)),
    chunk('IDAT', rows.subarray(9)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const exif =
  'ffd8ffe1003e4578696600004d4d002a000000080002011a000500000001000000260' +
  '11b0005000000010000002e000000000000012c000000010000025800000002';

const corpus = [
  ...jpegs.map(wishes => testJpeg(wishes).file),
  Buffer.concat([Buffer.from(exif, 'hex'), testJpeg().file.subarray(2)]),
  ...[png(8, 2, 0), png(1, 0, 0), png(1, 3, 1), png(16, 6, 1)],
  toBilevelTiff(testPage({ pixels: 'bw1' })),
  Buffer.from(
    '4d4d002a00000008000501000003000000010021000001010004000000010000000' +
      '7011a0005000000010000004a011b0005000000010000004a01280003000000010002000000000000' +
      '0000012c00000001',
    'hex',
  ),
];
const words = ['IEND', 'IDAT', 'pHYs', 'JFIF\0', 'Exif\0\0', 'II*\0', 'MM\0*'];

/** A reader checks a PNG's sums before its chunks: with these, the damage gets further. */
function withSums(file: Buffer): Buffer {
  for (let at = PNG_SIGNATURE.length; at + 12 <= file.length;) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) break;
    file.writeUInt32BE(crc32(file.subarray(at + 4, end - 4)), end - 4);
    at = end;
  }
  return file;
}
const files = fc.tuple(damaged(corpus, words), fc.boolean()).map(([file, sums]) => (sums ? withSums(file) : file));

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

t.test('imageFacts: damaged files, none, or facts that are numbers of pixels', async () => {
  fc.assert(
    fc.property(files, file => {
      const facts = imageFacts(file);
      if (!facts) return;
      const { width, height, channels = 1, density } = facts;
      hold(isCount(width) && isCount(height), () => `${width} by ${height} pixels`);
      hold(isCount(channels), () => `${channels} channels`);
      const ok = !density || [density.x, density.y].every(each => Number.isFinite(each) && each > 0);
      hold(ok, () => `a density of ${density?.x} by ${density?.y}`);
    }),
    fuzzed(RUNS),
  );
});

t.test('imageFault: damaged files that a page describes as their headers do, a verdict', async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), async (file, decoded) => {
      const facts = imageFacts(file);
      const claim = { width: 1, height: 1, pixels: 'rgb24', mimeType: 'image/jpeg', ...facts } as const;
      const verdict = await imageFault({ ...claim, data: file, decoded } satisfies ImageClaim);
      hold(typeof (verdict.fault ?? '') === 'string', () => `the fault ${String(verdict.fault)}`);
      hold(facts !== undefined || verdict.fault !== undefined, () => 'no header, and no fault');
    }),
    fuzzed(RUNS),
  );
});
