/** What a page says of itself, held against the bytes that it carries. */
import assert from 'node:assert/strict';
import { rowBytes, type EncodedPage, type Page, type RawPage } from '../../contract/page.js';
import { adjustments } from '../../contract/words.js';
import { imageFacts, type ImageFacts } from './imageFacts.js';

/** `sheet 2 front, sheet 2 back`; for messages. */
export function listOf(pages: readonly Page[]): string {
  return pages.length === 0 ? 'no page' : pages.map(page => `sheet ${page.sheet} ${page.side}`).join(', ');
}

export function assertFacts(page: Page): void {
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
    assert.ok(adjustments.includes(each), `${name}: adjusted names "${each}"; known are ${adjustments.join(', ')}`);
  }
  const { kind } = page;
  if (kind === 'raw') assertRaw(page, name);
  else if (kind === 'encoded') assertEncoded(page, name);
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

function assertEncoded(page: EncodedPage, name: string): void {
  const found = imageFacts(page.data);
  assert.ok(found, `${name}: data begins like no JPEG, PNG or TIFF file`);
  assert.equal(found.mimeType, page.mimeType, `${name}: data is ${found.mimeType}, the page says ${page.mimeType}`);
  const size = (facts: Pick<ImageFacts, 'width' | 'height'>) => `${facts.width} by ${facts.height}`;
  assert.equal(size(found), size(page), `${name}: the image is ${size(found)} pixels, the page says ${size(page)}`);
  if (found.channels === undefined) return;
  const colour = found.channels >= 3;
  assert.equal(
    page.pixels === 'rgb24',
    colour,
    `${name}: the image has ${found.channels} channels, the page says ${page.pixels}`,
  );
}
