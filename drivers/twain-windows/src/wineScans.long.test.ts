/** Scans with the real helpers, Wine's data source manager and the simulated data source of each bitness. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ColorMode, ScanOrder } from '@platen/core/plugin';
import t from 'tap';
import { PT } from './protocol/constants.js';
import { firstWrongRow } from './picture.test.kit.js';
import { body, never, open, scanned, type Body, type BodyOptions } from './rig.test.kit.js';
import type { Bits } from './settings.js';
import { needsWine, sourceName, startWine, type Wine } from './wine.test.kit.js';

type Quirks = Readonly<Record<string, string | number>>;

const types: Readonly<Record<ColorMode, number>> = { Color: PT.RGB, Grayscale: PT.GRAY, BlackAndWhite: PT.BW };

async function within(
  wine: Wine,
  bits: Bits,
  quirks: Quirks,
  use: (it: Body) => Promise<void>,
  options: BodyOptions = {},
): Promise<void> {
  const it = await body(quirks, {
    helpers: wine.helpers,
    path: wine.path,
    deviceId: sourceName(bits),
    ...options,
    options: { bits: [bits], ask: 'opening', ...options.options },
  });
  try {
    await use(it);
  } finally {
    await it.dispose();
  }
}

async function pixels(t: Tap, wine: Wine, bits: Bits): Promise<void> {
  const ways: readonly [name: string, quirks: Quirks, order: Partial<ScanOrder>][] = [
    ['whole, bottom up', {}, { transferMode: 'Native' }],
    ['whole, top down, a zero is white', { topdown: 1, flavor: 'vanilla' }, { transferMode: 'Native' }],
    [
      'strips with padding, of an unknown length',
      { stride: 7, rows: 37, unknownlength: 1 },
      { transferMode: 'Buffered' },
    ],
    ['strips, a zero is white', { stride: 1, flavor: 'vanilla' }, { transferMode: 'Buffered' }],
    ['tiles', { tiles: 64, rows: 50 }, { transferMode: 'Buffered' }],
    ['whole, from a source that treats the bit order as the colour order', { swaps: 1 }, { transferMode: 'Native' }],
    ['strips, from the same source', { swaps: 1 }, { transferMode: 'Buffered' }],
    ['a source that scans ahead', { autoscan: 1 }, { transferMode: 'Auto' }],
  ];
  for (const [name, quirks, order] of ways) {
    await within(wine, bits, quirks, async it => {
      const session = await open(it);
      for (const colorMode of ['Color', 'Grayscale', 'BlackAndWhite'] as const) {
        it.set({ sheets: 2, fed: 0 });
        const { pages, message } = await scanned(session, {
          ...order,
          colorMode,
          resolution: 75,
          duplexMode: 'DuplexLongEdge',
        });
        t.equal(message, '');
        t.strictSame(
          pages.map(({ sheet, side, dpi }) => [sheet, side, dpi]),
          [
            [1, 'front', 75],
            [1, 'back', 75],
            [2, 'front', 75],
            [2, 'back', 75],
          ],
          `${bits}: ${name}`,
        );
        for (const page of pages)
          t.equal(
            firstWrongRow(page, { sheet: page.sheet, side: page.side === 'front' ? 0 : 1 }, types[colorMode]),
            -1,
            `${bits}: ${name}, ${colorMode}`,
          );
      }
    });
  }
}

const codes: Readonly<Record<string, string>> = {
  jam: 'paper-jam',
  doublefeed: 'double-feed',
  coveropen: 'cover-open',
  offline: 'device-offline',
  crash: 'driver-failed',
  hang: 'timeout',
  neverready: 'timeout',
};

async function faults(t: Tap, wine: Wine, bits: Bits, mechs: string): Promise<void> {
  await within(
    wine,
    bits,
    { mechs, rows: 100 },
    async it => {
      const session = await open(it);
      for (const [fault, code] of Object.entries(codes)) {
        it.set({ sheets: 2, fault, faultAfter: 1 });
        t.match(
          await scanned(session, { resolution: 75 }),
          { pages: { length: 1 }, code },
          `${bits} ${mechs}: ${fault}`,
        );
        await it.clearFaults();
        it.set({ sheets: 1 });
        t.match(
          await scanned(session, { resolution: 75 }),
          { pages: { length: 1 }, message: '' },
          `${bits} ${mechs}: after ${fault} the next scan works`,
        );
      }
      it.set({ sheets: 0 });
      t.match(await scanned(session, { source: 'feeder' }), { pages: [], code: 'no-paper' });
      await session.close();
      const log = await it.log();
      t.strictSame(
        log.filter(line => / show=[^0]/.test(line)),
        [],
        'no window was requested',
      );
      t.match(log.at(-1), /^1 3 402 rc=0 /, 'the source is closed last');
    },
    { deadlines: { page: 4000, abandon: 600 } },
  );
}

/** The Working Group's sample source fills its feeder of two sheets at each ENABLEDS. */
async function refilled(t: Tap, wine: Wine, bits: Bits): Promise<void> {
  const order = { source: 'feeder', resolution: 75 } as const;
  await within(
    wine,
    bits,
    { refills: 2, sheets: 2 },
    async it => {
      t.match(
        await scanned(await open(it), order),
        { pages: { length: 6 }, code: 'driver-failed' },
        `${bits} bits, sheet by sheet`,
      );
    },
    { options: { mostSheets: 6 } },
  );
  await within(
    wine,
    bits,
    { refills: 2, sheets: 2 },
    async it => {
      const session = await open(it);
      t.match(
        await scanned(session, { ...order, sheets: 1 }),
        { pages: { length: 1 }, code: undefined },
        'a sheet count, all sheets scanned',
      );
      t.match(await scanned(session, order), { pages: { length: 2 }, code: undefined }, `${bits} bits, a batch`);
    },
    { options: { feeding: 'batch' } },
  );
}

