/** Files of a page for tests, made without an image library: PNG, TIFF with its directory first, and JPEG. */
import { crc32, deflateSync } from 'node:zlib';
import { packedRows, rowBytes, type RawPage } from '@platen/core/plugin';
import { flatJpeg } from './flatJpeg.js';

export const testFileTypes = ['image/png', 'image/tiff', 'image/jpeg'] as const;
export type TestFileType = (typeof testFileTypes)[number];

/** A JPEG has the page's pixels where its blocks are of one colour: `flatPage`. */
export function testFile(page: RawPage, mimeType: TestFileType): Buffer {
  if (mimeType === 'image/png') return testPng(page);
  return mimeType === 'image/tiff' ? testTiff(page) : flatJpeg(page);
}

/** Bits and colour type of PNG: colour, grey, and a palette whose 0 is white, as in a 1-bit page. */
const pngTypes = { rgb24: [8, 2], gray8: [8, 0], bw1: [1, 3] } as const;
const palette = Buffer.from([255, 255, 255, 0, 0, 0]);

/** Rows without a filter, in one IDAT. */
export function testPng(page: RawPage): Buffer {
  const row = rowBytes(page.pixels, page.width);
  const rows = packedRows(page);
  const filtered = Buffer.alloc((row + 1) * page.height);
  for (let y = 0; y < page.height; y++) filtered.set(rows.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  const [header, perMetre] = [Buffer.alloc(13), Buffer.alloc(9, 1)];
  header.writeUInt32BE(page.width, 0);
  header.writeUInt32BE(page.height, 4);
  header.set(pngTypes[page.pixels], 8);
  for (const at of [0, 4]) perMetre.writeUInt32BE(Math.round(page.dpi / 0.0254), at);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(page.pixels === 'bw1' ? [chunk('PLTE', palette)] : []),
    chunk('pHYs', perMetre),
    chunk('IDAT', deflateSync(filtered, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const DIRECTORY = 8;

/** Big-endian, without compression, in one strip at its end (TIFF 6.0, sections 3, 4 and 6). White is 0 in 1-bit. */
export function testTiff(page: RawPage): Buffer {
  const { width, height, dpi, pixels } = page;
  const rows = packedRows(page);
  const samples = pixels === 'rgb24' ? 3 : 1;
  const photometric = { rgb24: 2, gray8: 1, bw1: 0 }[pixels];
  const tags: [tag: number, type: number, count: number, value: number][] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, samples, pixels === 'bw1' ? 1 : 8],
    [259, SHORT, 1, 1], // no compression
    [262, SHORT, 1, photometric],
    [273, LONG, 1, 0],
    [277, SHORT, 1, samples],
    [278, LONG, 1, height],
    [279, LONG, 1, rows.length],
    [282, RATIONAL, 1, dpi],
    [283, RATIONAL, 1, dpi],
    [296, SHORT, 1, 2], // inches
  ];
  const after = DIRECTORY + 2 + tags.length * 12 + 4;
  const resolution = after + 6;
  const start = resolution + 8;
  const head = Buffer.alloc(start);
  head.write('MM\0*', 'latin1');
  head.writeUInt32BE(DIRECTORY, 4);
  head.writeUInt16BE(tags.length, DIRECTORY);
  for (const at of [0, 2, 4]) head.writeUInt16BE(8, after + at);
  head.writeUInt32BE(dpi, resolution);
  head.writeUInt32BE(1, resolution + 4);
  tags.forEach(([tag, type, count, value], i) => {
    const at = DIRECTORY + 2 + i * 12;
    head.writeUInt16BE(tag, at);
    head.writeUInt16BE(type, at + 2);
    head.writeUInt32BE(count, at + 4);
    if (type === SHORT && count === 1) head.writeUInt16BE(value, at + 8);
    else head.writeUInt32BE(tag === 273 ? start : type === RATIONAL ? resolution : count > 1 ? after : value, at + 8);
  });
  return Buffer.concat([head, rows]);
}
