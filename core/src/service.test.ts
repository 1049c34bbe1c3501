/** The service's scanner: who uses it, what it answers, and how it is closed. */
import { fakeDriver, type FakeDriverOptions } from '@platen/conformance';
import t from 'tap';
import type { Driver } from './contract/driver.js';
import { ScanError } from './contract/errors.js';
import { collect, failed, fakeService, IDLE_MS, inFront, ok, optionsWith, settled } from './service.test.kit.js';

const two: FakeDriverOptions = { devices: [{ name: 'Desk' }, { name: 'Hall' }] };

t.test('open: a scanner that is open already, succeeds and stays open until closeSource', async t => {
  const driver = fakeDriver(two);
  const { scans } = fakeService(driver);
  t.throws(() => scans.openName(), { code: 'no-source-open' });
  t.match(await scans.open('Desk'), { name: 'Desk' });
  await scans.open('Desk');
  t.equal(driver.opened, 1);
  t.equal(scans.openName(), 'Desk');
  t.equal(await scans.closeSource(), true);
  t.equal(await scans.closeSource(), false);
  t.same([driver.opened, driver.closed], [1, 1]);
  await t.rejects(scans.open('Loft'), { code: 'device-not-found' });
});

t.test('open: another scanner is open, it is closed first', async t => {
  const driver = fakeDriver(two);
  const { scans } = fakeService(driver);
  await scans.open('Desk');
  await scans.open('Hall');
  t.equal(scans.openName(), 'Hall');
  t.same([driver.opened, driver.closed], [2, 1]);
});

t.test('open: the driver fails, its error is thrown and a later open succeeds', async t => {
  const driver = fakeDriver();
  const { scans } = fakeService(driver);
  await scans.list();
  driver.unplug();
  await t.rejects(scans.open('Fake scanner'), { code: 'device-offline' });
  t.match(await scans.status(), { isSourceOpen: false });
  driver.plug();
  await scans.open('Fake scanner');
  t.match(await scans.status(), { isSourceOpen: true });
});

t.test('open: the session comes after the deadline, it is closed and the device is free', async t => {
  const driver = fakeDriver();
  const opens: (() => void)[] = [];
  const slow = Object.create(driver, {
    open: {
      value: async (...args: Parameters<Driver['open']>) => (
        await new Promise<void>(resolve => opens.push(resolve)),
        driver.open(args[0], { signal: new AbortController().signal })
      ),
    },
  }) as Driver;
  const { scans, clock } = fakeService(slow);
  const opening = scans.open('Fake scanner');
  const refused = t.rejects(opening, { code: 'timeout', message: /opening Fake scanner took longer than 30 s/ });
  await settled();
  await t.rejects(scans.open('Fake scanner'), { code: 'busy', message: /is being opened/ });
  await clock.advance(30_000);
  await refused;
  opens[0]?.();
  await settled();
  t.same([driver.opened, driver.closed], [1, 1]);
  const again = scans.open('Fake scanner');
  await settled();
  opens[1]?.();
  await again;
});

t.test('idle time: an unused scanner is closed, counted from its last use', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { scans, clock, scan, log } = fakeService(driver);
  await scans.open('Fake scanner');
  await clock.advance(IDLE_MS - 1);
  await collect(scan());
  await clock.advance(IDLE_MS - 1);
  t.match(await scans.status(), { isSourceOpen: true });
  await clock.advance(1);
  t.match(await scans.status(), { isSourceOpen: false });
  t.equal(driver.closed, 1);
  t.match(log, [/^info: The scan on Fake scanner is complete: pages 1, /, /^info: .*Fake scanner.* 30 minutes/]);
});

t.test('idle time: a scanner that scans stays open', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { scans, clock, scan } = fakeService(driver, { limits: { inactivityMs: 3 * IDLE_MS } });
  await scans.open('Fake scanner');
  driver.hold();
  const all = collect(scan());
  await driver.whenFed(1);
  await clock.advance(2 * IDLE_MS);
  driver.release();
  t.match(await all, { pages: ['1 front'], error: undefined });
  t.equal(driver.closed, 0);
});

