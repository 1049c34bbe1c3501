/** Scans that take too long and drivers that hang: abandoned in time, with their pages, and ready for the next scan. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import type { Session } from '../contract/driver.js';
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

t.test('deadline: passes during a scan, the pages so far, then timeout', t =>
  both(t, async (t, open) => {
    const driver = fakeDriver({ sheets: 3, faults: { 2: 'hang' } });
    const { scan, clock } = await start(driver, open);
    const all = collect(scan({ timeoutSeconds: 7 }));
    await driver.whenFed(2);
    await clock.advance(7000 + limits.deadlineGraceMs);
    const { pages, error } = await all;
    t.same(pages, ['1 front']);
    t.match(error, { code: 'timeout', message: / 7 s / });
    driver.clearFaults();
    t.match(await collect(scan()), ok('1 front'));
    t.equal(driver.opened, open ? 1 : 2, 'the driver heard: its session was kept');
  }),
);

t.test('deadline: the scan ends in time, no timer is left', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { scan, clock } = fakeService(driver);
  t.match(await collect(scan({ timeoutSeconds: 1 })), ok('1 front'));
  driver.load(1);
  driver.hold();
  const all = collect(scan());
  await driver.whenFed(2);
  await clock.advance(60_000);
  driver.release();
  t.match(await all, ok('1 front'));
});

t.test('silence: no page within the limit, abandoned; the next scan works', t =>
  both(t, async (t, open) => {
    const driver = fakeDriver({ sheets: 3, faults: { 2: 'hang' } });
    const { scan, clock } = await start(driver, open);
    const all = collect(scan());
    await driver.whenFed(2);
    await settled();
    await clock.advance(limits.inactivityMs - 1);
    let over = false;
    void all.then(() => (over = true));
    await settled();
    t.equal(over, false);
    await clock.advance(1);
    t.match(await all, failed('timeout', '1 front'));
    driver.clearFaults();
    t.match(await collect(scan()), ok('1 front'));
  }),
);

t.test('unresponsive driver: abandoned after grace and listening time and closed; the next scan works', t =>
  both(t, async (t, open) => {
    const driver = fakeDriver({ sheets: 3, deaf: true, faults: { 2: 'hang' } });
    const { scan, scans, clock } = await start(driver, open);
    const all = collect(scan());
    await driver.whenFed(2);
    await settled();
    scans.cancel();
    await clock.advance(limits.graceMs + LISTEN_MS - 1);
    t.equal(driver.closed, 0);
    await clock.advance(1);
    t.match(await all, failed('cancelled', '1 front'));
    t.same([driver.opened, driver.closed], open ? [2, 1] : [1, 1], 'an open one is opened again');
    t.match(await scans.status(), { isSourceOpen: open });
    driver.clearFaults();
    t.match(await collect(scan()), ok('1 front'));
  }),
);

t.test('unresponsive driver: does not reopen, closed with a warning', async t => {
  const driver = fakeDriver({ sheets: 1, deaf: true, faults: { 1: 'hang' } });
  const { scan, scans, clock, log } = await start(driver, true);
  const all = collect(scan());
  await driver.whenFed(1);
  await settled();
  driver.unplug();
  await clock.advance(limits.inactivityMs + LISTEN_MS);
  t.match(await all, failed('timeout'));
  t.match(log, [/^warn: .*Fake scanner/]);
  t.match(await scans.status(), { isSourceOpen: false });
});

t.test('unresponsive driver: no answer before the scan, abandoned, closed and asked again', t =>
  both(t, async (t, open) => {
    for (const [end, code] of [
      ['silence', 'timeout'],
      ['deadline', 'timeout'],
      ['cancel', 'cancelled'],
    ] as const) {
      const driver = fakeDriver({ sheets: 1 });
      let mute = true;
      const front = inFront(driver, session => ({
        capabilities: call => (mute ? new Promise(() => {}) : session.capabilities(call)),
      }));
      const { scan, scans, clock } = await start(driver, open, {}, front);
      const all = collect(scan({ timeoutSeconds: end === 'deadline' ? 3 : 0 }));
      await settled();
      if (end === 'cancel') scans.cancel();
      await clock.advance(end === 'deadline' ? 3000 : 30_000);
      t.match(await all, failed(code), end);
      t.same([driver.fed, driver.opened, driver.closed], open ? [0, 2, 1] : [0, 1, 1], end);
      mute = false;
      t.match(await collect(scan()), ok('1 front'), end);
    }
  }),
);

t.test('abandoned scan: the driver throws its own error, the reason for abandoning it stays', async t => {
  const driver = fakeDriver({ sheets: 2 });
  const scan: Session['scan'] = async function* (_order, { signal }) {
    yield await new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new DOMException('This operation was aborted', 'AbortError'))),
    );
  };
  const service = await start(
    driver,
    true,
    {},
    inFront(driver, () => ({ scan })),
  );
  const all = collect(service.scan({ timeoutSeconds: 1 }));
  await settled();
  await service.clock.advance(1000 + limits.deadlineGraceMs);
  t.match(await all, { pages: [], error: { code: 'timeout', message: /than the 1 s/ } });
  t.same([driver.opened, driver.closed], [2, 1], 'its state is unknown: closed and reopened');
});

t.test('keep: rejects while the device hangs, the scan ends within the grace time', async t => {
  const driver = fakeDriver({ sheets: 2, faults: { 2: 'hang' } });
  const { scan, clock } = await start(driver, true);
  const all = collect(scan({}, () => Promise.reject(new Error('no room'))));
  await driver.whenFed(2);
  await settled();
  await clock.advance(limits.graceMs);
  t.match(await all, failed('internal', '1 front'));
  driver.clearFaults();
  driver.load(1);
  t.match(await collect(scan()), { error: undefined });
});
