import t from 'tap';
import {
  MORE,
  readBufferSizes,
  readDeviceEvent,
  readImageInfo,
  readImageLayout,
  readPalette,
  readPending,
  sizes,
  writeImageLayout,
} from './structures.js';

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

t.test('TW_IMAGEINFO: read according to the specification', async t => {
  const packed = bytes(
    `c8000000 c8000080 a4060000 ffffffff 0300 0800 0800 0800 ${'00'.repeat(10)} 1800 0000 0200 0600`,
  );
  t.equal(packed.length, sizes.imageInfo);
  t.strictSame(readImageInfo(packed), {
    xResolution: 200,
    yResolution: 200.5,
    width: 1700,
    length: -1,
    samplesPerPixel: 3,
    bitsPerSample: [8, 8, 8],
    bitsPerPixel: 24,
    planar: false,
    pixelType: 2,
    compression: 6,
  });
  const odd = packed.slice();
  odd.set([0xff, 0x7f], 16);
  t.equal(readImageInfo(odd).bitsPerSample.length, 8, 'no more samples than the structure holds');
});

t.test('TW_IMAGELAYOUT: read and written according to the specification', async t => {
  const layout = { frame: { left: 0, top: 0.25, right: 8.5, bottom: 11 }, document: 1, page: 2, frameNumber: 3 };
  const packed = bytes('00000000 00000040 08000080 0b000000 01000000 02000000 03000000');
  t.equal(packed.length, sizes.imageLayout);
  t.strictSame(writeImageLayout(layout), packed);
  t.strictSame(readImageLayout(packed), layout);
});

t.test(
  'TW_SETUPMEMXFER, TW_PENDINGXFERS, TW_DEVICEEVENT, TW_PALETTE8: read according to the specification',
  async t => {
    t.strictSame(readBufferSizes(bytes('00040000 ffffffff 00000100')), {
      min: 1024,
      max: 0xffffffff,
      preferred: 65_536,
    });
    t.equal(readPending(bytes('ffff 00000000')), MORE);
    t.equal(readPending(bytes('0200 00000000')), 2);
    t.equal(readDeviceEvent(bytes(`0d000000${'00'.repeat(290)}`)), 13);
    t.strictSame(readPalette(bytes('0200 0000 00010203 01040506')), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
  },
);