t.test('closeSource: the session does not close, it is abandoned and the scanner counts as closed', async t => {
  for (const [close, words] of [
    [() => new Promise<never>(() => {}), /did not close: .*closing Fake scanner took longer than 5 s/],
    [() => Promise.reject(new Error('stuck')), /did not close: stuck/],
  ] as const) {
    const { scans, clock, log } = fakeService(inFront(fakeDriver(), () => ({ close })));
    await scans.open('Fake scanner');
    const closing = scans.closeSource();
    await settled();
    if (words.source.includes('longer'))
      await t.rejects(scans.open('Fake scanner'), { code: 'busy', message: /is being closed/ }, 'it is no longer open');
    await clock.advance(5000);
    t.equal(await closing, true);
    t.match(log, [words]);
    t.match(await scans.status(), { isSourceOpen: false });
  }
});

t.test('status: describes the open scanner; with none open, whether any is online', async t => {
  const driver = fakeDriver({ devices: [{ name: 'Desk' }, { name: 'Hall', online: false }], sheets: 1 });
  const { scans, scan, clock } = fakeService(driver);
  t.same(await scans.status(), { isOnline: true, isPaperLoaded: false, isSourceOpen: false });
  await scans.open('Desk');
  t.same(await scans.status(), { isOnline: true, isPaperLoaded: true, isSourceOpen: true });
  driver.setPaper('unknown');
  t.match(await scans.status(), { isPaperLoaded: false }, 'true only when it is known');
  driver.setPaper(undefined);
  driver.hold();
  const all = collect(scan({ scannerName: 'Desk' }));
  await driver.whenFed(1);
  t.same(await scans.status(), { isOnline: true, isPaperLoaded: false, isSourceOpen: true }, 'while it scans');
  driver.release();
  await all;
  driver.unplug();
  t.same(await scans.status(), { isOnline: false, isPaperLoaded: false, isSourceOpen: true });
  await scans.closeSource();
  await clock.advance(1000);
  t.same(await scans.status(), { isOnline: false, isPaperLoaded: false, isSourceOpen: false });
});

t.test('status: the driver fails or does not answer, offline', async t => {
  for (const status of [
    () => Promise.reject(new Error('no')),
    () => new Promise<never>(() => {}),
    () => {
      throw new Error('at once');
    },
  ]) {
    const { scans, clock } = fakeService(inFront(fakeDriver(), () => ({ status })));
    await scans.open('Fake scanner');
    const asked = scans.status();
    await clock.advance(2000);
    t.same(await asked, { isOnline: false, isPaperLoaded: false, isSourceOpen: true });
  }
});

t.test('open: two scanners at the same time, the second is busy, and one stays open', async t => {
  const driver = fakeDriver(two);
  const { scans } = fakeService(driver);
  const both = await Promise.allSettled([scans.open('Desk'), scans.open('Hall')]);
  t.same(
    both.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  t.equal(driver.opened - driver.closed, 1);
  t.equal(scans.openName(), 'Desk');
});

t.test('scan: another call for the same scanner while it scans (scan, open, closeSource), busy', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { scans, scan } = fakeService(driver);
  driver.hold();
  const run = scan({ scannerName: 'Desk' });
  const slower = scan({ scannerName: 'Desk' });
  const all = collect(run);
  t.match(await collect(slower), failed('busy'), 'both were looked for; one was found first');
  await driver.whenFed(1);
  t.match(await collect(scan({ scannerName: 'Desk' })), { pages: [], error: { message: /^Desk .*cancel it/ } });
  await t.rejects(scans.open('Desk'), { code: 'busy' });
  await t.rejects(scans.closeSource(), { code: 'busy' });
  driver.release();
  t.match(await all, { pages: ['1 front'] });
  driver.load(1);
  t.match(await collect(scan({ scannerName: 'Desk' })), { pages: ['1 front'], error: undefined });
});

