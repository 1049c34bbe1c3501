/** One on-demand scan over the fake driver: completed, cancelled, failed, or with pages that cannot be stored. */
import { fakeDriver, fakeFormat } from '@platen/conformance';
import t from 'tap';
import type { Driver, Session, SourceCapabilities } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import {
  both,
  collect,
  failed,
  fakeService,
  inFront,
  limits,
  LISTEN_MS,
  ok,
  settled,
  start,
} from '../service.test.kit.js';

const source: SourceCapabilities = {
  resolutions: [200],
  colorModes: ['Color', 'Grayscale'],
  duplex: false,
  pageSizes: ['A4'],
  adjustments: [],
};

t.test('scan: simplex and duplex, pages are numbered by sides', t =>
  both(t, async (t, open) => {
    const driver = fakeDriver({ sheets: 2 });
    const { scan, scans } = await start(driver, open);
    t.match(await collect(scan()), { ...ok('1 front', '2 front'), numbers: [1, 2] });
    driver.load(2);
    t.match(await collect(scan({ duplexMode: 'DuplexLongEdge' })), {
      ...ok('1 front', '1 back', '2 front', '2 back'),
      numbers: [1, 2, 3, 4],
    });
    t.same([driver.opened, driver.closed], open ? [1, 0] : [2, 2]);
    t.match(await scans.status(), { isSourceOpen: open });
  }),
);

t.test('scan: empty feeder, the flatbed where there is one, else no-paper', async t => {
  const { scan } = fakeService(fakeDriver());
  t.match(await collect(scan()), ok('1 front'));
  const feeder = fakeDriver({ devices: [{ flatbed: false }] });
  const service = fakeService(feeder);
  t.match(await collect(service.scan()), failed('no-paper'));
  feeder.load(1);
  t.match(await collect(service.scan()), ok('1 front'));
});

t.test('scan: source, overrides the sensor, and an empty feeder stays no-paper', async t => {
  const driver = fakeDriver({ sheets: 2 });
  const { scan } = fakeService(driver);
  driver.setPaper('empty');
  t.match(await collect(scan({ source: 'Feeder' })), ok('1 front', '2 front'));
  driver.setPaper('loaded');
  let asked = 0;
  const once = inFront(driver, session => ({
    scan(order, call) {
      if (++asked > 1) throw new ScanError('driver-failed', 'asked again');
      return session.scan(order, call);
    },
  }));
  t.match(await collect(fakeService(once).scan({ source: 'Feeder' })), failed('no-paper'));
  driver.load(1);
  t.match(await collect(scan({ source: 'Flatbed' })), ok('1 front'));
  t.equal(driver.remaining(), 1);
});

t.test('scan: sheets, no more are fed, also by a device that does not count them', async t => {
  const driver = fakeDriver({ sheets: 9 });
  const { scan } = fakeService(driver);
  t.match(
    await collect(scan({ sheets: 2, duplexMode: 'DuplexLongEdge' })),
    ok('1 front', '1 back', '2 front', '2 back'),
  );
  t.equal(driver.remaining(), 7);
  const endless = inFront(driver, session => ({
    scan: ({ sheets: _, ...order }, call) => session.scan(order, call),
  }));
  const service = fakeService(endless);
  const seen = await collect(service.scan({ sheets: 2 }));
  t.equal(seen.numbers.length, 9 - 2 - driver.remaining(), 'every sheet that was fed is delivered');
  t.ok(driver.remaining() >= 3, `${driver.remaining()} of 7 are left`);
});

t.test('scan: feeder reported loaded but empty before the first page, the flatbed where there is one', t =>
  both(t, async (t, open) => {
    for (const paper of ['loaded', 'unknown'] as const) {
      const sensor = () => ({ status: async () => ({ online: true, paper }) });
      const driver = fakeDriver({ capabilities: { feeder: { ...source, duplex: true }, flatbed: source } });
      const { scan } = await start(driver, open, {}, inFront(driver, sensor));
      const run = scan({ duplexMode: 'DuplexLongEdge' });
      t.match(await collect(run), ok('1 front'), paper);
      t.same(
        run.notes.map(({ code }) => code),
        ['one-side-only'],
      );
      t.equal(driver.opened, 1, 'on one session');
      driver.load(1);
      t.match(await collect(scan()), ok('1 front'));
      t.equal(driver.fed, 1, 'the feeder is tried first again');
      const alone = fakeDriver({ devices: [{ flatbed: false }] });
      const service = await start(alone, open, {}, inFront(alone, sensor));
      t.match(await collect(service.scan()), failed('no-paper'), 'no flatbed');
      t.equal(alone.scans, 1, 'and the feeder is not tried twice');
    }
  }),
);

t.test('scan: the device refuses to say whether paper is loaded, scanned anyway if there is no flatbed', async t => {
  for (const [flatbed, expected] of [
    [false, ok('1 front')],
    [true, failed('driver-failed')],
  ] as const) {
    const driver = fakeDriver({ sheets: 1, devices: [{ flatbed }] });
    const refuses = () => ({ status: () => Promise.reject(new ScanError('driver-failed', 'no sensor')) });
    const { scan } = await start(driver, false, {}, inFront(driver, refuses));
    t.match(await collect(scan()), expected, flatbed ? 'flatbed' : 'feeder only');
  }
});

