/** Sources: sources and duplex in the spellings of real backends. */
import t from 'tap';
import { backends, type Backend } from '../backends.test.kit.js';
import { duplexChoices, feederChoices, waysOf, type Ways } from './sources.js';

const table: Readonly<Record<Backend, { type?: string; ways: Ways }>> = {
  fujitsu: { ways: { feeder: { source: 'ADF Front', duplexSource: 'ADF Duplex' } } },
  epsonds: { ways: { feeder: { source: 'ADF Front', duplexSource: 'ADF Duplex' }, flatbed: { source: 'Flatbed' } } },
  pixma: {
    ways: {
      feeder: { source: 'Automatic Document Feeder', duplexSource: 'ADF Duplex' },
      flatbed: { source: 'Flatbed' },
    },
  },
  genesys: { type: 'flatbed scanner', ways: { flatbed: { source: 'Flatbed' } } },
  hpaio: { ways: { feeder: { source: 'ADF' }, flatbed: { source: 'Flatbed' } } },
  brother: {
    ways: {
      feeder: {
        source: 'Automatic Document Feeder(left aligned)',
        duplexSource: 'Automatic Document Feeder(left aligned,Duplex)',
      },
      flatbed: { source: 'FlatBed' },
    },
  },
  avision: { ways: { feeder: { source: 'ADF Front', duplexSource: 'ADF Duplex' }, flatbed: { source: 'Normal' } } },
  epson2: { ways: { feeder: { source: 'Automatic Document Feeder' }, flatbed: { source: 'Flatbed' } } },
  hp5590: { ways: { feeder: { source: 'ADF', duplexSource: 'ADF Duplex' }, flatbed: { source: 'Flatbed' } } },
  canon_dr: { ways: { feeder: { source: 'ADF Front', duplexSource: 'ADF Duplex' } } },
  kvs20xx: { type: 'sheetfed scanner', ways: { feeder: {} } },
  sheetfed: { type: 'sheetfed scanner', ways: { feeder: { source: 'Flatbed' } } },
  umax: { ways: { feeder: { source: 'Automatic Document Feeder' }, flatbed: { source: 'Flatbed' } } },
};

t.test('sources: every backend, exactly its sources', async t => {
  for (const [name, { type = 'scanner', ways }] of Object.entries(table)) {
    t.strictSame(waysOf(backends[name as Backend], type), ways, name);
  }
});

t.test('sources: no source option, a flatbed, or a feeder if the type says so', async t => {
  t.strictSame(waysOf([], 'flatbed scanner'), { flatbed: {} });
  t.strictSame(waysOf([], ''), { flatbed: {} });
  t.strictSame(waysOf([], 'sheetfed scanner'), { feeder: {} });
});

t.test('sources: transparency units and card slots, ignored', async t => {
  const only = (...strings: string[]) =>
    backends.fujitsu.map(each => (each.name === 'source' ? { ...each, constraint: { strings } } : each)).slice(0, 3);
  t.strictSame(waysOf(only('Flatbed', 'Transparency Unit', 'TPU8x10', 'Negative', 'Slide(s)'), ''), {
    flatbed: { source: 'Flatbed' },
  });
  t.strictSame(
    waysOf(only('ADF Front', 'Card Duplex'), ''),
    { feeder: { source: 'ADF Front' } },
    'a card slot does not give the feeder a second side',
  );
  t.strictSame(waysOf(only('ADF Duplex'), ''), { feeder: { source: 'ADF Duplex', duplexSource: 'ADF Duplex' } });
});

t.test('duplex: not a source, found as an option', async t => {
  const active = (name: Backend) => backends[name].map(each => ({ ...each, active: true }));
  t.strictSame(duplexChoices(active('epson2')), {
    on: { name: 'adf-mode', value: 'Duplex' },
    off: { name: 'adf-mode', value: 'Simplex' },
  });
  t.strictSame(duplexChoices(active('kvs20xx')), {
    on: { name: 'duplex', value: true },
    off: { name: 'duplex', value: false },
  });
  t.equal(duplexChoices(backends.hpaio), undefined, 'none while it is inactive');
  t.strictSame(duplexChoices(active('hpaio'))?.on, { name: 'duplex', value: true });
  t.equal(duplexChoices(active('umax')), undefined);
});

t.test('feeder: options for feeding ahead, turned off', async t => {
  t.strictSame(feederChoices(backends.fujitsu), [
    { name: 'buffermode', value: 'Off' },
    { name: 'prepick', value: 'Off' },
  ]);
  t.strictSame(feederChoices(backends.canon_dr), [{ name: 'buffermode', value: false }]);
  t.strictSame(feederChoices(backends.hpaio), [{ name: 'batch-scan', value: true }]);
});
