/** The list of features over registries that a test replaces. */
import { fakeDocumentFormat, fakeFormat, fakeRecogniser } from '@platen/conformance';
import { createRegistry, type Contributions, type PluginReport } from '@platen/core';
import t from 'tap';
import { createFeatures, type LoadedNow } from './features.js';

type Report = Pick<PluginReport, 'state' | 'declares'>;
type Declared = NonNullable<PluginReport['declares']>;

function loadedOf(contributions: Contributions, reports: readonly Report[] = []): LoadedNow {
  const registry = createRegistry();
  registry.add('fakes', contributions);
  return { registry, reports: reports.map(each => ({ use: 'some', provides: [], ...each })) };
}

/** Plugins that a test changes. */
function changing(first: LoadedNow) {
  let now = first;
  const features = createFeatures({
    get registry() {
      return now.registry;
    },
    get reports() {
      return now.reports;
    },
  });
  return { features, become: (next: LoadedNow) => ((now = next), features.changed()) };
}

const declares = (kind: Declared[number]['kind'], id: string): Declared => [{ kind, id }];
const stay = new AbortController().signal;

t.test('features: what is loaded, by the names that requests have', async t => {
  const { features } = changing(
    loadedOf({
      formats: [fakeFormat({ name: 'Png' })],
      documents: [fakeDocumentFormat({ extension: 'pdf' })],
      processors: [{ name: 'despeckle', apply: async page => ({ page, applied: false }) }],
      recognisers: [{ ...fakeRecogniser('ocr'), languages: ['eng', 'deu'] }, fakeRecogniser('barcode')],
    }),
  );
  t.match(features.now(), {
    revision: 1,
    barcodes: { available: true, symbologies: ['Pdf417'] },
    text: { available: true, languages: ['eng', 'deu'] },
    recognisers: ['ocr', 'barcode'],
    processors: ['despeckle'],
    formats: ['Png'],
    documents: ['pdf'],
  });
});

t.test('features: the revision grows with each change, and only then', async t => {
  const ocr = { recognisers: [fakeRecogniser('ocr')] };
  const { features, become } = changing(loadedOf(ocr));
  become(loadedOf(ocr));
  t.equal(features.now().revision, 1, 'loaded again, it is the same');
  const seen = features.after(1, stay);
  become(loadedOf({}));
  t.match(await seen, { revision: 2, text: { available: false, languages: [] } });
  t.match(await features.after(1, stay), { revision: 2 }, 'who comes late does not wait');
  become(loadedOf(ocr));
  t.equal(features.now().revision, 3, 'back again is a change');
});

t.test('features: who waits is told of the end, and leaves when gone', async t => {
  const { features } = changing(loadedOf({}));
  const gone = new AbortController();
  const left = features.after(1, gone.signal);
  gone.abort();
  t.equal(await left, undefined);
  const waits = features.after(1, stay);
  features.end();
  t.equal(await waits, undefined);
  t.equal(await features.after(0, stay), undefined);
});

t.test('features: why each is off', async t => {
  const offOf = (loaded: LoadedNow, id: string): unknown =>
    createFeatures(loaded)
      .now()
      .off.find(each => each.id === id);
  const ocr = { kind: 'recogniser', id: 'ocr' } as const;
  t.same(offOf(loadedOf({}), 'ocr'), { ...ocr, why: 'not-installed' }, 'no entry, and the interface names it');
  for (const [state, why] of [
    ['disabled', 'switched-off'],
    ['unlicensed', 'not-licensed'],
    ['skipped', 'not-for-this-system'],
    ['refused', 'failed'],
  ] as const)
    t.same(offOf(loadedOf({}, [{ state, declares: declares('recogniser', 'ocr') }]), 'ocr'), { ...ocr, why });
  for (const [hasEnded, why] of [
    [true, 'licence-ended'],
    [false, 'not-licensed'],
  ] as const) {
    const registry = createRegistry();
    registry.withhold([ocr], 'so it is', hasEnded);
    const reports = [{ use: 'some', provides: [], state: 'unlicensed', declares: [ocr] }] as const;
    t.same(offOf({ registry, reports }, 'ocr'), { ...ocr, why }, 'the registry knows better than the report');
  }
});

t.test('features: what another plugin does is not off; a name counts in any letter case, once', async t => {
  const off = (loaded: LoadedNow) => createFeatures(loaded).now().off;
  const disabled = {
    state: 'disabled',
    declares: [...declares('format', 'png'), ...declares('processor', 'x')],
  } as const;
  t.notOk(
    off(loadedOf({ formats: [fakeFormat({ name: 'Png' })] }, [disabled])).some(
      ({ kind, id }) => kind === 'format' && /png/i.test(id),
    ),
  );
  const withoutPng = off(loadedOf({}, [disabled]));
  t.same(
    withoutPng.filter(({ id }) => /png/i.test(id)),
    [{ kind: 'format', id: 'png', why: 'switched-off' }],
  );
  t.notOk(
    withoutPng.some(({ id }) => id === 'x'),
    'pages ask for no processor by this list',
  );
});
