/** Assembling pages from bands, in the byte orders and layouts of macOS scanners. */
import t from 'tap';
import { createAssembly, isPacked } from './assembly.js';
import { readBand, type Band } from './band.js';

const header = (facts: object) => ({
  startRow: 0,
  width: 4,
  height: 3,
  bytesPerRow: 12,
  offset: 0,
  bandBytes: 36,
  pixelType: 2,
  components: 3,
  depth: 8,
  ...facts,
});
const band = (facts: object): Band => readBand(header(facts));
const bytes = (length: number, first = 1) => Uint8Array.from({ length }, (_, i) => first + i);

t.test('assembly: bands, placed at their first row, whole or in pieces', async t => {
  const page = createAssembly(band({}), 100);
  page.take(band({ bandBytes: 24 }), bytes(12));
  page.take(band({ bandBytes: 24, offset: 12 }), bytes(12, 13));
  t.equal(page.isWhole, false);
  page.take(band({ startRow: 2 }), bytes(12, 25));
  t.equal(page.isWhole, true);
  t.match(page.finish(), { width: 4, height: 3, pixels: 'rgb24', stride: 12, data: bytes(36) });
});

t.test('assembly: data that place() received, not copied again', async t => {
  const page = createAssembly(band({}), 100);
  const place = page.place(band({ startRow: 1 }), 24);
  t.equal(place?.length, 24);
  place?.set(bytes(24, 13));
  page.take(band({}), bytes(12));
  page.take(band({ startRow: 1 }), place!);
  t.strictSame([...page.finish()!.data], [...bytes(36)]);
  t.equal(page.place(band({ startRow: 2 }), 24), undefined, 'no place beyond the end');
});

t.test('assembly: an incomplete page has the rows that arrived; without a row there is no page', async t => {
  const page = createAssembly(band({}), 100);
  t.equal(page.finish(), undefined);
  page.take(band({}), bytes(30));
  t.match(page.finish(), { height: 2, data: { length: 24 } });
});

t.test('assembly: row 0 or another size begins the next page', async t => {
  const page = createAssembly(band({}), 100);
  page.take(band({}), bytes(12));
  t.equal(page.owns(band({ startRow: 1 })), true);
  t.equal(page.owns(band({})), false, 'the first row again');
  t.equal(page.owns(band({ startRow: 1, width: 3 })), false);
});

t.test('assembly: four components, the fourth is dropped wherever a frame ends', async t => {
  const four = { components: 4, bytesPerRow: 18, height: 2 };
  const row = (from: number) => [0, 1, 2, 3].flatMap(i => [from + i * 3, from + i * 3 + 1, from + i * 3 + 2, 99]);
  const all = Uint8Array.from([...row(1), 77, 77, ...row(13), 77, 77]);
  for (let cut = 0; cut <= all.length; cut++) {
    const page = createAssembly(band(four), 100);
    page.take(band(four), all.subarray(0, cut));
    page.take(band({ ...four, offset: cut }), all.subarray(cut));
    t.strictSame([page.finish()!.stride, ...page.finish()!.data], [12, ...bytes(24)], `cut at ${cut}`);
  }
});

t.test('assembly: 1-bit rows, inverted (1 is white on macOS, black in a page)', async t => {
  const bw = { pixelType: 0, components: 1, depth: 1, bytesPerRow: 1, height: 2 };
  const page = createAssembly(band(bw), 100);
  page.take(band(bw), Uint8Array.of(0b1111_0000, 0b0101_0000));
  t.strictSame([...page.finish()!.data], [0b0000_1111, 0b1010_1111]);
});

t.test('assembly: grey rows that are packed although reported as padded, detected', async t => {
  const grey = { pixelType: 1, components: 1, bytesPerRow: 6 };
  const make = (data: readonly number[]) => {
    const page = createAssembly(band(grey), 100);
    page.take(band(grey), Uint8Array.from(data));
    return page.finish()!;
  };
  const packed = make([...bytes(12), 0, 0, 0, 0, 0, 0]);
  t.match(packed, { stride: 4, height: 3 });
  t.strictSame([...packed.data], [...bytes(12)]);
  t.match(make([1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0, 0, 9, 10, 11, 12, 0, 0]), { stride: 6 }, 'really padded');
  t.match(make([1, 2, 3, 4, 9, 9, 5, 6, 7, 8, 9, 9, 9, 10, 11, 12, 9, 9]), { stride: 6 }, 'padding with any content');
  t.equal(isPacked(new Uint8Array(18), 4, 3, 6), false, 'an all-black page is the same either way');
});

t.test('assembly: too many pixels, rejected before anything is allocated', async t => {
  t.throws(() => createAssembly(band({ width: 1e6, height: 1e6, bytesPerRow: 3e6 }), 1e8), {
    code: 'unsupported',
    message: /1000000 x 1000000/,
  });
});

t.test('assembly: impossible bands, rejected', async t => {
  t.throws(() => band({ bytesPerRow: 11 }), { code: 'driver-failed', message: /4 pixels in 11 bytes/ });
  t.throws(() => band({ width: 0 }), { code: 'driver-failed' });
  t.throws(() => band({ startRow: -1 }), { code: 'driver-failed' });
  t.throws(() => band({ height: 1.5 }), { code: 'driver-failed' });
  t.throws(() => band({ depth: 16, bytesPerRow: 24 }), { code: 'unsupported', message: /3 components of 16 bits/ });
  t.throws(() => band({ pixelType: 5, components: 4, bytesPerRow: 16 }), { code: 'unsupported' }, 'CMYK');
});
