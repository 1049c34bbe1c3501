/** Headers of images, whole and torn. */
import sharp from 'sharp';
import t from 'tap';
import { readImage, sizeIn } from './image.js';
import { pageOf } from './page.js';

const blank = (channels: 1 | 3) => {
  const image = sharp({ create: { width: 170, height: 220, channels: 3, background: '#4080c0' } });
  return channels === 1 ? image.toColourspace('b-w') : image;
};
const letter = { x: 0, y: 0, width: 2550, height: 3300 };
const start = (jpeg: Buffer, marker: number) => jpeg.indexOf(Buffer.from([0xff, marker]));

t.test('JPEG', async t => {
  const colour = await blank(3).withMetadata({ density: 20 }).jpeg().toBuffer();
  t.match(readImage(colour), { mimeType: 'image/jpeg', width: 170, height: 220, pixels: 'rgb24', density: { x: 20, y: 20 }, isWhole: true });
  t.match(readImage(await blank(1).jpeg({ progressive: true }).toBuffer()), { pixels: 'gray8', isWhole: true });
  t.match(readImage(colour.subarray(0, -2)), { isWhole: false });
  t.match(readImage(colour.subarray(0, start(colour, 0xda) + 40)), { width: 170, isWhole: false });
  t.equal(readImage(colour.subarray(0, start(colour, 0xc0) + 4)), undefined, 'a beginning that does not tell its size');
  t.match(readImage(Buffer.concat([colour, Buffer.alloc(100)])), { isWhole: true }, 'devices fill up their last block');

  const later = Buffer.from(colour);
  later.writeUInt16BE(0, start(later, 0xc0) + 5);
  t.equal(readImage(later), undefined, 'no height at all');
  const end = later.subarray(0, -2);
  t.match(readImage(Buffer.concat([end, Buffer.from([0xff, 0xdc, 0, 4, 0, 220, 0xff, 0xd9])])), { height: 220, isWhole: true }, 'its height comes after the scan');

  const centimetres = Buffer.from(await blank(3).jpeg().toBuffer());
  const jfif = centimetres.indexOf('JFIF');
  if (jfif > 0) {
    centimetres.writeUInt8(2, jfif + 7);
    centimetres.writeUInt16BE(118, jfif + 8);
    centimetres.writeUInt16BE(118, jfif + 10);
    t.equal(Math.round(readImage(centimetres)?.density?.x ?? 0), 300);
  }
});

t.test('PNG and TIFF, with one bit a pixel too', async t => {
  const png = await blank(1).withMetadata({ density: 300 }).png({ palette: true, colours: 2 }).toBuffer();
  t.match(readImage(png), { mimeType: 'image/png', width: 170, height: 220, isWhole: true });
  t.equal(Math.round(readImage(png)?.density?.x ?? 0), 300);
  t.match(readImage(await blank(3).png().toBuffer()), { pixels: 'rgb24' });
  t.match(readImage(png.subarray(0, -12)), { isWhole: false });

  const tiff = await blank(1).tiff({ bitdepth: 1, compression: 'ccittfax4', xres: 300 / 25.4, yres: 300 / 25.4 }).toBuffer();
  t.match(readImage(tiff), { mimeType: 'image/tiff', width: 170, height: 220, pixels: 'bw1', isWhole: true });
  t.equal(Math.round(readImage(tiff)?.density?.x ?? 0), 300);
  const colour = await blank(3).tiff({ compression: 'lzw' }).toBuffer();
  t.match(readImage(colour), { pixels: 'rgb24', isWhole: true });
});

t.test('what is none', async t => {
  for (const bad of ['', 'II*\0\xff\xff\xff\xff0123456789', 'MM\0*\0\0\0\x08\xff\xff0123456789', '\xff\xd8\xff\xe0\0\0\0\0\0\0\0\0\0\0\0\0\0\0', '<!DOCTYPE html><html></html>', '\x89PNG\r\n\x1a\n0123456789']) {
    t.equal(readImage(Buffer.from(bad, 'latin1')), undefined, JSON.stringify(bad));
  }
  t.throws(() => pageOf(Buffer.from('<html>not a page at all</html>'), { dpi: 300, region: letter }), { message: /neither JPEG/ });
});

t.test('what the beginning says of the size', async t => {
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 9, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
  const at = (bytes: Uint8Array, isEnough = false) => sizeIn(bytes, isEnough);
  t.equal(at(jpeg), 'later', 'a height that comes after the scan');
  t.equal(at(jpeg.subarray(0, 16)), undefined);
  t.equal(at(jpeg.subarray(0, 16), true), 'none');
  t.equal(at(Buffer.from('II*\0\xff\xff\xff\x0f........', 'latin1')), 'later');
  t.equal(at(Buffer.alloc(1000, 0xff)), 'none');
  t.equal(at(Buffer.alloc(4)), undefined);
  t.match(at(Buffer.from([...jpeg.subarray(0, 7), 0, 5, ...jpeg.subarray(9)])), { width: 9, height: 5 });
});

t.test('the resolution of a page', async t => {
  const image = (width: number, density?: number) => {
    const made = sharp({ create: { width, height: 40, channels: 3, background: '#fff' } });
    return (density ? made.withMetadata({ density }) : made).jpeg().toBuffer();
  };
  const dpi = async (width: number, density?: number) => pageOf(await image(width, density), { dpi: 100, region: letter }).dpi;
  t.equal(await dpi(850, 100), 100);
  t.equal(await dpi(850, 72), 100, 'a width that fits weighs more than words');
  t.equal(await dpi(848), 100, 'a few pixels less');
  t.equal(await dpi(1700, 200), 200, 'another resolution than was asked for');
  t.equal(await dpi(500, 100), 100, 'a sheet that the device has cut out');
  t.throws(() => pageOf(Buffer.from([0xff, 0xd8]), { dpi: 100, region: letter }), { message: /neither JPEG/ });
});
