/** pageBuffer: pages of known and unknown height. */
import t from 'tap';
import { pageBuffer } from './pageBuffer.js';

const shape = { width: 4, height: 3, pixels: 'gray8', stride: 4, maxPixels: 20 } as const;

t.test('pageBuffer: a known height, one array of exactly that size', async t => {
  const buffer = pageBuffer(shape);
  const { data } = buffer;
  buffer.reserve(12);
  t.equal(buffer.data, data);
  t.equal(data.length, 12);
  data.set([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const { data: rows, ...page } = buffer.page(9);
  t.strictSame(page, { width: 4, height: 2, pixels: 'gray8', stride: 4 }, 'an incomplete row does not count');
  t.strictSame([...rows], [1, 2, 3, 4, 5, 6, 7, 8]);
  t.equal(rows.buffer, data.buffer, 'nothing is copied');
});

t.test('pageBuffer: over maxPixels, unsupported before anything is allocated', async t => {
  t.throws(() => pageBuffer({ ...shape, height: 1e12 }), { code: 'unsupported', message: /4 x 1000000000000/ });
  t.throws(() => pageBuffer({ ...shape, width: 21, height: undefined }), { code: 'unsupported' });
});

t.test('pageBuffer: an unknown height, grows up to maxPixels and keeps what was written', async t => {
  const buffer = pageBuffer({ ...shape, height: undefined, maxPixels: 4 * 5000 });
  const first = buffer.data;
  first[0] = 7;
  buffer.reserve(first.length + 1);
  t.equal(buffer.data[0], 7);
  t.equal(buffer.data.length, 2 * first.length);
  buffer.reserve(4 * 5000 + 3);
  t.equal(buffer.data.length, 4 * 5000 + 3, 'with space for part of a row');
  t.throws(() => buffer.reserve(4 * 5001), { code: 'unsupported', message: /4 x 5001 = 20004 pixels/ });
});

t.test('pageBuffer: a page without a whole row, driver-failed', async t => {
  t.throws(() => pageBuffer(shape).page(3), { code: 'driver-failed', message: /before its first row/ });
});