t.test('scan: on another scanner, the open one stays open', async t => {
  const driver = fakeDriver({ devices: [{ name: 'Desk' }, { name: 'Hall' }], sheets: 1 });
  const { scan, scans } = fakeService(driver);
  await scans.open('Desk');
  t.match(await collect(scan({ scannerName: 'Hall' })), ok('1 front'));
  t.match(await scans.status(), { isSourceOpen: true });
  t.equal(scans.openName(), 'Desk');
  t.same([driver.opened, driver.closed], [2, 1]);
});

t.test('scan: unsupported option, rejected before paper moves', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { scan, scans } = await start(driver, true);
  t.match(await collect(scan({ resolution: 1 })), { error: { code: 'invalid-value', field: 'resolution' } });
  t.match(await collect(scan({ scannerName: 'Loft' })), failed('device-not-found'));
  t.same([driver.fed, driver.scans, driver.closed], [0, 0, 0]);
  t.equal(scans.openName(), 'Fake scanner');
});

t.test('notes: the same note for several pages, said once', async t => {
  const run = fakeService(fakeDriver({ sheets: 3 })).scan({ autoCrop: true, ocr: true });
  t.match(await collect(run), ok('1 front', '2 front', '3 front'));
  t.same(
    run.notes.map(({ code }) => code),
    ['adjustment-ignored', 'ocr-not-installed'],
  );
});

t.test('cancel: finished pages and the sheet in the path are delivered, then cancelled; nothing more is fed', t =>
  both(t, async (t, open) => {
    const driver = fakeDriver({ sheets: 5 });
    const { scan, scans } = await start(driver, open);
    const all = collect(scan());
    await driver.whenFed(2);
    driver.hold();
    t.equal(scans.cancel(), true);
    await settled();
    driver.release();
    t.match(await all, failed('cancelled', '1 front', '2 front'));
    t.equal(driver.remaining(), 3);
    t.equal(scans.cancel(), false, 'nothing is left to cancel');
    t.match(await scans.status(), { isSourceOpen: open });
    t.match(await collect(scan()), { error: undefined }, 'and the next scan runs');
  }),
);

t.test(
  'cancel: continuous scanner, every sheet in its path is delivered, however long pages are processed',
  async t => {
    let finish = (): void => undefined;
    const format = fakeFormat({ name: 'Png', until: new Promise<void>(resolve => (finish = resolve)) });
    const driver = fakeDriver({ sheets: 20, devices: [{ feeding: 'continuous' }] });
    const { scan, scans, clock } = await start(driver, true, { format });
    const all = collect(scan());
    await settled();
    t.ok(driver.fed < 20, 'the window is full');
    scans.cancel();
    await clock.advance(limits.graceMs + 60_000);
    finish();
    const { pages, error } = await all;
    t.match(error, { code: 'cancelled' });
    t.equal(pages.length, driver.fed);
    t.same([driver.opened, driver.closed], [1, 0], 'and the driver does not count as unresponsive');
  },
);

t.test('cancel: by requestId, that scan only', async t => {
  const driver = fakeDriver({ sheets: 2 });
  const { scan, scans } = fakeService(driver);
  driver.hold();
  const all = collect(scan({ requestId: 'mine' }));
  await driver.whenFed(1);
  t.equal(scans.cancel('', 'yours'), false);
  t.equal(scans.cancel('', 'mine'), true);
  driver.release();
  t.match(await all, failed('cancelled', '1 front'));
  const unnamed = scan();
  t.equal(scans.cancel('', 'mine'), false);
  t.match(await collect(unnamed), ok('1 front'));
});

t.test('cancel: before anything is fed, the scan ends without pages', async t => {
  const driver = fakeDriver({ sheets: 2 });
  const { scan, scans } = fakeService(driver);
  const early = scan();
  scans.cancel();
  t.match(await collect(early), failed('cancelled'), 'before it was pulled');

  let open = (): void => undefined;
  const gate = new Promise<void>(resolve => (open = resolve));
  const slow = Object.create(driver, {
    open: {
      value: async (...args: Parameters<Driver['open']>) => (
        await gate,
        driver.open(args[0], { signal: new AbortController().signal })
      ),
    },
  }) as Driver;
  const service = fakeService(slow);
  const all = collect(service.scan());
  await settled();
  service.scans.cancel();
  t.match(await all, failed('cancelled'), 'while it was opened, without waiting for that');
  open();
  await settled();
  t.same([driver.fed, driver.opened, driver.closed], [0, 1, 1], 'and the session that came late is closed');
  t.match(await collect(service.scan()), ok('1 front', '2 front'));
});

