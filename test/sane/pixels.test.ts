/** Scans over HTTPS from libsane's test backend, compared pixel for pixel with scanimage and the same options. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { fileOf, type Image, type ScanJson } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { needsSane, saneTopology } from '../topology/saneTopology.js';
import { readPicture, scanimage, SHEETS, TESTER, unpacked, useTestBackend, type Picture } from './testBackend.js';

const grey = ['--mode', 'Gray', '--depth', '8'];
const lines = ['--mode', 'Gray', '--depth', '1'];
const A4 = ['-x', '210', '-y', '297'];

interface Case {
  readonly parameters: {
    readonly resolution: number;
    readonly colorMode: string;
    readonly pageSize: string;
    readonly imageFormat: string;
  };
  readonly args: readonly string[];
}

const cases: readonly Case[] = [
  {
    parameters: { resolution: 100, colorMode: 'Color', pageSize: 'A4', imageFormat: 'Png' },
    args: ['--mode', 'Color', '--depth', '8', ...A4],
  },
  {
    parameters: { resolution: 150, colorMode: 'Grayscale', pageSize: 'Letter', imageFormat: 'Png' },
    args: [...grey, '-x', '215.9', '-y', '279.4'],
  },
  ...['Png', 'Tiff', 'Bmp'].map(imageFormat => ({
    parameters: { resolution: 75, colorMode: 'BlackAndWhite', pageSize: 'A4', imageFormat },
    args: [...lines, ...A4],
  })),
];

if (needsSane(t) && needs(t, 'scanimage')) {
  t.test('SANE: scans through the service, the pixels that scanimage reads', async t => {
    const fixture = await start(t, saneTopology, { prepare: useTestBackend });
    for (const { parameters, args } of cases) {
      const { resolution, colorMode, pageSize, imageFormat } = parameters;
      await t.test(
        `${pageSize}, ${colorMode}, ${resolution} dpi, ${imageFormat}: the pixels that scanimage reads`,
        async t => {
          const wanted = await scanimage(fixture.dataDir, ['--resolution', String(resolution), ...args]);
          t.equal(wanted.length, SHEETS, 'scanimage empties the feeder');
          t.ok(new Set(wanted[0]?.samples).size > 1, 'of pictures');
          const { status, json } = await fixture.request('POST', '/api/twain/scan', {
            body: { scannerName: TESTER, parameters },
          });
          const { images, message } = json as ScanJson;
          t.equal(status, 200, message);
          t.equal(images.length, SHEETS);
          for (const [at, image] of images.entries()) {
            const [picture, expected] = [await pictureOf(image), wanted[at]];
            const { width, height, channels } = picture;
            t.same(
              { width, height, channels },
              { width: expected?.width, height: expected?.height, channels: expected?.channels },
              `page ${at + 1}`,
            );
            t.match(image, { width, height, resolution, pageNumber: at + 1 });
            t.ok(expected && picture.samples.equals(expected.samples), `the pixels of page ${at + 1}`);
          }
        },
      );
    }
  });
}

async function pictureOf(image: Image): Promise<Picture> {
  const file = fileOf(image);
  if (image.format === 'Bmp') return bitsOfBmp(file);
  return readPicture(file);
}

/** Reads a 1-bit BMP, which sharp cannot: BITMAPINFOHEADER, rows from the bottom up, each padded to four bytes. */
function bitsOfBmp(file: Buffer): Picture {
  const [start, width, tall, bits] = [
    file.readUInt32LE(10),
    file.readInt32LE(18),
    file.readInt32LE(22),
    file.readUInt16LE(28),
  ];
  if (bits !== 1) throw new Error(`The BMP has ${bits} bits.`);
  const height = Math.abs(tall);
  const stride = Math.ceil(width / 32) * 4;
  const rows = Array.from({ length: height }, (_, y) => file.subarray(start + y * stride, start + (y + 1) * stride));
  // The first colour of the palette is black or white.
  const black = file.readUIntLE(54, 3) === 0 ? 0 : 1;
  return {
    width,
    height,
    channels: 1,
    samples: unpacked(Buffer.concat(tall > 0 ? rows.reverse() : rows), { width, height, stride, black }),
  };
}
