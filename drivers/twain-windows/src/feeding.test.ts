/** Feeding: batches, and feeders that never report that they are empty. */
import t from 'tap';
import { body, never, open, orderOf, scanned, type Body } from './rig.test.kit.js';

const enabled = async (it: Body) => (await it.log()).filter(line => line === 'enable').length;

t.test(
  'sheet by sheet: the feeder is full again whenever it is enabled, the scan fails after "mostSheets" and keeps its pages',
  async t => {
    for (const paperdetectable of [1, 0]) {
      const it = await body({ sheets: 2, refills: 2, paperdetectable }, { options: { mostSheets: 5 } });
      t.teardown(it.dispose);
      const session = await open(it);
      t.match(await scanned(session, { source: 'feeder' }), { pages: { length: 5 }, code: 'driver-failed' });
      it.set({ refills: undefined, sheets: 2 });
      t.match(await scanned(session, { source: 'feeder' }), { pages: { length: 2 }, code: undefined });
    }
  },
);

t.test(
  'batch: the feeder is full again whenever it is enabled, the source is enabled once and the stack ends',
  async t => {
    const it = await body({ refills: 2 }, { options: { feeding: 'batch', mostSheets: 5 } });
    t.teardown(it.dispose);
    const session = await open(it);
    t.equal(session.device.feeding, 'continuous');
    it.set({ sheets: 2 });
    t.match(await scanned(session, { duplexMode: 'DuplexLongEdge' }), { pages: { length: 4 }, code: undefined });
    t.equal(await enabled(it), 1);
  },
);

t.test('mostSheets: a stack of exactly this many sheets, not a failure', async t => {
  for (const feeding of ['sheet', 'batch'] as const) {
    const it = await body({ sheets: 5 }, { options: { feeding, mostSheets: 5 } });
    t.teardown(it.dispose);
    t.match(await scanned(await open(it)), { pages: { length: 5 }, code: undefined }, feeding);
  }
});

t.test('mostSheets: a longer batch, every sheet fed before the feeder stopped is delivered', async t => {
  for (const quirks of [{}, { autoscan: 1 }]) {
    const it = await body({ sheets: 20, ...quirks }, { options: { feeding: 'batch', mostSheets: 5 } });
    t.teardown(it.dispose);
    const { pages, code } = await scanned(await open(it));
    t.equal(code, 'driver-failed');
    t.equal(pages.length, 20 - (await it.remaining()));
    t.ok(pages.length < 10);
  }
});

t.test('batch: stopped by MSG_STOPFEEDER or CAP_AUTOFEED, whichever the source supports', async t => {
  const ways = [
    { quirks: { autoscan: 1 }, stops: true },
    { quirks: {}, stops: true },
    { quirks: { refuses: 'AUTOFEED' }, stops: false },
  ];
  for (const { quirks, stops } of ways) {
    const it = await body({ sheets: 12, ...quirks }, { options: { feeding: 'batch' } });
    t.teardown(it.dispose);
    const session = await open(it);
    const stop = new AbortController();
    const pages: number[] = [];
    for await (const { sheet } of session.scan(orderOf(), { signal: never(), stop: stop.signal })) {
      pages.push(sheet);
      stop.abort();
    }
    t.equal(pages.length, 12 - (await it.remaining()), 'every sheet fed was delivered');
    t.equal(pages.length < 6, stops, JSON.stringify(quirks));
    await it.load(2);
    t.ok((await scanned(session)).pages.length >= 2, 'the next scan feeds again');
  }
});

t.test('batch: neither ends nor stops, the scan fails after twice "mostSheets"', async t => {
  const it = await body({ sheets: 1_000_000, refuses: 'AUTOFEED' }, { options: { feeding: 'batch', mostSheets: 5 } });
  t.teardown(it.dispose);
  t.match(await scanned(await open(it)), { pages: { length: 10 }, code: 'driver-failed' });
});

t.test('batch: an order of one sheet, fed sheet by sheet; the next one is a batch again', async t => {
  const it = await body({ sheets: 3 }, { options: { feeding: 'batch' } });
  t.teardown(it.dispose);
  const session = await open(it);
  t.match(await scanned(session, { sheets: 1 }), { pages: { length: 1 } });
  t.equal(await it.remaining(), 2);
  t.match(await scanned(session), { pages: { length: 2 } });
  t.equal(await enabled(it), 2);
});
