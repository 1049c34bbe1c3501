/** What plugins return for a page is checked: nothing that they return loses it. */
import { fakeFormat } from '@platen/conformance';
import t from 'tap';
import type { RawPage } from '../contract/page.js';
import type { Contributions } from '../contract/plugin.js';
import type { CustomProcessor } from '../contract/processor.js';
import { adding, byOption, page, setUp, stamp } from './plugins.test.kit.js';

t.test('recognise: a patch code that there is not, missing with a note', async t => {
  const recognisers = [{ kind: 'patch', read: async () => 'Z' }] as unknown as Contributions['recognisers'] & object;
  const { finish, notes } = setUp({ recognisers }, { recognise: { patch: {} } });
  t.same((await finish()).findings, {});
  t.match(notes, [{ code: 'recogniser-failed' }]);
});

t.test('recognise, process: wishes and options that a plugin changes, unchanged for the next page', async t => {
  const seen: unknown[] = [];
  const change = (asked: object): void => {
    seen.push({ ...asked });
    Object.assign(asked, { least: 99, by: 99 });
  };
  const contributions: Contributions = {
    recognisers: [{ ...stamp, read: async (_page: RawPage, asked: object) => change(asked) }],
    processors: [
      { ...adding('add', byOption), apply: async (each, asked) => (change(asked), { page: each, applied: false }) },
    ],
  };
  const { finish } = setUp(contributions, { recognise: { stamp: { least: 2 } }, process: { add: { by: 1 } } });
  await finish();
  const { report } = await finish();
  t.same(seen, [{ by: 1 }, { least: 2 }, { by: 1 }, { least: 2 }]);
  t.match(
    report.filter(({ parameter }) => parameter.includes('.')),
    [{ requested: '{"by":1}' }, { requested: '{"least":2}' }],
  );
});

t.test('process: a page that is not whole, its step skipped with a note; the page is kept', async t => {
  const torn: readonly [string, (each: RawPage) => unknown][] = [
    ['data too short', each => ({ page: { ...each, data: each.data.subarray(0, 7) }, applied: true })],
    ['no data', each => ({ page: { ...each, data: undefined }, applied: true })],
    ['no page', () => ({ applied: true })],
    ['no pixels', each => ({ page: { ...each, width: 0, height: 0, data: new Uint8Array(0) }, applied: true })],
    ['other pixels', each => ({ page: { ...each, pixels: 'cmyk' }, applied: true })],
    ['more than it has', each => ({ page: { ...each, width: 1e9, height: 1e9 }, applied: true })],
    ['no resolution', each => ({ page: { ...each, dpi: NaN }, applied: true })],
    ['encoded', each => ({ page: { ...each, kind: 'encoded', mimeType: 'image/png' }, applied: true })],
    ['nothing', () => undefined],
    ['no sentence', each => ({ page: each, applied: false, why: { text: 'clean' } })],
  ];
  for (const [what, result] of torn) {
    const apply = async (each: RawPage): Promise<never> => result(each) as never;
    const asked = { autoDeskew: true, process: { tears: {} }, recognise: { stamp: {} } };
    const processors = [{ name: 'tears', apply }, { adjustment: 'deskew', apply } as const];
    const { finish, notes } = setUp({ processors, recognisers: [stamp] }, asked);
    const { findings, width, report } = await finish();
    t.match({ findings, width }, { findings: { stamp: { first: 10 } }, width: page.width }, what);
    t.match(notes, [{ code: 'adjustment-failed' }, { code: 'processor-failed' }], what);
    t.match(
      report.filter(({ parameter }) => /tears|autoDeskew/.test(parameter)),
      [{ result: 'ignored' }, { result: 'ignored' }],
    );
  }
});

t.test('process: another sheet or side, the page stays the one that was scanned', async t => {
  const apply: CustomProcessor['apply'] = async each => ({ page: { ...each, sheet: 9, side: 'back' }, applied: true });
  const { sheet, side } = await setUp({ processors: [{ name: 'moves', apply }] }, { process: { moves: {} } }).finish();
  t.same({ sheet, side }, { sheet: page.sheet, side: page.side });
});

t.test('encode: no bytes, the format is named', async t => {
  for (const bytes of [new Uint8Array(0), undefined, 'text', null]) {
    const formats = [{ ...fakeFormat({ name: 'Png' }), encode: async () => bytes as never }];
    await t.rejects(setUp({ formats }, {}).finish(), { code: 'internal', message: /encoded as Png/ });
  }
});

t.test('barcodes: a result that is no list of barcodes, none with a note', async t => {
  const barcode = { filterLevel: 'Normal', formats: [], stopAfterFirst: false } as const;
  const whole = { text: '1', barcodeType: 'MAXICODE', confidence: 1 };
  for (const found of [
    'text',
    undefined,
    { length: 1 },
    [null],
    [{ ...whole, text: 5 }],
    [{ ...whole, confidence: 1n }],
  ]) {
    const { finish, notes } = setUp(
      { recognisers: [{ kind: 'barcode', read: async () => found as never }] },
      { barcode },
    );
    t.same((await finish()).barcodes, []);
    t.match(notes, [{ code: 'barcodes-failed' }]);
  }
  const recognisers = [{ kind: 'barcode', read: async () => [{ ...whole, more: 1n }] } as const];
  t.same((await setUp({ recognisers }, { barcode }).finish()).barcodes, [whole], 'without what answers cannot have');
});
