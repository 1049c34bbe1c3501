/** Failed captures, lost devices and full outboxes in auto-scan. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { ScanError, type DriverCode } from '../contract/errors.js';
import { inFront } from '../service.test.kit.js';
import { autoscanRig, smallPage } from './autoscan.test.kit.js';
import { TRIAL_MS } from './paperWatch.js';

const feeder = { devices: [{ name: 'Desk', flatbed: false }], page: smallPage };
/** Longer than the rest after a failure. */
const RESTED = 5500;

t.test('capture: fails three times in a row, disabled with the reason', async t => {
  for (const code of [
    'paper-jam',
    'double-feed',
    'cover-open',
    'unsupported',
    'timeout',
    'busy',
    'cancelled',
  ] satisfies DriverCode[]) {
    const driver = fakeDriver({ ...feeder, sheets: 9, faults: { 1: code } });
    const { enable, follow, pass } = autoscanRig(driver);
    await enable({}, 'Desk');
    const reader = follow();
    await pass();
    t.equal(driver.scans, 1, code);
    await pass(4000);
    t.equal(driver.scans, 1, 'not again at once');
    await pass(1500);
    t.equal(driver.scans, 2);
    t.same(reader.got, []);
    await pass(RESTED);
    t.equal(driver.scans, 3);
    t.same(reader.got, ['disabled: failing', 'over']);
    t.match(reader.ends, [{ message: new RegExp(` 3 .*${code}`) }]);
    t.throws(() => follow(), { code: 'autoscan-off' });
    await pass(60_000);
    t.equal(driver.scans, 3);
  }
});

t.test('capture: paper that only a scan shows, tried every 15 s; an empty feeder is no failure', async t => {
  const driver = fakeDriver(feeder);
  driver.setPaper('unknown');
  const open = driver.open.bind(driver);
  driver.open = async (id, call) => {
    const session = await open(id, call);
    const { status } = session;
    return Object.assign(session, {
      status: async (its: Parameters<typeof status>[0]) => ({ ...(await status(its)), paperByTrial: true as const }),
    });
  };
  const { enable, follow, pass } = autoscanRig(driver);
  t.match(await enable({}, 'Desk'), [{ code: 'paper-by-trial', text: /^Desk / }]);
  const reader = follow();
  await pass();
  t.equal(driver.scans, 1);
  await pass(TRIAL_MS - 1000);
  t.equal(driver.scans, 1, 'not again at once');
  for (let n = 0; n < 5; n++) await pass(TRIAL_MS + 1000);
  t.ok(driver.scans > 5, 'more than the failures that end auto-scan');
  t.same(reader.got, []);
  driver.load(2);
  driver.setPaper('unknown');
  await pass(TRIAL_MS + 1000);
  t.same(reader.got, ['1 front', '2 front']);
});

t.test('capture: failed, retried as soon as the paper changes', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 2, faults: { 1: 'paper-jam' } });
  const { enable, follow, pass } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  await pass(1000);
  t.equal(driver.scans, 1);
  driver.clearFaults();
  driver.load(1);
  await pass();
  t.same(reader.got, ['1 front', '2 front']);
});

t.test('capture: the sensor reports paper but the feeder is empty, counts as a failure', async t => {
  const driver = fakeDriver(feeder);
  const { enable, follow, pass } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  driver.setPaper('loaded');
  await pass();
  await pass(RESTED);
  await pass(RESTED);
  t.equal(driver.scans, 3);
  t.same(reader.got, ['disabled: failing', 'over']);
});

t.test('capture: ends without a page or an error, counts as empty', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 1 });
  const empty = inFront(driver, () => ({
    async *scan() {
      yield* [];
    },
  }));
  const { enable, follow, pass } = autoscanRig(empty, { maxFailures: 1 });
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  t.same(reader.got, ['disabled: failing', 'over']);
});

t.test(
  'capture: succeeds after failures, the count restarts; pages before a failure are kept and numbers continue',
  async t => {
    const driver = fakeDriver({ ...feeder, sheets: 1 });
    const { enable, follow, pass } = autoscanRig(driver);
    await enable({}, 'Desk');
    const reader = follow();
    for (let round = 0; round < 3; round++) {
      driver.clearFaults();
      driver.fault(2, 'paper-jam');
      driver.load(1);
      await pass(RESTED);
      driver.fault(1, 'paper-jam');
      driver.load(1);
      await pass(RESTED);
      driver.clearFaults();
      driver.load(1);
      await pass(RESTED);
    }
    t.equal(reader.got.includes('over'), false);
    t.same(
      reader.got,
      reader.got.map((_, at) => `${at + 1} front`),
    );
    t.ok(reader.got.length >= 6);
  },
);

