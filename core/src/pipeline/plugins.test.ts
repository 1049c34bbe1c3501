/** Recognisers and processors of plugins in the flow: what a page gets from those that a request names. */
import { fakeRecogniser } from '@platen/conformance';
import t from 'tap';
import type { Contributions } from '../contract/plugin.js';
import type { CustomProcessor, Processor } from '../contract/processor.js';
import type { BarcodeRecogniser, CustomRecogniser } from '../contract/recogniser.js';
import { processAsked, readersAsked, recogniseAsked, symbologiesAsked } from '../registry/asked.js';
import { adding, byOption, setUp, stamp } from './plugins.test.kit.js';

t.test('recognise: findings by kind, after the processors; absent if not requested', async t => {
  const contributions = { recognisers: [stamp], processors: [adding('add', byOption)] };
  const asked = { recognise: { stamp: { least: 2 } }, process: { add: { by: 5 } } };
  const { findings, report } = await setUp(contributions, asked).finish();
  t.same(findings, { stamp: { first: 25, asked: { least: 2 } } });
  t.match(
    report.filter(({ parameter }) => parameter.includes('.')),
    [
      { parameter: 'process.add', requested: '{"by":5}', result: 'emulated' },
      { parameter: 'recognise.stamp', requested: '{"least":2}', result: 'applied' },
    ],
  );
  t.notOk('findings' in (await setUp(contributions, {}).finish()));
  t.notOk('findings' in (await setUp(contributions, { recognise: {} }).finish()));
});

t.test('recognise: a patch code, null without one; the separating field stays absent', async t => {
  const asked = { recognise: { patch: {} } };
  const found = await setUp({ recognisers: [fakeRecogniser('patch', { reads: '3' })] }, asked).finish();
  t.same(found.findings, { patch: '3' });
  t.notOk('patch' in found);
  const none: Contributions = { recognisers: [{ kind: 'patch', read: async () => undefined }] };
  t.same((await setUp(none, asked).finish()).findings, { patch: null });
});

t.test('recognise: a patch code that also separates, read once', async t => {
  let reads = 0;
  const patch: Contributions = { recognisers: [{ kind: 'patch', read: async () => (reads++, 'T') }] };
  const found = await setUp(patch, { recognise: { patch: {} }, separate: { by: 'patch' } }).finish();
  t.same([found.patch, found.findings, reads], ['T', { patch: 'T' }, 1]);
  const wrong: Contributions = { recognisers: [{ kind: 'patch', read: async () => '9' as '1' }] };
  const { finish, notes } = setUp(wrong, { recognise: { patch: {} } });
  t.same((await finish()).findings, {});
  t.match(notes, [{ code: 'recogniser-failed' }]);
});

t.test('recognise: one that fails or finds no JSON is missing, with a note; the others stay', async t => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  for (const read of [
    () => Promise.reject(new Error('no ink')),
    async () => circular,
    async () => () => 1,
    async () => 'x'.repeat(2 ** 20 + 1),
  ]) {
    const recognisers = [stamp, { kind: 'bad', wishes: {}, read }];
    const { finish, notes } = setUp({ recognisers }, { recognise: { stamp: {}, bad: {} } });
    const { findings, report } = await finish();
    t.same(Object.keys(findings ?? {}), ['stamp']);
    t.match(notes, [{ code: 'recogniser-failed', text: /bad/ }]);
    t.match(
      report.filter(({ parameter }) => parameter.startsWith('recognise')),
      [
        { parameter: 'recognise.stamp', result: 'applied' },
        { parameter: 'recognise.bad', result: 'ignored', why: /./ },
      ],
    );
  }
});

t.test('process: in the order of the configuration, whatever the order of the request', async t => {
  const processors = [adding('first', () => 1), adding('second', () => 3)];
  const recognise = { stamp: {} };
  for (const process of [
    { first: {}, second: {} },
    { second: {}, first: {} },
  ]) {
    const { findings } = await setUp({ processors, recognisers: [stamp] }, { process, recognise }).finish();
    t.match(findings, { stamp: { first: (10 * 2 + 1) * 2 + 3 } });
  }
});

t.test('process: after the adjustments, whatever the order of the configuration', async t => {
  const deskew: Processor = {
    adjustment: 'deskew',
    apply: async each => ({ page: { ...each, data: each.data.map(() => 100) }, applied: true }),
  };
  const contributions = { processors: [adding('add', () => 1), deskew], recognisers: [stamp] };
  const asked = { autoDeskew: true, process: { add: {} }, recognise: { stamp: {} } };
  t.match((await setUp(contributions, asked).finish()).findings, { stamp: { first: 100 * 2 + 1 } });
});

t.test('process: a failure or nothing to do, in the report; the page is kept', async t => {
  const processors: CustomProcessor[] = [
    { name: 'fails', apply: () => Promise.reject(new Error('out of ink')) },
    { name: 'idle', apply: async each => ({ page: each, applied: false, why: 'it is clean' }) },
  ];
  const { finish, notes } = setUp({ processors }, { process: { fails: {}, idle: {} } });
  const { report } = await finish();
  t.match(
    report.filter(({ parameter }) => parameter.startsWith('process')),
    [
      { parameter: 'process.fails', result: 'ignored', why: 'out of ink' },
      { parameter: 'process.idle', result: 'ignored', why: 'it is clean' },
    ],
  );
  t.match(notes, [{ code: 'processor-failed', text: /fails/ }]);
});

