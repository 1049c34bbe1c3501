/** Sizes, colours and densities from the headers of images from devices: complete, truncated and hostile. */
import { testPage } from '@platen/conformance';
import t from 'tap';
import { toBilevelTiff } from '../pixels/bilevelTiff.js';
import { imageFacts } from './imageFacts.js';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const png = (type: string, depth = '08') =>
  bytes(`89504e470d0a1a0a 0000000d49484452 00000140 000000f0 ${depth} ${type} 000000 00000000`);
/** A JFIF segment, fill bytes, a table, then the frame header. */
const jpeg = (channels: string) =>
  bytes(`ffd8 ffe0 0004 4a46 ffff ffc4 0003 00 ffc2 0011 08 00f0 0140 ${channels} 000000 000000 000000`);

t.test('imageFacts: PNG, JPEG and TIFF headers, size, channels and pixels', async t => {
  t.match(imageFacts(png('02')), {
    mimeType: 'image/png',
    width: 320,
    height: 240,
    channels: 3,
    pixels: 'rgb24',
    isWhole: false,
  });
  t.match(imageFacts(png('00')), { mimeType: 'image/png', width: 320, height: 240, channels: 1, pixels: 'gray8' });
  t.match(imageFacts(png('03', '01')), { channels: undefined, pixels: 'bw1' });
  t.match(imageFacts(png('03')), { channels: undefined, pixels: 'rgb24' });
  t.match(imageFacts(jpeg('03')), { mimeType: 'image/jpeg', width: 320, height: 240, channels: 3 });
  t.match(imageFacts(jpeg('01')), { mimeType: 'image/jpeg', width: 320, height: 240, channels: 1 });
  const tiff = toBilevelTiff(testPage({ width: 33, height: 7, pixels: 'bw1' }));
  t.match(imageFacts(tiff), {
    mimeType: 'image/tiff',
    width: 33,
    height: 7,
    channels: 1,
    pixels: 'bw1',
    isWhole: true,
  });
  const motorola = bytes('4d4d002a 00000008 0002 0100 0003 00000001 00210000 0101 0004 00000001 00000007 00000000');
  t.match(imageFacts(motorola), { mimeType: 'image/tiff', width: 33, height: 7, channels: 1 });
  const fraction = bytes('4d4d002a 00000008 0002 0100 0005 00000001 00000008 0101 0004 00000001 00000007 00000000');
  t.equal(imageFacts(fraction), undefined, 'a width that is a fraction');
});

t.test('imageFacts: density, in JFIF, Exif, pHYs and TIFF tags', async t => {
  const jfif = (unit: string, x: string, y: string) => `ffe0 0010 4a46494600 0102 ${unit} ${x} ${y} 0000`;
  const exif =
    'ffe1 003e 457869660000 4d4d002a 00000008 0002 011a 0005 00000001 00000026 011b 0005 00000001 0000002e 00000000 0000012c 00000001 00000258 00000002';
  const density = (head: string) =>
    imageFacts(Buffer.concat([bytes('ffd8'), bytes(head), jpeg('03').subarray(2)]))?.density;
  t.same(density(jfif('01', '012c', '012c')), { x: 300, y: 300 });
  t.equal(Math.round(density(jfif('02', '0076', '0076'))?.x ?? 0), 300, 'per centimetre');
  t.equal(density(jfif('00', '0001', '0001')), undefined, 'an aspect ratio only');
  t.same(density(exif), { x: 300, y: 300 });
  t.equal(density(exif.replace('00000026', '7fffffff')), undefined, 'a value past the end of the file');
  const phys = Buffer.concat([png('02'), bytes('00000009 70485973 00002e23 00002e23 01 00000000')]);
  t.equal(Math.round(imageFacts(phys)?.density?.x ?? 0), 300);
  const many = Buffer.concat([
    png('02'),
    ...Array.from({ length: 5000 }, () => bytes('00000000 74455874 00000000')),
    phys.subarray(33),
  ]);
  t.match(imageFacts(many), { width: 320, density: undefined }, 'not behind thousands of chunks');
  const tiff = bytes(
    '4d4d002a 00000008 0005 0100 0003 00000001 00210000 0101 0004 00000001 00000007 011a 0005 00000001 0000004a 011b 0005 00000001 0000004a 0128 0003 00000001 00020000 00000000 0000012c 00000001',
  );
  t.same(imageFacts(tiff)?.density, { x: 300, y: 300 });
});

t.test('imageFacts: files without their end, isWhole is false', async t => {
  const scan = bytes('ffda 0008 01 0100 003f00 123456');
  t.match(imageFacts(Buffer.concat([jpeg('03'), scan, bytes('ffd9')])), { isWhole: true });
  t.match(
    imageFacts(Buffer.concat([jpeg('03'), scan, bytes('ffd9'), Buffer.alloc(100)])),
    { isWhole: true },
    'devices pad their last block',
  );
  t.match(imageFacts(Buffer.concat([jpeg('03'), scan])), { isWhole: false });
  const unknownHeight = Buffer.from(jpeg('03'));
  unknownHeight.writeUInt16BE(0, unknownHeight.indexOf('ffc2', 0, 'hex') + 5);
  t.match(imageFacts(unknownHeight), { width: 320, height: 0 });
  t.match(
    imageFacts(Buffer.concat([unknownHeight, scan, bytes('ffdc 0004 00f0 ffd9')])),
    { height: 240, isWhole: true },
    'its height comes after the scan',
  );
  t.match(imageFacts(Buffer.concat([png('02'), bytes('00000000 49454e44 ae426082')])), { isWhole: true });
});

t.test('imageFacts: other files, truncated and hostile headers, undefined', async t => {
  t.equal(imageFacts(new Uint8Array()), undefined);
  t.equal(imageFacts(Buffer.from('GIF89a and more')), undefined);
  t.equal(imageFacts(png('02').subarray(0, 20)), undefined);
  t.equal(imageFacts(jpeg('03').subarray(0, 18)), undefined);
  t.equal(imageFacts(bytes('ffd8 0000')), undefined);
  const hidden = Buffer.concat([
    bytes('ffd8'),
    ...Array.from({ length: 5000 }, () => bytes('fffe 0002')),
    jpeg('03').subarray(2),
  ]);
  t.equal(imageFacts(hidden), undefined, 'a header behind thousands of segments');
});
