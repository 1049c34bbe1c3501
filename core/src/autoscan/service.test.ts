/** Auto-scan together with every other call to the service. */
import { setImmediate as breathe } from 'node:timers/promises';
import { fakeDriver, type FakeDriverOptions } from '@platen/conformance';
import t from 'tap';
import type { ScanService } from '../service.js';
import { inFront, optionsWith } from '../service.test.kit.js';
import { autoscanRig, smallPage } from './autoscan.test.kit.js';

const two: FakeDriverOptions = {
  devices: [
    { name: 'Desk', flatbed: false },
    { name: 'Hall', flatbed: false },
  ],
  page: smallPage,
};

async function scan(scans: ScanService, scannerName: string): Promise<number> {
  let pages = 0;
  const failure = await scans.scan({ scannerName, options: optionsWith() }, { keep: async () => (pages++, undefined) })
    .over;
  if (failure) throw failure;
  return pages;
}

t.test('enable: no scanner is open, rejected; a name opens it', async t => {
  const driver = fakeDriver(two);
  const { enable, follow, scans } = autoscanRig(driver);
  await t.rejects(enable(), { code: 'no-source-open', message: /scannerName/ });
  await t.rejects(enable({}, 'Loft'), { code: 'device-not-found' });
  t.throws(() => follow(), { code: 'autoscan-off' });
  await enable({}, 'Desk');
  t.equal(scans.openName(), 'Desk');
  t.match(await scans.status(), { isSourceOpen: true });
});

t.test('open: auto-scan is enabled on another scanner, busy; on the same one, it is open', async t => {
  const driver = fakeDriver(two);
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  await t.rejects(scans.open('Hall'), { code: 'busy', message: /on Desk/ });
  await scans.open('Desk');
  driver.load(1);
  await pass();
  t.same(reader.got, ['1 front'], 'it goes on');
});

t.test('closeSource: by another web page while auto-scan is enabled, busy', async t => {
  const driver = fakeDriver(two);
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', 'https://a.example');
  const reader = follow(undefined, 'https://a.example');
  await t.rejects(scans.closeSource('https://b.example'), { code: 'busy' });
  await pass();
  t.same(reader.got, []);
  t.equal(await scans.closeSource('https://a.example'), true);
  await reader.over;
  t.match(reader.got, ['disabled: scanner-closed', 'over']);
});

t.test('scan: on auto-scan’s scanner, busy; on another, side by side', async t => {
  const driver = fakeDriver(two);
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  await t.rejects(scan(scans, 'Desk'), { code: 'busy', message: /on Desk/ });
  driver.load(1);
  await pass();
  t.same(reader.got, ['1 front'], 'it goes on');
  driver.load(2, 'fake-2');
  t.equal(await scan(scans, 'Hall'), 2);
  driver.load(1);
  await pass();
  t.same(reader.got, ['1 front', '2 front'], 'and goes on');
  t.equal(scans.openName(), 'Desk');
});

t.test('enable: a scan runs, busy', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { enable, pass, scans } = autoscanRig(driver);
  driver.hold();
  const scanning = scan(scans, 'Desk');
  await pass();
  await t.rejects(enable({}, 'Desk'), { code: 'busy' });
  driver.release();
  await scanning;
  await enable({}, 'Desk');
});

t.test('enable: a scan or closeSource comes while the scanner is asked, it goes first', async t => {
  for (const first of ['scan', 'close'] as const) {
    const driver = fakeDriver(two);
    let answer = (): void => undefined;
    const asked = new Promise<void>(resolve => (answer = resolve));
    const slow = inFront(driver, session => ({
      capabilities: async call => asked.then(() => session.capabilities(call)),
    }));
    const { enable, pass, scans, follow } = autoscanRig(slow);
    await scans.open('Desk');
    const enabling = enable();
    const refused = t.rejects(enabling, { code: first === 'scan' ? 'busy' : 'no-source-open' }, first);
    await pass();
    driver.hold();
    driver.load(1);
    const other = first === 'scan' ? scan(scans, 'Desk') : scans.closeSource();
    await pass();
    answer();
    await refused;
    driver.release();
    await other;
    t.throws(() => follow(), { code: 'autoscan-off' });
  }
});

t.test('closeSource: auto-scan is enabled, it is disabled first; the sheet in the path comes out', async t => {
  const driver = fakeDriver(two);
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  driver.hold();
  driver.load(3);
  await pass();
  const closing = scans.closeSource();
  await pass();
  driver.release();
  t.equal(await closing, true);
  await reader.over;
  t.match(reader.got.at(-2), 'disabled: scanner-closed');
  t.same([driver.fed, driver.closed], [1, 1]);
  await t.rejects(enable(), { code: 'no-source-open' });
});