t.test('asked: defaults are filled in, and the request is left as it was', async t => {
  const { registry } = setUp({ recognisers: [stamp], processors: [adding('add', byOption)] }, {});
  const given = { stamp: {} };
  t.same(recogniseAsked(given, registry.readers), { stamp: { least: 2 } });
  t.same(given, { stamp: {} });
  t.same(processAsked({ add: {} }, registry.processors), { add: { by: 1 } });
});

t.test('asked: a value that a schema does not accept, the field and what it takes', async t => {
  const { registry } = setUp(
    { recognisers: [stamp, fakeRecogniser('ocr')], processors: [adding('add', byOption)] },
    {},
  );
  const { readers, processors } = registry;
  const refused: readonly [() => unknown, string, RegExp][] = [
    [() => recogniseAsked({ stamp: { least: 0 } }, readers), 'recognise.stamp.least', /an integer of at least 1/],
    [() => recogniseAsked({ stamp: { ink: 'Green' } }, readers), 'recognise.stamp.ink', /one of blue, red/],
    [() => recogniseAsked({ stamp: { most: 1 } }, readers), 'recognise.stamp.most', /least, ink/],
    [() => recogniseAsked({ stamp: true }, readers), 'recognise.stamp', /an object/],
    [() => recogniseAsked([], readers), 'recognise', /an object/],
    [() => recogniseAsked({ seal: {} }, readers), 'recognise', /stamp: seal is not loaded/],
    [() => recogniseAsked({ ocr: {} }, readers), 'recognise', /stamp: ocr has parameters of its own/],
    [() => recogniseAsked({ constructor: {} }, readers), 'recognise', /stamp/],
    [() => processAsked({ add: { by: 1.5 } }, processors), 'process.add.by', /an integer/],
    [() => processAsked({ despeckle: {} }, processors), 'process', /add: despeckle/],
    [() => processAsked({ despeckle: {} }, []), 'process', /nothing: despeckle/],
    [() => readersAsked({ ocr: 'Other' }, readers), 'readers.ocr', /one of @acme\/all/],
    [() => readersAsked({ barcode: '@acme/all' }, readers), 'readers.barcode', /nothing/],
    [() => readersAsked({ ocr: 5 }, readers), 'readers.ocr', /one of @acme\/all/],
  ];
  for (const [ask, field, accepts] of refused) t.throws(ask, { code: 'invalid-value', field, accepts }, field);
});

t.test('asked: values in each other, too many levels refused with the field', async t => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const { registry } = setUp({ recognisers: [{ ...stamp, wishes: {} }] }, {});
  const ask = (levels: number) => recogniseAsked({ stamp: { ink: nested(levels) } }, registry.readers);
  t.match(ask(49), { stamp: { ink: [[]] } });
  for (const levels of [50, 30_000]) t.throws(() => ask(levels), { code: 'invalid-value', field: 'recognise.stamp' });
});

t.test('readers: the one that is named reads, otherwise the first', async t => {
  const other: CustomRecogniser = { kind: 'stamp', name: 'Other', wishes: {}, read: async () => 'other' };
  const first = fakeRecogniser('barcode', { reads: [{ text: '1', barcodeType: 'CODE_128', confidence: 1 }] });
  const second: BarcodeRecogniser = {
    kind: 'barcode',
    name: 'second',
    symbologies: { MaxiCode: 'MAXICODE' },
    read: async (_page, { formats }) => formats.map(text => ({ text, barcodeType: 'MAXICODE', confidence: 1 })),
  };
  const contributions = { recognisers: [first, second, stamp, other] };
  const { registry } = setUp(contributions, {});
  const readers = readersAsked({ barcode: 'SECOND', stamp: 'other' }, registry.readers);
  t.same(readers, { barcode: 'second', stamp: 'Other' });
  const formats = symbologiesAsked(['maxicode', 'QRCODE'], registry.readers, readers);
  t.same(formats, ['MaxiCode', 'QrCode']);
  t.throws(() => symbologiesAsked(['MaxiCode'], registry.readers), {
    field: 'barcodeFormats[0]',
    code: 'invalid-value',
  });
  t.throws(() => symbologiesAsked([null], registry.readers), { field: 'barcodeFormats[0]', code: 'invalid-value' });

  const barcode = { filterLevel: 'Normal', formats, stopAfterFirst: false } as const;
  const named = await setUp(contributions, { barcode, readers, recognise: { stamp: {} } }).finish();
  t.same(
    named.barcodes.map(({ text, barcodeType }) => [text, barcodeType]),
    [
      ['MaxiCode', 'MAXICODE'],
      ['QrCode', 'MAXICODE'],
    ],
  );
  t.same(named.findings, { stamp: 'other' });
  const usual = await setUp(contributions, { barcode: { ...barcode, formats: [] }, recognise: { stamp: {} } }).finish();
  t.same(
    usual.barcodes.map(({ text }) => text),
    ['1'],
  );
  t.match(usual.findings, { stamp: { first: 10 } });
});