/** A source that refuses CLOSEDS, after its capabilities were read and when it is opened again. */
async function unclosed(t: Tap, wine: Wine, bits: Bits): Promise<void> {
  await within(
    wine,
    bits,
    { unclosed: 1, hasduplex: 0 },
    async it => {
      const ids: string[] = [];
      for await (const { id, duplex } of it.driver.devices({ signal: never() })) ids.push(`${id} ${duplex}`);
      t.strictSame(
        ids,
        [sourceName(bits), `${sourceName(bits)} gphoto2`].map(id => `${id} false`),
        'no guesses',
      );
      const session = await open(it);
      it.set({ sheets: 2, fault: 'hang', faultAfter: 1 });
      t.match(await scanned(session, { resolution: 75 }), { pages: { length: 1 }, code: 'timeout' });
      it.set({ sheets: 2, fault: 'operationerror', faultAfter: 1 });
      t.match(
        await scanned(session, { resolution: 75 }),
        { pages: { length: 1 }, code: 'driver-failed' },
        'the source refuses to be closed after this',
      );
      await it.clearFaults();
      for (let i = 0; i < 2; i++) {
        it.set({ sheets: 1 });
        t.match(await scanned(session, { resolution: 75 }), { pages: { length: 1 }, message: '' });
      }
    },
    { options: { ask: 'listing' }, deadlines: { page: 4000, abandon: 600 } },
  );
}

/** The helper's memory and descriptors, as Linux reports them. */
function held({ env }: Wine, file: string): { readonly descriptors: number; readonly megabytes: number } {
  const pids = readdirSync('/proc').filter(
    pid =>
      /^\d+$/.test(pid) &&
      textOf(pid, 'cmdline').includes('platen-twain-helper') &&
      textOf(pid, 'environ').includes(String(env['WINEPREFIX'])) &&
      textOf(pid, 'environ').includes(basename(dirname(file))),
  );
  if (pids.length !== 1) throw new Error(`${pids.length} helpers run`);
  const resident = /VmRSS:\s+(\d+) kB/.exec(textOf(pids[0]!, 'status'));
  return { descriptors: readdirSync(`/proc/${pids[0]}/fd`).length, megabytes: Number(resident?.[1]) / 1024 };
}

function textOf(pid: string, name: string): string {
  try {
    return readFileSync(join('/proc', pid, name), 'utf8');
  } catch {
    return ''; // it has just ended
  }
}

/** A hundred scans on one session, in both transfer modes; a leaked page has 1 MB. */
async function many(t: Tap, wine: Wine, bits: Bits): Promise<void> {
  await within(wine, bits, {}, async it => {
    const session = await open(it);
    const scans = async (count: number) => {
      for (let i = 0; i < count; i++) {
        it.set({ sheets: 1 });
        const { pages, message } = await scanned(session, {
          resolution: 75,
          colorMode: 'Color',
          transferMode: i % 2 ? 'Native' : 'Buffered',
        });
        if (pages.length !== 1 || message) t.fail(`scan ${i + 1}: ${message}`);
      }
    };
    await scans(10);
    const before = held(wine, it.file);
    await scans(100);
    const after = held(wine, it.file);
    t.ok(
      after.descriptors <= before.descriptors,
      `${before.descriptors} descriptors before, ${after.descriptors} afterwards`,
    );
    t.ok(after.megabytes < before.megabytes + 15, `${before.megabytes} MB before, ${after.megabytes} afterwards`);
    await session.close();
    t.match(
      (await it.log()).findLast(line => line.startsWith('closed')),
      /^closed unfreed=0/,
      'all the source’s memory was freed',
    );
  });
}

type Tap = Pick<typeof t, 'equal' | 'strictSame' | 'match' | 'ok' | 'fail'>;

if (needsWine(t)) {
  const wine = await startWine();
  t.teardown(() => wine.dispose());
  /** Runs a test for both bitnesses side by side. */
  const both = (title: string, run: (t: Tap, bits: Bits) => Promise<void>) =>
    t.test(title, async t => void (await Promise.all(([64, 32] as const).map(bits => run(t, bits)))));
  await both('pixels: whole and in strips, equal the picture', (t, bits) => pixels(t, wine, bits));
  await both('faults: each has its code, and the next scan works', (t, bits) =>
    faults(t, wine, bits, bits === 64 ? 'native' : 'memory'),
  );
  await both('a hundred scans in a row: no memory or descriptor is leaked', (t, bits) => many(t, wine, bits));
  await both('feeder that refills itself: fails after "mostSheets", ends in a batch', (t, bits) =>
    refilled(t, wine, bits),
  );
  await t.test('close: refused, the next scan works', async t => {
    await wine.addSource('gphoto2');
    await Promise.all(([64, 32] as const).map(bits => unclosed(t, wine, bits)));
    await wine.removeSource('gphoto2');
  });
  await t.test('listing: sources of both bitnesses, in one list', async t => {
    await within(
      wine,
      64,
      {},
      async it => {
        const ids: string[] = [];
        for await (const { id, duplex } of it.driver.devices({ signal: never() })) ids.push(`${id} ${duplex}`);
        t.strictSame(ids, ['Platen Simulation 64 true', 'Platen Simulation 32 true']);
      },
      { options: { bits: [64, 32], ask: 'listing' } },
    );
  });
}
