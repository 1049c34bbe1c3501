/** Contributions exist once, and are closed whatever fails on the way. */
import { fakeDocumentFormat, fakeDriver, fakeFormat, fakeProcessor, fakeRecogniser } from '@platen/conformance';
import t from 'tap';
import type { RawPage } from '../contract/page.js';
import type { Contributions } from '../contract/plugin.js';
import type { CustomProcessor } from '../contract/processor.js';
import { closeContributions, createRegistry } from './registry.js';

const fakeNamed = (name: string): CustomProcessor => ({ name, apply: async page => ({ page, applied: false }) });
const plugin = { use: './other', name: '@acme/other' };

t.test('admit: a duplicate contribution is left out alone, with its owner’s name', async t => {
  const registry = createRegistry();
  const first: Contributions = {
    drivers: [fakeDriver()],
    formats: [fakeFormat({ name: 'Png', aliases: ['png', 'p'] })],
    processors: [fakeProcessor('deskew'), fakeNamed('despeckle')],
  };
  t.same(registry.admit(plugin, first).unused, []);
  registry.add('@acme/all', first);
  const left = (contributions: Contributions) => registry.admit(plugin, contributions).unused;
  const owner = /"\.\/other" .*"@acme\/all" already/;
  t.match(left({ drivers: [fakeDriver()] }), [{ kind: 'driver', id: 'fake', fault: 'clash', sentence: owner }]);
  t.match(left({ formats: [fakeFormat({ name: 'PNG' })] }), [{ kind: 'format', id: 'PNG', sentence: owner }]);
  t.match(left({ formats: [fakeFormat({ name: 'Other', aliases: ['p'] })] }), [{ sentence: / the format p, / }]);
  t.match(left({ processors: [fakeProcessor('deskew')] }), [{ kind: 'processor', id: 'deskew', sentence: owner }]);
  t.match(left({ processors: [fakeNamed('Despeckle')] }), [{ kind: 'processor', id: 'Despeckle', sentence: owner }]);
  t.match(left({ drivers: [fakeDriver({ id: 'x' }), fakeDriver({ id: 'x' })] }), [{ sentence: / x twice/ }]);

  const [crop, bmp] = [fakeProcessor('crop'), fakeFormat({ name: 'Bmp' })];
  const own = { formats: [fakeFormat({ name: 'Png' }), bmp], processors: [fakeProcessor('deskew'), crop] };
  const { contributions, left: rest, unused } = registry.admit(plugin, own);
  t.same(contributions, { formats: [bmp], processors: [crop] });
  t.same([rest.formats?.length, rest.processors?.length, unused.length], [1, 1, 2]);
  registry.add('./other', contributions, '@acme/other');
  t.throws(() => registry.add('./again', own), TypeError);
});

t.test('admit: recognisers of one kind from several plugins; two with one name clash', async t => {
  const registry = createRegistry();
  const [first, second] = [fakeRecogniser('barcode'), fakeRecogniser('barcode')];
  registry.add('@acme/one', { recognisers: [first] });
  t.same(registry.admit(plugin, { recognisers: [second] }).unused, []);
  registry.add('./other', { recognisers: [second] }, '@acme/other');
  t.equal(registry.barcode, first, 'the first is the default');
  t.same(
    registry.readers.map(({ name }) => name),
    ['@acme/one', '@acme/other'],
  );
  const again = { ...fakeRecogniser('barcode'), name: '@ACME/one' };
  t.match(registry.admit(plugin, { recognisers: [again] }).unused, [
    { kind: 'recogniser', id: 'barcode', fault: 'clash' },
  ]);
  t.same(registry.admit(plugin, { recognisers: [{ ...again, kind: 'ocr' } as never] }).unused, []);
});