t.test('cancel: while the last pages are encoded, they are delivered', async t => {
  let finish = (): void => undefined;
  const format = fakeFormat({ name: 'Png', until: new Promise<void>(resolve => (finish = resolve)) });
  const driver = fakeDriver({ sheets: 1 });
  const { scan, scans, clock } = await start(driver, true, { format });
  const all = collect(scan());
  await settled();
  scans.cancel();
  await clock.advance(limits.graceMs + LISTEN_MS);
  finish();
  t.match(await all, failed('cancelled', '1 front'));
  t.same([driver.opened, driver.closed], [1, 0]);
});

t.test('fault: pages before it are kept, and the session if it is still usable', t =>
  both(t, async (t, open) => {
    for (const [fault, stays] of [
      ['paper-jam', true],
      ['double-feed', true],
      ['cover-open', true],
      ['device-offline', false],
      ['driver-failed', false],
      ['not-connected', false],
    ] as const) {
      const driver = fakeDriver({ sheets: 3, faults: { 2: fault } });
      const { scan, scans } = await start(driver, open);
      t.match(await collect(scan()), failed(fault, '1 front'), fault);
      t.match(await scans.status(), { isSourceOpen: open && stays }, fault);
      driver.clearFaults();
      t.match(await collect(scan()), ok('1 front'), `after ${fault}`);
      t.equal(driver.opened - driver.closed, open && stays ? 1 : 0);
    }
  }),
);

t.test('fault: the driver throws an error that is not a ScanError, driver-failed', async t => {
  for (const scan of [
    () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new TypeError('undefined is not a sheet')) }),
    }),
    () => {
      throw new TypeError('undefined is not a sheet');
    },
    () => ({}),
  ] as unknown as Session['scan'][]) {
    const driver = fakeDriver({ sheets: 1 });
    const service = await start(
      driver,
      true,
      {},
      inFront(driver, () => ({ scan })),
    );
    t.match(await collect(service.scan()), failed('driver-failed'));
    t.match(await service.scans.status(), { isSourceOpen: false });
    t.equal(driver.closed, 1);
  }
});

t.test('encoding: one page fails, the sheet in the path is delivered, then the failure', async t => {
  const png = fakeFormat({ name: 'Png' });
  let count = 0;
  const format = {
    ...png,
    encode: (...args: Parameters<typeof png.encode>) =>
      ++count === 2 ? Promise.reject(new Error('no memory')) : png.encode(...args),
  };
  const driver = fakeDriver({ sheets: 20 });
  const { scan } = await start(driver, true, { format });
  const { pages, error } = await collect(scan());
  t.match(error, { code: 'internal', message: /Page 2 .*Png.*no memory/ });
  t.same(
    pages,
    Array.from({ length: driver.fed }, (_, i) => `${i + 1} front`).filter(each => each !== '2 front'),
  );
  t.ok(driver.remaining() > 0);
  t.equal(driver.closed, 0, 'it is not the scanner’s fault');
});

t.test('keep: rejects, the scanner is free and no more paper moves', t =>
  both(t, async (t, open) => {
    const driver = fakeDriver({ sheets: 20 });
    const { scan, scans } = await start(driver, open);
    t.match(await collect(scan({}, () => Promise.reject(new Error('no room')))), {
      pages: ['1 front'],
      error: { code: 'internal', message: 'no room' },
    });
    const { fed } = driver;
    await settled();
    t.equal(driver.fed, fed);
    t.ok(driver.remaining() > 0);
    t.equal(scans.cancel(), false);
    t.match(await scans.status(), { isSourceOpen: open });
    t.match(await collect(scan()), { error: undefined });
  }),
);

t.test('keep: returns an error, pages in the path are delivered and the first reason stays', async t => {
  const driver = fakeDriver({ sheets: 20, faults: { 8: 'driver-failed' } });
  const { scan, scans } = await start(driver, true);
  let count = 0;
  const run = scan({}, async () =>
    ++count > 1 ? new ScanError('storage-failed', `The disk is full at page ${count}.`) : undefined,
  );
  const { pages, error } = await collect(run);
  t.match(error, { code: 'storage-failed', message: /page 2/ });
  t.same(
    pages,
    Array.from({ length: driver.fed }, (_, i) => `${i + 1} front`),
  );
  t.ok(driver.remaining() > 0);
  t.match(await scans.status(), { isSourceOpen: true }, 'it is not the scanner’s fault');
});

t.test('keep: finishes before the next page is yielded', async t => {
  const driver = fakeDriver({ sheets: 3 });
  const { scan } = fakeService(driver);
  let keeping = 0;
  let most = 0;
  const run = scan({}, async () => {
    most = Math.max(most, ++keeping);
    await settled();
    keeping--;
    return undefined;
  });
  t.match(await collect(run), ok('1 front', '2 front', '3 front'));
  t.equal(most, 1);
});

t.test('end: after the scan, has no effect', async t => {
  const { scan, clock } = fakeService(fakeDriver({ sheets: 1 }));
  const run = scan({ timeoutSeconds: 60 });
  await collect(run);
  t.equal(clock.timers, 0, 'nothing of the scan is left');
  run.end(new ScanError('cancelled', 'The client hung up.'));
  t.equal(clock.timers, 0);
});
