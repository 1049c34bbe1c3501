/** Capabilities are asked for once, and without disturbing a scan. */
import { fakeDriver, type FakeDriverOptions } from '@platen/conformance';
import t from 'tap';
import type { Driver } from '../contract/driver.js';
import { collect, fakeService, inFront, settled } from '../service.test.kit.js';

const two: FakeDriverOptions = { devices: [{ name: 'Desk' }, { name: 'Hall' }] };

t.test('capabilities: asked once, from the open session or a temporary one', async t => {
  let asked = 0;
  const driver = fakeDriver(two);
  const { scans } = fakeService(
    inFront(driver, session => ({ capabilities: call => (asked++, session.capabilities(call)) })),
  );
  await scans.open('Desk');
  t.match(await scans.capabilities(), { supportsDuplex: true });
  await scans.capabilities('Desk');
  t.same([asked, driver.opened], [1, 1]);
  const [one, other] = await Promise.all([scans.capabilities('Hall'), scans.capabilities('Hall')]);
  t.same(one, other);
  t.same([asked, driver.opened, driver.closed], [2, 2, 1], 'two concurrent callers share the answer');
  t.equal(scans.openName(), 'Desk');
  await scans.closeSource();
  await t.rejects(scans.capabilities(), { code: 'no-source-open' });
  await t.rejects(scans.capabilities('Loft'), { code: 'device-not-found' });
});

t.test('capabilities: the question fails, asked again next time and nothing stays open', async t => {
  let broken = true;
  const driver = fakeDriver();
  const { scans } = fakeService(
    inFront(driver, session => ({
      capabilities: call => (broken ? Promise.reject(new Error('hm')) : session.capabilities(call)),
    })),
  );
  await t.rejects(scans.capabilities('Fake scanner'), { code: 'driver-failed', message: 'hm' });
  t.same([driver.opened, driver.closed], [1, 1]);
  broken = false;
  t.match(await scans.capabilities('Fake scanner'), { resolutions: [75, 100, 150, 200, 300, 600] });
});

t.test('capabilities: scanner replugged under another id, found by its name', async t => {
  for (const use of ['open', 'ask', 'scan'] as const) {
    const driver = fakeDriver({ devices: [{ id: 'usb:2' }], sheets: 1 });
    let id = 'usb:1';
    // The id from the first discovery no longer exists.
    const moved = Object.create(driver, {
      devices: {
        value: async function* (...args: Parameters<Driver['devices']>) {
          for await (const device of driver.devices(...args)) yield { ...device, id };
        },
      },
    }) as Driver;
    const { scans, scan } = fakeService(moved);
    await scans.list();
    id = 'usb:2';
    if (use === 'open') t.match(await scans.open('Fake scanner').then(() => scans.openName()), 'Fake scanner');
    else if (use === 'ask') t.match(await scans.capabilities('Fake scanner'), { supportsDuplex: true });
    else t.match(await collect(scan()), { pages: ['1 front'], error: undefined });
  }
  const gone = fakeDriver();
  const { scans } = fakeService(
    Object.create(gone, {
      devices: {
        value: async function* (...args: Parameters<Driver['devices']>) {
          for await (const device of gone.devices(...args)) yield { ...device, id: 'usb:9' };
        },
      },
    }) as Driver,
  );
  await t.rejects(
    scans.open('Fake scanner'),
    { code: 'device-not-found' },
    'not found again: the driver’s first error',
  );
});

t.test('capabilities: another scanner under a known id, asked anew', async t => {
  const fake = fakeDriver({ devices: [{ id: 'usb:1' }] });
  let model = 'Desk';
  let asked = 0;
  const driver = inFront(fake, session => ({ capabilities: call => (asked++, session.capabilities(call)) }));
  const replugged = Object.create(driver, {
    devices: {
      value: async function* (...args: Parameters<Driver['devices']>) {
        for await (const device of driver.devices(...args)) yield { ...device, name: model, model };
      },
    },
  }) as Driver;
  const { scans, clock } = fakeService(replugged);
  await scans.capabilities('Desk');
  await scans.capabilities('Desk');
  t.equal(asked, 1);
  model = 'Hall';
  await clock.advance(60_000);
  await scans.list();
  await scans.capabilities('Hall');
  t.equal(asked, 2);
});

t.test('capabilities: during a scan, from the cache or busy; a scan fills the cache for its scanner', async t => {
  const driver = fakeDriver({ ...two, sheets: 2 });
  const { scans, scan } = fakeService(driver);
  driver.hold();
  const run = scan({ scannerName: 'Desk' });
  const early = t.rejects(scans.capabilities('Desk'), { code: 'busy', message: /Desk/ }, 'while it is opened');
  const all = collect(run);
  await early;
  await driver.whenFed(1);
  t.match(await scans.capabilities('Desk'), { supportsDuplex: true });
  t.equal(driver.opened, 1);
  t.match(await scans.capabilities('Hall'), { supportsDuplex: true }, 'another one is asked');
  driver.release();
  await all;
  t.same([driver.opened, driver.closed], [2, 2]);
});

t.test('capabilities: temporary session, a scan and open() wait for it', async t => {
  const gates: (() => void)[] = [];
  const driver = fakeDriver({ sheets: 1 });
  let slow = true;
  const { scans, scan } = fakeService(
    inFront(driver, session => ({
      capabilities: async call => {
        if (slow) await new Promise<void>(resolve => gates.push(resolve));
        return session.capabilities(call);
      },
    })),
  );
  const asked = scans.capabilities('Fake scanner');
  await settled();
  slow = false;
  const all = collect(scan());
  await settled();
  t.equal(driver.opened, 1);
  gates[0]?.();
  t.match(await asked, { supportsDuplex: true });
  t.match(await all, { pages: ['1 front'], error: undefined });
});
