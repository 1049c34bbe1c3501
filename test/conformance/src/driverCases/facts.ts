/** What a page says of itself, held against the bytes that it carries. */
import assert from 'node:assert/strict';
import { type EncodedPage, type Page, type RawPage, rowBytes } from '@platen/core/plugin';
import { imageFault, pageWork } from '@platen/core/wire';

/** `sheet 2 front, sheet 2 back`; for messages. */
export function listOf(pages: readonly Page[]): string {
  return pages.length === 0 ? 'no page' : pages.map(page => `sheet ${page.sheet} ${page.side}`).join(', ');
}

export async function assertFacts(page: Page): Promise<void> {
  const name = `sheet ${page.sheet} ${page.side}`;
  for (const field of ['sheet', 'width', 'height'] as const) {
    assert.ok(
      Number.isInteger(page[field]) && page[field] > 0,
      `${name}: ${field} is ${page[field]}, not a positive integer`,
    );
  }
  assert.ok(Number.isFinite(page.dpi) && page.dpi > 0, `${name}: dpi is ${page.dpi}, not a positive number`);
  assert.ok(['front', 'back'].includes(page.side), `${name}: side is neither front nor back`);
  assert.ok(
    ['rgb24', 'gray8', 'bw1'].includes(page.pixels),
    `${name}: pixels is "${page.pixels}"; known are rgb24, gray8, bw1`,
  );
  assert.ok(page.data instanceof Uint8Array, `${name}: data is not a Uint8Array`);
  for (const each of page.adjusted ?? []) {
    assert.ok(pageWork.includes(each), `${name}: adjusted names "${each}"; known are ${pageWork.join(', ')}`);
  }
  const { kind } = page;
  if (kind === 'raw') assertRaw(page, name);
  else if (kind === 'encoded') await assertWhole(page, name);
  else assert.fail(`${name}: kind is "${String(kind)}"; known are raw and encoded`);
}

function assertRaw(page: RawPage, name: string): void {
  const row = rowBytes(page.pixels, page.width);
  const { stride, height, data } = page;
  assert.ok(
    Number.isInteger(stride) && stride >= row,
    `${name}: stride is ${stride}, but a row of ${page.width} ${page.pixels} pixels has ${row} bytes`,
  );
  const least = stride * (height - 1) + row;
  assert.ok(
    data.length >= least,
    `${name}: ${height} rows need ${least} bytes, data has ${data.length}: rows are missing`,
  );
  assert.ok(
    data.length <= stride * height,
    `${name}: ${height} rows of ${stride} bytes are ${stride * height}, data has ${data.length}`,
  );
}

/** As the service looks at it: one whole image, to the last of its data, and the one that the page speaks of. */
async function assertWhole(page: EncodedPage, name: string): Promise<void> {
  const { fault } = await imageFault(page);
  assert.equal(fault, undefined, `${name}: ${fault}`);
}
