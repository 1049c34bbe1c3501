/** Scans that wait in line, and what happens to their scanner meanwhile: it is opened, closed, or has a new id. */
import { fakeDriver, type FakeDriver } from '@platen/conformance';
import t, { type Test } from 'tap';
import type { Driver } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import { settled } from '../service.test.kit.js';
import { deferred } from '../time/wait.js';
import { ended, gated, keptRig, origin, request } from './keptScans.test.kit.js';

const OTHER = 'https://bank.example';
const desk = { waitMs: 60_000, request: request({ scannerName: 'Desk' }) };
const two = (): FakeDriver => fakeDriver({ sheets: 1, devices: [{ name: 'Desk' }, { name: 'Hall' }] });

/** A driver that opens its scanners, or closes them, when the test says so. */
function slow(driver: FakeDriver, what: 'open' | 'close') {
  const { promise, resolve } = deferred<void>();
  const open: Driver['open'] = async (id, call) => {
    if (what === 'open') await promise;
    const session = await driver.open(id, call);
    return what === 'open' ? session : { ...session, close: () => promise.then(() => session.close()) };
  };
  return { front: Object.create(driver, { open: { value: open } }) as Driver, go: resolve };
}

/** A scan in line, as a client opens its scanner. */
async function startedInOpening(t: Test) {
  const driver = two();
  const { front, go } = slow(driver, 'open');
  const { start, scans } = await keptRig(t, driver, undefined, {}, true, front);
  const opening = scans.open('Desk');
  await settled();
  const starting = start(desk);
  await settled();
  return { scans, opening, starting, go };
}

t.test('wait: auto-scan ends and its scanner closes, as another one was opened since', async t => {
  const { start, scans, kept } = await keptRig(t, two());
  await scans.enableAutoscan(request().options, 'Desk', origin);
  await scans.enableAutoscan(request().options, 'Hall', OTHER);
  const { scan } = await start(desk);
  kept.attend(scan);
  await scans.disableAutoscan(origin);
  t.match(await ended(scan), { state: 'completed', pages: { length: 1 } });
});

t.test('wait: a client is opening the scanner', async t => {
  const { scans, opening, starting, go } = await startedInOpening(t);
  go();
  await opening;
  t.match(await ended((await starting).scan), { state: 'completed' });
  t.equal(scans.openName(), 'Desk', 'it stays open');
});

t.test('wait: a client is closing the scanner', async t => {
  const driver = two();
  const { front, go } = slow(driver, 'close');
  const { start, scans } = await keptRig(t, driver, undefined, {}, true, front);
  await scans.open('Desk');
  const closing = scans.closeSource();
  await settled();
  const starting = start(desk);
  await settled();
  go();
  t.ok(await closing);
  t.match(await ended((await starting).scan), { state: 'completed' });
});

t.test('wait: cancelled while a client is opening the scanner, it does not wait for that', async t => {
  const { scans, opening, starting, go } = await startedInOpening(t);
  t.ok(scans.cancel(origin));
  await t.rejects(starting, { code: 'cancelled' });
  go();
  await opening;
});

t.test('wait: the scanner has a new id, all wait in one line', async t => {
  const driver = fakeDriver({ sheets: 5 });
  const { front, close } = gated(driver);
  let id = 'usb-1';
  const replugged: Driver = {
    ...driver,
    async *devices(call) {
      for await (const device of driver.devices(call)) yield { ...device, id };
    },
    async open(asked, call) {
      if (asked !== id) throw new ScanError('device-not-found', 'It has another address.');
      return front.open('fake-1', call);
    },
    watch: () => () => undefined,
  };
  const { start, scans, kept } = await keptRig(t, driver, undefined, {}, true, replugged);
  await scans.list();
  id = 'usb-2';
  const [gate, first] = [close(), start()];
  await gate.asked;
  const { scan: second } = await start({ waitMs: 60_000 });
  kept.attend(second);
  const gateOfSecond = close();
  gate.answer();
  await ended((await first).scan);
  await gateOfSecond.asked;
  const [known] = await scans.list();
  t.equal(known && scans.useOf(known, origin), 'own');
  const { scan: third } = await start({ waitMs: 60_000 });
  kept.attend(third);
  t.match(third.progress, { placeInLine: 1 });
  gateOfSecond.answer();
  for (const scan of [second, third]) t.match(await ended(scan), { state: 'completed' });
});