t.test('enable: the last auto-scan is ending, a new one starts after it', async t => {
  const driver = fakeDriver({ ...two, sheets: 2 });
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  driver.hold();
  await pass();
  driver.load(2);
  const ending = scans.disableAutoscan();
  await pass();
  const enabling = Promise.all([enable({ resolution: 300 }), enable({ resolution: 600 })]);
  await pass();
  driver.release();
  await Promise.all([ending, enabling]);
  t.match(reader.got.at(-1), /over|disabled/);
  const again = follow();
  await pass();
  t.same(again.got, ['1 front', '2 front', '3 front']);
  t.equal(again.pages[2]?.dpi, 600, 'the last one counts');
});

t.test('enable: closeSource comes meanwhile, nothing stays enabled on the scanner', async t => {
  const driver = fakeDriver({ ...two, sheets: 2 });
  const { enable, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  driver.hold();
  await pass();
  const closed = scans.closeSource();
  await pass();
  const enabled = Promise.allSettled([enable(), enable()]);
  await pass();
  driver.release();
  await closed;
  await enabled;
  await pass();
  const left = scans.readAutoscan();
  t.equal(left.series, undefined);
  left.leave();
  t.throws(() => scans.openName(), { code: 'no-source-open' });
});

t.test('idle time: auto-scan is enabled, the scanner stays open; after the end it is closed', async t => {
  const driver = fakeDriver(two);
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  await pass(95 * 60_000);
  t.match(await scans.status(), { isSourceOpen: true });
  driver.load(1);
  await pass();
  t.same(reader.got, ['1 front']);
  await scans.disableAutoscan();
  await pass(61 * 60_000);
  t.match(await scans.status(), { isSourceOpen: false });
});

t.test('status, capabilities, list: during a capture, answered', async t => {
  const driver = fakeDriver(two);
  const { enable, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  driver.hold();
  driver.load(2);
  await pass();
  t.match(await scans.status(), { isOnline: true, isPaperLoaded: true, isSourceOpen: true });
  t.ok((await scans.capabilities()).resolutions.length > 0);
  t.equal((await scans.list()).length, 2);
  t.equal(scans.cancel(), false, 'cancel applies to on-demand scans only');
  driver.release();
});

t.test('close: ends auto-scan, and nothing starts afterwards', async t => {
  const driver = fakeDriver({ ...two, sheets: 3 });
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  driver.hold();
  await pass();
  const closed = scans.close('The service is stopping.');
  await pass();
  driver.release();
  await closed;
  await reader.over;
  t.match(reader.got.at(-2), 'disabled: service-stopped');
  t.same([driver.fed, driver.opened, driver.closed], [1, 1, 1]);
  await t.rejects(enable({}, 'Desk'), { code: 'busy', message: /stopping/ });
  await t.rejects(scans.open('Desk'), { code: 'busy', message: /stopping/ });
  await pass(60_000);
  t.equal(driver.opened, 1);
});

t.test('close: another scanner is being opened, none stays open and no timer is left', async t => {
  for (let turns = 0; turns < 8; turns++) {
    const driver = fakeDriver({ ...two, sheets: 1 });
    const { enable, pass, scans, clock } = autoscanRig(driver);
    await enable({}, 'Desk');
    driver.hold();
    await pass(500);
    void scans.open('Hall').catch(() => undefined);
    driver.release();
    for (let turn = 0; turn < turns; turn++) await breathe();
    await scans.close('The service is stopping.');
    await pass();
    t.same([driver.opened - driver.closed, clock.timers], [0, 0], `after ${turns} turns`);
  }
});

t.test('enable: the scanner does not report paper, enabled with a note, and nothing is fed', async t => {
  const driver = fakeDriver({ ...two, sheets: 2 });
  driver.setPaper('unknown');
  const { enable, follow, pass } = autoscanRig(driver);
  t.match(await enable({}, 'Desk'), [{ code: 'paper-unknown', text: /^Desk / }]);
  const reader = follow();
  driver.load(1);
  driver.press();
  await pass(60_000);
  t.same(reader.got, []);
  t.equal(driver.fed, 0);
});

t.test('enable: the scanner has no feeder, enabled with a note', async t => {
  const driver = fakeDriver({ ...two, devices: [{ name: 'Glass', feeder: false, flatbed: true }] });
  const { enable, pass } = autoscanRig(driver);
  t.match(await enable({}, 'Glass'), [{ code: 'no-feeder', text: /^Glass / }]);
  await pass(60_000);
  t.equal(driver.scans, 0);
});

t.test('enable: options have notes, they are in the answer', async t => {
  const { enable } = autoscanRig(fakeDriver(two));
  const notes = await enable({ ocr: true, autoCrop: true }, 'Desk');
  t.same(
    notes.map(({ code }) => code),
    ['adjustment-ignored', 'ocr-not-installed'],
  );
});

t.test('enable: the scanner does not report its status, rejected', async t => {
  const driver = fakeDriver(two);
  const silent = inFront(driver, () => ({ status: () => new Promise(() => undefined) }));
  const { enable, pass, follow } = autoscanRig(silent);
  const refused = t.rejects(enable({}, 'Desk'), { code: 'timeout', message: /asking Desk for its status/ });
  await pass();
  await pass(2000);
  await refused;
  t.throws(() => follow(), { code: 'autoscan-off' });
});
