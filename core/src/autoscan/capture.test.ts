/** One capture: which sheets are fed, which pages are kept, and how it ends. */
import { once } from 'node:events';
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import type { Session } from '../contract/driver.js';
import { inFront } from '../service.test.kit.js';
import { autoscanRig, FIVE_MINUTES, smallPage } from './autoscan.test.kit.js';

const feeder = { devices: [{ name: 'Desk', flatbed: false }], page: smallPage };
/** Longer than the rest after a failure. */
const RESTED = 5500;

t.test('outbox: full, feeding stops and nothing is dropped; it continues when a reader takes pages', async t => {
  const warnings: string[] = [];
  process.on('warning', ({ message }) => void warnings.push(message));
  const driver = fakeDriver({ ...feeder, sheets: 30 });
  const { enable, follow, pass, shelves } = autoscanRig(driver, { outboxPages: 4 });
  await enable({}, 'Desk');
  await pass();
  t.equal(driver.fed, 4, 'in the middle of a stack');
  await pass(FIVE_MINUTES - 1000);
  t.equal(driver.fed, 4);
  const reader = follow();
  await pass();
  await pass();
  t.same(
    reader.got,
    Array.from({ length: 30 }, (_, at) => `${at + 1} front`),
  );
  t.equal(driver.scans, 1);
  reader.leave();
  for (let n = 0; n < 6; n++) {
    driver.load(1);
    await pass(1000);
  }
  t.equal(driver.fed, 34, 'and between two documents');
  t.ok(shelves.seen.dropped <= 30);
  t.same(warnings, []);
});

t.test('disable: the outbox is full in the middle of a stack, ends at once', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 30 });
  const { enable, pass, scans } = autoscanRig(driver, { outboxPages: 2 });
  await enable({}, 'Desk');
  await pass();
  t.match(await scans.disableAutoscan(), { wasEnabled: true });
  t.equal(driver.remaining(), 28);
});

t.test('perSheet: a sheet is fed only when the one before it is finished', async t => {
  let encoded = (): void => undefined;
  const until = new Promise<void>(resolve => (encoded = resolve));
  const driver = fakeDriver({ ...feeder, sheets: 3 });
  const { enable, follow, pass } = autoscanRig(driver, { until });
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  t.equal(driver.fed, 1);
  encoded();
  await pass();
  t.equal(reader.got.length, 3);
});

t.test('disk: pages cannot be written, the capture stops and the pages are still delivered', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 5 });
  const { enable, follow, pass, shelves } = autoscanRig(driver);
  shelves.seen.full = true;
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  t.same(reader.got, ['1 front']);
  await pass(RESTED);
  await pass(RESTED);
  t.match(reader.got, ['1 front', '2 front', '3 front', 'disabled: failing', 'over']);
  t.match(reader.ends, [{ message: /The disk is full/ }]);
  t.equal(driver.remaining(), 2);
});

t.test('driver: questions before the scan take too long, its session is abandoned', async t => {
  const driver = fakeDriver({ ...feeder });
  let asked = 0;
  const slow = inFront(driver, (session: Session) => ({
    capabilities: async call =>
      ++asked === 2
        ? (await once(call.signal, 'abort'), Promise.reject(new Error('dropped')))
        : session.capabilities(call),
  }));
  const { enable, follow, pass } = autoscanRig(slow);
  await enable({}, 'Desk');
  const reader = follow();
  driver.load(1);
  await pass();
  await pass(30_000);
  t.equal(driver.opened, 2);
  await pass(RESTED);
  t.same(reader.got, ['1 front']);
});

t.test(
  'driver: throws its own error for an abandoned scan, its session is closed and auto-scan is off by request',
  async t => {
    const driver = fakeDriver({ ...feeder });
    const scan: Session['scan'] = async function* (_order, { signal }) {
      await once(signal, 'abort');
      yield* [];
      throw new DOMException('This operation was aborted', 'AbortError');
    };
    const { enable, follow, pass, scans } = autoscanRig(inFront(driver, () => ({ scan })));
    await enable({}, 'Desk');
    const reader = follow();
    driver.load(1);
    await pass(500);
    const disabled = scans.disableAutoscan();
    await pass(10_000);
    t.match(await disabled, { wasEnabled: true, discarded: 0 });
    t.same([driver.opened, driver.closed], [2, 1], 'its state is unknown: closed and reopened');
    await pass();
    t.match(reader.got, ['disabled: requested', 'over']);
  },
);

t.test('end of a capture: a line of the log for each, with its pages', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 2 });
  const { enable, pass, log, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  await pass();
  driver.load(1);
  await pass(1000);
  await scans.disableAutoscan();
  t.match(
    log.filter(line => line.includes('pages ')),
    [/^info: .*auto-scan on Desk is complete: pages 2, /, /^info: .*auto-scan on Desk is complete: pages 1, /],
  );
});
