/** Rows of an area: cut, or white below a sheet that ended. */
import t from 'tap';
import { rowsOfArea } from './rowsOfArea.js';

const page = { width: 10, height: 2, pixels: 'bw1', stride: 3, data: Uint8Array.of(255, 255, 9, 255, 255, 9) } as const;

t.test('rowsOfArea: a larger page, its upper left part without a copy', async t => {
  const cut = rowsOfArea(page, { width: 8, height: 1 }, true);
  t.same([cut.width, cut.height, cut.stride, [...cut.data]], [8, 1, 3, [255, 255, 9]]);
  t.equal(cut.data.buffer, page.data.buffer);
});

t.test('rowsOfArea: a shorter page, white below only if it may end', async t => {
  const longer = rowsOfArea(page, { width: 16, height: 4 }, true);
  t.same([longer.width, longer.height, [...longer.data.subarray(6)]], [10, 4, [0, 0, 0, 0, 0, 0]]);
  t.same([...longer.data.subarray(0, 6)], [...page.data]);
  const grey = rowsOfArea({ ...page, pixels: 'gray8', width: 3 }, { width: 3, height: 3 }, true);
  t.same([...grey.data.subarray(6)], [255, 255, 255]);
  t.equal(rowsOfArea(page, { width: 16, height: 4 }, false).height, 2);
});