t.test('scan: two scanners, side by side; a third call opens and closes another one', async t => {
  const driver = fakeDriver({ devices: [{ name: 'Desk' }, { name: 'Hall' }, { name: 'Till' }], sheets: 2 });
  const { scans, scan } = fakeService(driver);
  await scans.open('Till');
  for (const id of ['fake-1', 'fake-2']) driver.hold(id);
  const both = ['Desk', 'Hall'].map(scannerName => collect(scan({ scannerName })));
  while (driver.scans < 2) await settled();
  t.match(await scans.status(), { isSourceOpen: true });
  t.equal(scans.openName(), 'Till', 'the one that was opened');
  t.equal(await scans.closeSource(), true);
  await scans.open('Till');
  await t.rejects(scans.open('Hall'), { code: 'busy' });
  driver.release();
  t.match(await Promise.all(both), [ok('1 front', '2 front'), ok('1 front', '2 front')]);
  t.equal(scans.openName(), 'Till');
  await scans.open('Hall');
  t.equal(driver.opened - driver.closed, 1);
});

t.test('scan: a driver holds one device at a time, its scanners are used in turn', async t => {
  const traits = { oneAtATime: true };
  const driver = fakeDriver({
    devices: [{ name: 'Desk', traits }, { name: 'Hall', traits }, { name: 'Till' }],
    sheets: 1,
  });
  const { scans, scan } = fakeService(driver);
  for (const id of ['fake-1', 'fake-3']) driver.hold(id);
  await scans.open('Hall');
  const first = collect(scan({ scannerName: 'Desk' }));
  await driver.whenFed(1);
  t.match(await scans.status(), { isSourceOpen: true });
  t.equal(scans.openName(), 'Desk', 'the open one was closed for it');
  t.match(await collect(scan({ scannerName: 'Hall' })), failed('busy'));
  await t.rejects(scans.capabilities('Hall'), { code: 'busy' });
  const other = collect(scan({ scannerName: 'Till' }));
  await driver.whenFed(2);
  driver.release();
  t.match(await Promise.all([first, other]), [ok('1 front'), ok('1 front')]);
  t.match(await collect(scan({ scannerName: 'Hall' })), ok('1 front'));
  t.match(await Promise.all(['Desk', 'Hall'].map(name => scans.capabilities(name))), [{}, {}]);
  t.equal(driver.opened, driver.closed);
});

t.test('scanEnded: called once for a scan with pages, and for one that fails', async t => {
  let ended = 0;
  const driver = fakeDriver({ sheets: 1 });
  const { scan } = fakeService(driver, { scanEnded: () => void ended++ });
  t.match(await collect(scan()), ok('1 front'));
  t.equal(ended, 1);
  t.match(await collect(scan()), { pages: [] });
  t.equal(ended, 2);
});

t.test('cancel: without an id, the scans of the same web page; of all for a program', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { scans, scan } = fakeService(driver);
  const begin = () => {
    for (const id of ['fake-1', 'fake-2']) driver.hold(id);
    return ['Desk', 'Hall'].map((scannerName, i) =>
      collect(scan({ scannerName, requestId: scannerName, origin: `https://${i}.example` })),
    );
  };
  const [desk, hall] = begin();
  while (driver.scans < 2) await settled();
  t.equal(scans.cancel('https://2.example'), false);
  t.equal(scans.cancel('https://1.example', 'Desk'), false, 'of another page');
  t.equal(scans.cancel('https://1.example'), true);
  driver.release();
  t.match(await desk, ok('1 front'));
  t.match(await hall, failed('cancelled', '1 front'));
  driver.load(1, 'fake-1');
  driver.load(1, 'fake-2');
  const again = begin();
  while (driver.scans < 4) await settled();
  t.equal(scans.cancel(), true);
  driver.release();
  t.match(await Promise.all(again), [failed('cancelled', '1 front'), failed('cancelled', '1 front')]);
});

