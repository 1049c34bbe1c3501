/** Removing padding: complete pages, last rows without padding, and no copy without padding. */
import { testPage } from '@platen/conformance';
import t from 'tap';
import { packedRows } from './rows.js';

for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
  void t.test(`packedRows: ${pixels} with padding, the padding is removed`, async t => {
    const size = { width: 13, height: 5, pixels };
    const packed = testPage(size).data;
    const page = testPage({ ...size, padding: 4 });
    t.strictSame(packedRows(page), packed);
    t.strictSame(
      packedRows({ ...page, data: page.data.subarray(0, page.data.length - 4) }),
      packed,
      'the last row ends without padding',
    );
  });
}

void t.test('packedRows: no padding, the page’s own buffer', async t => {
  const page = testPage({ width: 13, height: 5 });
  t.equal(packedRows(page), page.data);
});

void t.test('packedRows: bytes after the last row, left out without a copy', async t => {
  const page = testPage({ width: 13, height: 5 });
  const longer = new Uint8Array([...page.data, 1, 2, 3]);
  const rows = packedRows({ ...page, data: longer });
  t.strictSame(rows, page.data);
  t.equal(rows.buffer, longer.buffer);
});
