/** Documents as pages: whole and truncated ones, their size in the first bytes, and their resolution. */
import sharp from 'sharp';
import t from 'tap';
import { EsclError, type ErrorKind } from '../http/esclError.js';
import { pageOf, sizeIn } from './page.js';

/** Of the EsclError that it throws. */
function kindOf(work: () => unknown): ErrorKind | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof EsclError ? error.kind : undefined;
  }
}

const blank = (channels: 1 | 3) => {
  const image = sharp({ create: { width: 170, height: 220, channels: 3, background: '#4080c0' } });
  return channels === 1 ? image.toColourspace('b-w') : image;
};
const letter = { x: 0, y: 0, width: 2550, height: 3300 };
const read = (bytes: Uint8Array) => pageOf(bytes, { dpi: 20, region: letter });
const start = (jpeg: Buffer, marker: number) => jpeg.indexOf(Buffer.from([0xff, marker]));

t.test('pageOf: JPEG, whole, truncated, or with its height after the scan', async t => {
  const colour = await blank(3).withMetadata({ density: 20 }).jpeg().toBuffer();
  t.match(read(colour), { kind: 'encoded', mimeType: 'image/jpeg', width: 170, height: 220, pixels: 'rgb24', dpi: 20 });
  t.match(read(await blank(1).jpeg({ progressive: true }).toBuffer()), { pixels: 'gray8' });
  t.equal(
    kindOf(() => read(colour.subarray(0, -2))),
    'truncated',
  );
  t.equal(
    kindOf(() => read(colour.subarray(0, start(colour, 0xda) + 40))),
    'truncated',
  );
  t.equal(
    kindOf(() => read(colour.subarray(0, start(colour, 0xc0) + 4))),
    'malformed',
    'cut within its header',
  );
  t.match(read(Buffer.concat([colour, Buffer.alloc(100)])), { width: 170 }, 'devices pad their last block');
  const later = Buffer.from(colour);
  later.writeUInt16BE(0, start(later, 0xc0) + 5);
  t.equal(
    kindOf(() => read(later)),
    'malformed',
    'no height at all',
  );
  const end = later.subarray(0, -2);
  t.match(read(Buffer.concat([end, Buffer.from([0xff, 0xdc, 0, 4, 0, 220, 0xff, 0xd9])])), { height: 220 });
});

t.test('pageOf: PNG and TIFF, with one bit a pixel too', async t => {
  const png = await blank(1).withMetadata({ density: 300 }).png({ palette: true, colours: 2 }).toBuffer();
  t.match(read(png), { mimeType: 'image/png', width: 170, height: 220, dpi: 20 });
  t.equal(pageOf(png, { dpi: 100, region: letter }).dpi, 300);
  t.match(read(await blank(3).png().toBuffer()), { pixels: 'rgb24' });
  t.equal(
    kindOf(() => read(png.subarray(0, -12))),
    'truncated',
  );

  const tiff = await blank(1)
    .tiff({ bitdepth: 1, compression: 'ccittfax4', xres: 300 / 25.4, yres: 300 / 25.4 })
    .toBuffer();
  t.match(read(tiff), { mimeType: 'image/tiff', width: 170, height: 220, pixels: 'bw1' });
  t.equal(pageOf(tiff, { dpi: 100, region: letter }).dpi, 300);
  const colour = await blank(3).tiff({ compression: 'lzw' }).toBuffer();
  t.match(read(colour), { pixels: 'rgb24' });
});

t.test('pageOf: other files, not understood', async t => {
  for (const bad of [
    '',
    'II*\0\xff\xff\xff\xff0123456789',
    'MM\0*\0\0\0\x08\xff\xff0123456789',
    '\xff\xd8\xff\xe0\0\0\0\0\0\0\0\0\0\0\0\0\0\0',
    '<!DOCTYPE html><html></html>',
    '\x89PNG\r\n\x1a\n0123456789',
  ]) {
    t.equal(
      kindOf(() => read(Buffer.from(bad, 'latin1'))),
      'malformed',
      JSON.stringify(bad),
    );
  }
});

t.test('sizeIn: the size that the first bytes state', async t => {
  const jpeg = Buffer.from([
    0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 9, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0,
  ]);
  const at = (bytes: Uint8Array, isLast = false) => sizeIn(bytes, isLast);
  t.equal(at(jpeg), 'later', 'a height that comes after the scan');
  t.equal(at(jpeg.subarray(0, 12)), undefined);
  t.equal(
    kindOf(() => at(jpeg.subarray(0, 12), true)),
    'malformed',
  );
  t.equal(at(Buffer.from('II*\0\xff\xff\xff\x0f........', 'latin1')), 'later');
  t.equal(
    kindOf(() => at(Buffer.alloc(1000, 0xff))),
    'malformed',
  );
  t.equal(at(Buffer.alloc(4)), undefined);
  t.match(at(Buffer.from([...jpeg.subarray(0, 7), 0, 5, ...jpeg.subarray(9)])), { width: 9, height: 5 });
});

t.test('pageOf: the resolution, by the width first', async t => {
  const image = (width: number, density?: number) => {
    const made = sharp({ create: { width, height: 40, channels: 3, background: '#fff' } });
    return (density ? made.withMetadata({ density }) : made).jpeg().toBuffer();
  };
  const dpi = async (width: number, density?: number) =>
    pageOf(await image(width, density), { dpi: 100, region: letter }).dpi;
  t.equal(await dpi(850, 100), 100);
  t.equal(await dpi(850, 72), 100, 'a width that fits counts for more than the stated density');
  t.equal(await dpi(848), 100, 'a few pixels less');
  t.equal(await dpi(1700, 200), 200, 'another resolution than was asked for');
  t.equal(await dpi(500, 100), 100, 'a sheet that the device cropped');
});