t.test('admit: what nothing could call, left out', async t => {
  const registry = createRegistry();
  const apply = async (page: RawPage) => ({ page, applied: true });
  const read = async () => null;
  const left = (contributions: object) => registry.admit(plugin, contributions as Contributions).unused;
  const cyclic: { properties: Record<string, unknown> } = { properties: {} };
  cyclic.properties['self'] = cyclic;
  const webp = fakeFormat({ name: 'Webp', aliases: ['webp'], mimeType: 'image/webp' });
  t.same(left({ formats: [webp] }), []);
  const wrong: readonly [object, string][] = [
    [{ processors: [{ adjustment: 'despeckle', apply }] }, 'despeckle'],
    [{ processors: [{ apply }] }, 'undefined'],
    [{ processors: [{ name: 'my filter', apply }] }, 'my filter'],
    [{ processors: [{ name: 'a', options: { type: 'strin' }, apply }] }, 'a'],
    [{ processors: [{ name: 'a', options: { type: 'array' }, apply }] }, 'a'],
    [{ processors: [{ name: 'a', options: [], apply }] }, 'a'],
    [{ recognisers: [{ kind: '__proto__', read }] }, '__proto__'],
    [{ recognisers: [{ kind: 'a b', read }] }, 'a b'],
    [{ recognisers: [{ kind: 'stamp', wishes: { properties: { a: { $ref: '#/$defs/a' } } }, read }] }, 'stamp'],
    [{ recognisers: [{ kind: 'ocr', name: 5, read }] }, 'ocr'],
    [{ recognisers: [{ kind: 'ocr', name: 'one\u001b[31m', read }] }, 'ocr'],
    [{ recognisers: [{ kind: 'constructor', read }] }, 'constructor'],
    [{ processors: [{ name: 'toString', apply }] }, 'toString'],
    [{ recognisers: [{ kind: 'stamp', wishes: { $async: true, type: 'object' }, read }] }, 'stamp'],
    [{ recognisers: [{ kind: 'stamp', wishes: cyclic, read }] }, 'stamp'],
    [{ recognisers: [{ kind: 'stamp', wishes: { default: 1n }, read }] }, 'stamp'],
    [{ formats: [{ ...webp, name: 'a/b' }] }, 'a/b'],
    [{ formats: [{ ...webp, name: '' }] }, ''],
    [{ formats: [{ ...webp, name: 'Web\u001bp' }] }, 'Web\u001bp'],
    [{ formats: [{ ...webp, aliases: ['../webp'] }] }, 'Webp'],
    [{ formats: [{ ...webp, aliases: ['WEBP2'] }] }, 'Webp'],
    [{ formats: [{ ...webp, aliases: [5] }] }, 'Webp'],
    [{ formats: [{ ...webp, aliases: { 0: 'webp' } }] }, 'Webp'],
    [{ formats: [{ ...webp, mimeType: 'image/webp\r\nSet-Cookie: a=b' }] }, 'Webp'],
    [{ formats: [{ ...webp, mimeType: '' }] }, 'Webp'],
    [{ recognisers: [{ kind: 'barcode', symbologies: ['MaxiCode', 5], read }] }, 'barcode'],
  ];
  for (const [contributions, id] of wrong)
    t.match(left(contributions), [{ id, fault: 'uncallable', sentence: /^The plugin "\.\/other" adds / }], id);
  t.same(left({ processors: [{ name: 'despeckle', apply }], recognisers: [{ kind: 'stamp', read }] }), []);
  t.same(left({ recognisers: [{ kind: 'stamp', wishes: { properties: { $ref: { type: 'string' } } }, read }] }), []);
});

t.test('admit: a document format whose name, extension or alias is taken in any case, left out', async t => {
  const registry = createRegistry();
  const tiff = fakeDocumentFormat({ name: 'Tiff', extension: 'tiff', aliases: ['tif'] });
  t.same(registry.admit(plugin, { documents: [tiff], formats: [fakeFormat({ name: 'Tiff' })] }).unused, []);
  registry.add('@acme/tiff', { documents: [tiff] });
  t.same(registry.documents, [tiff]);
  const takes = (options: Parameters<typeof fakeDocumentFormat>[0]) =>
    registry.admit(plugin, { documents: [fakeDocumentFormat(options)] }).unused[0]?.sentence;
  t.match(takes({ name: 'Other', extension: 'TIF' }), /the document format tif, which "@acme\/tiff" already adds/);
  t.match(takes({ name: 'Other', aliases: ['a', 'Tiff'] }), /the document format tiff, .*"@acme\/tiff"/);
  t.match(takes({ name: 'TIFF', extension: 'other' }), /the document format tiff, .*"@acme\/tiff"/);
  t.equal(takes({ name: 'Pdf', aliases: ['pdf'] }), undefined, 'its own name is its extension');
  const twice = [fakeDocumentFormat({ name: 'One', aliases: ['x'] }), fakeDocumentFormat({ name: 'X' })];
  t.match(registry.admit(plugin, { documents: twice }).unused, [{ id: 'X', sentence: /the document format x twice/ }]);
});

t.test('close: drivers before plugins, last one first; a close that fails keeps nothing else open', async t => {
  const registry = createRegistry();
  const closed: string[] = [];
  const close = (what: string) => async () => void closed.push(what);
  const driver = (id: string, end: () => Promise<void>) => ({ ...fakeDriver({ id }), close: end });
  registry.add('a', {
    drivers: [
      driver('1', close('driver 1')),
      driver('2', () => {
        throw new Error('at once');
      }),
    ],
    close: close('plugin a'),
  });
  registry.add('b', {
    drivers: [driver('3', () => Promise.reject(new Error('later')))],
    close: () => Promise.reject(new Error('no')),
  });
  registry.add('c', {
    drivers: [driver('4', close('driver 4'))],
    close: (() => void closed.push('plugin c')) as unknown as () => Promise<void>,
  });
  await registry.close();
  t.same(closed, ['driver 4', 'driver 1', 'plugin c', 'plugin a']);
  await registry.close();
  t.equal(closed.length, 4, 'once');
});

t.test('close: called as a method, keeps its this', async t => {
  const registry = createRegistry();
  const plugin = {
    open: true,
    async close() {
      this.open = false;
    },
  };
  registry.add('a', plugin);
  await registry.close();
  t.equal(plugin.open, false);
});

t.test('close: one hangs, the others are closed', async t => {
  const closed: string[] = [];
  const hangs = { ...fakeDriver(), close: () => new Promise<void>(() => undefined) };
  await closeContributions(
    [
      { drivers: [{ ...fakeDriver(), close: async () => void closed.push('the other driver') }] },
      { drivers: [hangs], close: async () => void closed.push('its plugin') },
    ],
    100,
  );
  t.same(closed, ['the other driver', 'its plugin']);
});
