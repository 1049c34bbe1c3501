/** Contributions exist once, and are closed whatever fails on the way. */
import { fakeDocumentFormat, fakeDriver, fakeFormat, fakeProcessor, fakeRecogniser } from '@platen/conformance';
import t from 'tap';
import type { Contributions } from '../contract/plugin.js';
import { closeContributions, createRegistry } from './registry.js';

t.test('registry: a duplicate contribution, refused with its owner’s name', async t => {
  const registry = createRegistry();
  const first: Contributions = {
    drivers: [fakeDriver()],
    formats: [fakeFormat({ name: 'Png' })],
    recognisers: [fakeRecogniser('ocr')],
    processors: [fakeProcessor('deskew')],
  };
  t.equal(registry.clash(first), undefined);
  registry.add('@acme/all', first);
  t.equal(registry.clash({ drivers: [fakeDriver()] }), 'the driver fake, which "@acme/all" already adds');
  t.equal(registry.clash({ formats: [fakeFormat({ name: 'Png' })] }), 'the format Png, which "@acme/all" already adds');
  t.equal(
    registry.clash({ recognisers: [fakeRecogniser('ocr')] }),
    'a recogniser of the kind ocr, which "@acme/all" already adds',
  );
  t.equal(
    registry.clash({ processors: [fakeProcessor('deskew')] }),
    'a processor for deskew, which "@acme/all" already adds',
  );
  t.equal(registry.clash({ drivers: [fakeDriver({ id: 'x' }), fakeDriver({ id: 'x' })] }), 'the driver x twice');
  t.equal(
    registry.clash({ formats: [fakeFormat({ name: 'Bmp' })], recognisers: [fakeRecogniser('barcode')] }),
    undefined,
  );
  t.equal(registry.barcode, undefined);
  t.equal(registry.ocr?.kind, 'ocr');
});

t.test('registry: a document format whose name, extension or alias is taken in any case, refused', async t => {
  const registry = createRegistry();
  const tiff = fakeDocumentFormat({ name: 'Tiff', extension: 'tiff', aliases: ['tif'] });
  t.equal(registry.clash({ documents: [tiff], formats: [fakeFormat({ name: 'Tiff' })] }), undefined);
  registry.add('@acme/tiff', { documents: [tiff] });
  t.same(registry.documents, [tiff]);
  const takes = (options: Parameters<typeof fakeDocumentFormat>[0]) =>
    registry.clash({ documents: [fakeDocumentFormat(options)] });
  t.equal(takes({ name: 'Other', extension: 'TIF' }), 'the document format tif, which "@acme/tiff" already adds');
  t.match(takes({ name: 'Other', aliases: ['a', 'Tiff'] }), /^the document format tiff, .*"@acme\/tiff"/);
  t.match(takes({ name: 'TIFF', extension: 'other' }), /^the document format tiff, .*"@acme\/tiff"/);
  t.equal(takes({ name: 'Pdf', aliases: ['pdf'] }), undefined, 'its own name is its extension');
  const twice = [fakeDocumentFormat({ name: 'One', aliases: ['x'] }), fakeDocumentFormat({ name: 'X' })];
  t.equal(registry.clash({ documents: twice }), 'the document format x twice');
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