t.test('maxFailures: the device has its own limit, it takes precedence over the service’s', async t => {
  const driver = fakeDriver({
    ...feeder,
    sheets: 9,
    faults: { 1: 'paper-jam' },
    devices: [{ name: 'Desk', flatbed: false, traits: { autoScanFailureLimit: 2 } }],
  });
  const { enable, follow, pass } = autoscanRig(driver, { maxFailures: 50 });
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  await pass(RESTED);
  t.match(reader.got, ['disabled: failing', 'over']);
});

t.test('device: lost during a capture or between captures, an error event', async t => {
  const lost = (driver: ReturnType<typeof fakeDriver>): void => driver.unplug();
  for (const during of [true, false]) {
    const driver = fakeDriver(feeder);
    const { enable, follow, pass, scans } = autoscanRig(driver);
    await enable({}, 'Desk');
    const reader = follow();
    if (during) {
      driver.hold();
      driver.load(2);
      await pass();
    }
    lost(driver);
    await pass();
    t.same(reader.got, ['error: device-lost', 'over']);
    t.match(await scans.disableAutoscan(), { wasEnabled: false, discarded: 0 });
    driver.plug();
    await pass(10_000);
    driver.clearFaults();
    driver.release();
    await enable({}, 'Desk');
    const again = follow();
    driver.load(1);
    await pass();
    t.equal(again.got[0], '1 front', 'and works again when it is back');
  }
});

t.test('driver: failed, reopened, and auto-scan continues', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 1, faults: { 1: 'driver-failed' } });
  const { enable, follow, pass } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  t.same([driver.opened, driver.closed], [2, 1]);
  driver.clearFaults();
  driver.load(1);
  await pass(RESTED);
  t.same(reader.got, ['1 front']);
});

t.test('driver: failed, and auto-scan’s scanner is known while it is reopened', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 1, faults: { 1: 'driver-failed' } });
  const names: (string | undefined)[] = [];
  const watched = Object.create(driver, {
    open: {
      value: async (...args: Parameters<typeof driver.open>) => {
        names.push(scans.openNow());
        return driver.open(...args);
      },
    },
  }) as typeof driver;
  const { enable, pass, scans } = autoscanRig(watched);
  await enable({}, 'Desk');
  await pass();
  t.same(names, [undefined, 'Desk']);
});

t.test('driver: failed and does not reopen, an error event', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 1, faults: { 1: 'driver-failed' } });
  let opens = 0;
  const once1 = Object.create(driver, {
    open: {
      value: async (...args: Parameters<typeof driver.open>) => {
        if (++opens > 1) throw new ScanError('driver-failed', 'its helper is gone');
        return driver.open(...args);
      },
    },
  }) as typeof driver;
  const { enable, follow, pass, log } = autoscanRig(once1);
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  t.same(reader.got, ['error: driver-failed', 'over']);
  t.match(reader.ends, [{ message: /Desk .*driver-failed/ }], 'with what the capture failed of');
  t.ok(log.some(line => line.includes('its helper is gone')));
});

t.test('driver: a sheet never comes out, abandoned and reopened, and auto-scan continues', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 1, faults: { 1: 'hang' }, deaf: true });
  const { enable, follow, pass } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  await pass(100_000);
  await pass(2000);
  t.equal(driver.opened, 2);
  driver.clearFaults();
  driver.load(1);
  await pass(RESTED);
  t.same(reader.got, ['1 front']);
});

t.test('disable: unresponsive driver, not delayed', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 1, faults: { 1: 'hang' }, deaf: true });
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  const disabled = scans.disableAutoscan();
  await pass(10_000);
  await pass(2000);
  t.match(await disabled, { wasEnabled: true });
  t.match(reader.got, ['disabled: requested', 'over']);
});

t.test('link: lost in any state, an error event', async t => {
  for (const paper of [0, 1]) {
    const driver = fakeDriver({ ...feeder, sheets: paper, link: { connected: true } });
    if (paper) driver.hold();
    const { enable, follow, pass } = autoscanRig(driver);
    await enable({}, 'Desk');
    const reader = follow();
    await pass();
    driver.disconnect();
    await pass();
    t.same(reader.got, ['error: not-connected', 'over'], paper ? 'capturing' : 'waiting');
    await t.rejects(enable({}, 'Desk'), { code: 'not-connected' });
  }
});

t.test('status: the scanner was found lost, not reported online while its own answer is slow', async t => {
  let tell = (_: 'offline'): void => undefined;
  let answers = true;
  const slow = inFront(fakeDriver(feeder), session => ({
    status: call => (answers ? session.status(call) : new Promise(() => undefined)),
    watch: onEvent => ((tell = onEvent), () => undefined),
  }));
  const { enable, follow, pass, scans } = autoscanRig(slow);
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  t.match(await scans.status(), { isOnline: true });
  answers = false;
  tell('offline');
  await reader.over;
  t.same(reader.got, ['error: device-lost', 'over']);
  const status = scans.status();
  await pass(2000);
  t.match(await status, { isOnline: false, isSourceOpen: true });
});