t.test('scan: a scanner that is looked for keeps nobody from scanning; it can be cancelled', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { scans, scan } = fakeService(driver);
  const wrong = Array.from({ length: 3 }, () => scan({ scannerName: 'Nope' }));
  const right = scan({ scannerName: 'Desk' });
  for (const run of wrong) t.match(await collect(run), failed('device-not-found'));
  t.match(await collect(right), { pages: ['1 front'], error: undefined });
  const named = scan({ scannerName: 'Desk', requestId: 'mine' });
  t.same([scans.cancel('', 'another'), scans.cancel('', 'mine')], [false, true]);
  t.match(await collect(named), failed('cancelled'));
  t.equal(scans.cancel(), false);
});

t.test(
  'scan: the client hangs up before the first page, no paper moves and the scanner is free, even if the end is not awaited',
  async t => {
    const driver = fakeDriver({ sheets: 1 });
    const { scans, scan } = fakeService(driver);
    const left = scan();
    left.end(new ScanError('cancelled', 'The client hung up.'));
    await settled();
    t.match(await collect(left), failed('cancelled'));
    t.same([driver.fed, driver.opened], [0, 0]);
    t.match(await collect(scan()), { pages: ['1 front'], error: undefined });
    scan().end(new ScanError('cancelled', 'The client hung up.'));
    await scans.close('over');
    t.equal(driver.opened, driver.closed);
  },
);

t.test('link: down, a scan is rejected and the open scanner is closed', async t => {
  const driver = fakeDriver({ link: { connected: true }, sheets: 1 });
  const { scans, scan } = fakeService(driver);
  await scans.open('Fake scanner');
  driver.disconnect();
  await settled();
  t.throws(() => scan(), { code: 'not-connected' });
  await t.rejects(scans.capabilities('Fake scanner'), { code: 'not-connected' });
  t.same(await scans.status(), { isOnline: false, isPaperLoaded: false, isSourceOpen: false });
  driver.connect();
  await scans.open('Fake scanner');
  t.match(await collect(scan()), { pages: ['1 front'], error: undefined });
  t.equal(driver.opened, 2);
});

t.test('link: lost during a scan, the scan ends with the pages so far', async t => {
  const driver = fakeDriver({ link: { connected: true }, sheets: 3, faults: { 2: 'hang' } });
  const { scan, scans } = fakeService(driver);
  await scans.open('Fake scanner');
  const all = collect(scan());
  await driver.whenFed(2);
  driver.disconnect();
  t.match(await all, { pages: ['1 front'], error: { code: 'not-connected' } });
  driver.connect();
  driver.clearFaults();
  t.match(await collect(scan()), { pages: ['1 front'], error: undefined });
});

t.test(
  'close: during a scan, the sheet in the path is delivered, then everything closes and no scan starts',
  async t => {
    const driver = fakeDriver({ sheets: 3 });
    const { scans, scan } = fakeService(driver);
    await scans.open('Fake scanner');
    driver.hold();
    const all = collect(scan());
    await driver.whenFed(1);
    let closed = false;
    const closing = scans.close('The service is stopping.').then(() => (closed = true));
    await settled();
    t.equal(closed, false);
    driver.release();
    t.match(await all, { pages: ['1 front'], error: { code: 'service-ended', message: 'The service is stopping.' } });
    await closing;
    t.same([driver.remaining(), driver.opened, driver.closed], [2, 1, 1]);
    t.throws(() => scan(), { code: 'busy', message: 'The service is stopping.' });
    await scans.close('again');
  },
);

t.test('usesDriver: only while auto-scan or a scan has one of its scanners', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { scans, scan } = fakeService(driver);
  await scans.open('Desk');
  t.equal(scans.usesDriver(driver), false, 'an open scanner is not in use');
  const run = scan({ scannerName: 'Hall' });
  await settled();
  await collect(run);
  t.equal(scans.usesDriver(driver), false);
  await scans.enableAutoscan(optionsWith(), 'Hall');
  t.equal(scans.usesDriver(driver), true);
  t.equal(scans.usesDriver(fakeDriver({ id: 'other' })), false);
  await scans.disableAutoscan();
  t.equal(scans.usesDriver(driver), false);
});
