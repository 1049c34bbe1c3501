/** Sizes and colours are read from the headers of what devices deliver. */
import { testPage } from '@platen/conformance';
import t from 'tap';
import { toBilevelTiff } from '../pixels/bilevelTiff.js';
import { imageFacts } from './imageFacts.js';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const png = (type: string) => bytes(`89504e470d0a1a0a 0000000d49484452 00000140 000000f0 08 ${type} 000000 00000000`);
/** A JFIF segment, fill bytes, a table, then the frame header. */
const jpeg = (channels: string) => bytes(`ffd8 ffe0 0004 4a46 ffff ffc4 0003 00 ffc2 0011 08 00f0 0140 ${channels} 000000 000000 000000`);

t.test('reads PNG, JPEG and TIFF', async t => {
  t.same(imageFacts(png('02')), { mimeType: 'image/png', width: 320, height: 240, channels: 3 });
  t.same(imageFacts(png('00')), { mimeType: 'image/png', width: 320, height: 240, channels: 1 });
  t.same(imageFacts(jpeg('03')), { mimeType: 'image/jpeg', width: 320, height: 240, channels: 3 });
  t.same(imageFacts(jpeg('01')), { mimeType: 'image/jpeg', width: 320, height: 240, channels: 1 });
  const tiff = toBilevelTiff(testPage({ width: 33, height: 7, pixels: 'bw1' }));
  t.same(imageFacts(tiff), { mimeType: 'image/tiff', width: 33, height: 7, channels: 1 });
  const motorola = bytes('4d4d002a 00000008 0002 0100 0003 00000001 00210000 0101 0004 00000001 00000007 00000000');
  t.same(imageFacts(motorola), { mimeType: 'image/tiff', width: 33, height: 7, channels: 1 });
});

t.test('takes nothing else, and nothing that ends within its header', async t => {
  t.equal(imageFacts(new Uint8Array()), undefined);
  t.equal(imageFacts(Buffer.from('GIF89a and more')), undefined);
  t.equal(imageFacts(png('02').subarray(0, 20)), undefined);
  t.equal(imageFacts(jpeg('03').subarray(0, 18)), undefined);
  t.equal(imageFacts(bytes('ffd8 0000')), undefined);
  const hidden = Buffer.concat([bytes('ffd8'), ...Array.from({ length: 5000 }, () => bytes('fffe 0002')), jpeg('03').subarray(2)]);
  t.equal(imageFacts(hidden), undefined, 'nor a header behind thousands of segments');
});
