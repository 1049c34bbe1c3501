/** The sheet in inches, as a person with a ruler would measure it. */
import { fakeFormat } from '@platen/conformance';
import t from 'tap';
import { patchCodes } from '../contract/recogniser.js';
import type { DocumentFormat } from '../contract/document.js';
import type { RawPage } from '../contract/page.js';
import { patchBars } from '../contract/patchBars.js';
import { CODE_39_TEXT } from './code39.js';
import { drawSeparatorSheet, separatorSizes, usualSeparatorSheet } from './separatorSheet.js';
import { writeSeparatorSheet } from './writeSeparatorSheet.js';

const isBlack = ({ data, stride }: RawPage, x: number, y: number): boolean =>
  (((data[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1;

/** Runs of one colour along a line, white first; in hundredths of an inch. */
function runs(page: RawPage, from: [number, number], step: [number, number], inches: number): number[] {
  const lengths: number[] = [0];
  let black = false;
  for (let at = 0; at < inches * page.dpi; at++) {
    const next = isBlack(page, from[0] + at * step[0], from[1] + at * step[1]);
    if (next !== black) lengths.push(0);
    black = next;
    lengths[lengths.length - 1]! += 100 / page.dpi;
  }
  return lengths.map(Math.round);
}

t.test('drawSeparatorSheet: every patch and size, its bars are along each edge, the same one outermost', async t => {
  for (const size of separatorSizes) {
    for (const patch of patchCodes) {
      const page = drawSeparatorSheet({ patch, text: 'PATCHT', size });
      const [right, bottom] = [page.width - 1, page.height - 1];
      const middle = page.width >> 1;
      const low = page.height - Math.round(3 * page.dpi);
      const [a, b, c, d] = [...patchBars[patch]].map(bar => (bar === 'w' ? 20 : 8));
      const expected = [40, a, 8, b, 8, c, 8, d, 30];
      t.strictSame(runs(page, [middle, 0], [0, 1], 1.5), expected);
      t.strictSame(runs(page, [middle, bottom], [0, -1], 1.5), expected);
      t.strictSame(runs(page, [0, low], [1, 0], 1.5), expected);
      t.strictSame(runs(page, [right, low], [-1, 0], 1.5), expected);
    }
  }
});

t.test('drawSeparatorSheet: A4 and Letter, 1-bit pages at 300 dpi of that size', async t => {
  const facts = separatorSizes.map(size => {
    const { width, height, dpi, pixels, stride, data } = drawSeparatorSheet({ ...usualSeparatorSheet, size });
    t.equal(data.length, stride * height);
    return [width, height, dpi, pixels];
  });
  t.strictSame(facts, [
    [2480, 3508, 300, 'bw1'],
    [2550, 3300, 300, 'bw1'],
  ]);
});

t.test('drawSeparatorSheet: the longest text, the barcode has its quiet zones', async t => {
  for (const size of separatorSizes) {
    const page = drawSeparatorSheet({ ...usualSeparatorSheet, size, text: 'W'.repeat(32) });
    const row = runs(page, [0, Math.round(3.5 * page.dpi)], [1, 0], page.width / page.dpi);
    // Narrow elements of 0.013 in at least: 2.7 pixels of a scan at 200 dpi.
    t.equal(row.length, 34 * 10 + 1);
    t.ok(row[0]! >= 14 && row.at(-1)! >= 14 && Math.min(...row) >= 1, row.join(' '));
  }
});

t.test('drawSeparatorSheet: a text that the barcode cannot have, refused', async t => {
  for (const text of ['', ' A', 'A ', 'patcht', 'A*B', 'A/B', 'A$', 'Ä', 'A\n', 'A'.repeat(33)])
    t.throws(
      () => drawSeparatorSheet({ ...usualSeparatorSheet, text }),
      { code: 'invalid-value', field: 'text' },
      text,
    );
  for (const text of ['A', '7', 'INV-2026.17', 'A B', 'A'.repeat(32)])
    t.doesNotThrow(() => drawSeparatorSheet({ ...usualSeparatorSheet, text }), text);
});

t.test('CODE_39_TEXT: a long text that does not match, found out at once', async t => {
  t.notOk(CODE_39_TEXT.test(`${'A '.repeat(50_000)}!`));
});

const call = { signal: new AbortController().signal };

/** Writes the bytes of each page. */
const plain: DocumentFormat = {
  name: 'Plain',
  mimeType: 'text/plain',
  extension: 'txt',
  async *write(pages, { title, language, createdAt }) {
    yield Buffer.from(JSON.stringify({ title, language, createdAt }));
    for await (const page of pages) {
      const { read, pixels, ...facts } = page;
      yield Buffer.from(JSON.stringify({ ...facts, kind: (await pixels()).pixels }));
      yield* read();
    }
  },
};

t.test('writeSeparatorSheet: a document of one page, in an image format without loss', async t => {
  const formats = [
    fakeFormat({ name: 'Jpeg', mimeType: 'image/jpeg' }),
    fakeFormat({ name: 'Png', mimeType: 'image/png' }),
  ];
  const chunks: string[] = [];
  for await (const chunk of writeSeparatorSheet(usualSeparatorSheet, plain, { software: { formats }, now: 7 }, call))
    chunks.push(Buffer.from(chunk).toString('latin1'));
  t.match(JSON.parse(chunks[0]!), { language: 'en', createdAt: 7 });
  t.match(JSON.parse(chunks[1]!), { width: 2480, height: 3508, dpi: 300, mimeType: 'image/png', turn: 0, kind: 'bw1' });
  t.equal((JSON.parse(chunks[1]!) as { size: number }).size, chunks.slice(2).join('').length);
});

t.test('writeSeparatorSheet: no image format is loaded, unsupported', async t => {
  const writing = writeSeparatorSheet(usualSeparatorSheet, plain, { software: { formats: [] }, now: 0 }, call);
  await t.rejects(writing.next(), { code: 'unsupported' });
});
