import { fakeDriver } from '@platen/conformance';
import type { Page, ScanOrder } from '@platen/core';
import t from 'tap';
import { hostedDriver } from './hostedDriver.js';

const never = (): AbortSignal => new AbortController().signal;
const call = () => ({ signal: never(), stop: never() });
const order: ScanOrder = {
  source: 'feeder',
  resolution: 200,
  colorMode: 'Grayscale',
  duplexMode: 'Simplex',
  pageSize: 'A4',
  adjustments: [],
  maxPixels: 1e9,
};

async function all(pages: AsyncIterable<Page>): Promise<{ sheets: number[]; error?: unknown }> {
  const sheets: number[] = [];
  try {
    for await (const page of pages) sheets.push(page.sheet);
    return { sheets };
  } catch (error) {
    return { sheets, error };
  }
}

t.test('hosted driver: an order without a transfer mode gets the configured one', async t => {
  const fake = fakeDriver({ sheets: 3 });
  const { driver } = hostedDriver(fake, { transferMode: 'Native' });
  const session = await driver.open('fake-1', { signal: never() });
  await all(session.scan({ ...order, sheets: 1 }, call()));
  await all(session.scan({ ...order, sheets: 1, transferMode: 'Buffered' }, call()));
  await all(session.scan({ ...order, sheets: 1, transferMode: 'Auto' }, call()));
  t.same(
    fake.orders.map(each => each.transferMode),
    ['Native', 'Buffered', 'Auto'],
  );
  t.same({ ...fake.orders[0], transferMode: undefined }, { ...order, sheets: 1, transferMode: undefined });
});

t.test("hosted driver: every other member is the driver's; insert may appear and disappear", async t => {
  const fake = fakeDriver();
  let inserts: typeof fake.insert = undefined;
  Object.defineProperty(fake, 'insert', { enumerable: true, get: () => inserts });
  const { driver } = hostedDriver(fake, { transferMode: 'Auto' });
  t.equal(driver.insert, undefined);
  const inserted: string[] = [];
  inserts = async deviceId => void inserted.push(deviceId);
  await driver.insert?.('fake-1', new Uint8Array());
  t.same(inserted, ['fake-1']);
  const session = await driver.open('fake-1', { signal: never() });
  t.equal(session.device.name, 'Fake scanner');
  t.match(await session.status({ signal: never() }), { online: true });
  await session.close();
  t.equal(fake.closed, 1);
});

t.test(
  'hosted driver stop: during a scan, yields the current sheet, then throws not-connected, and stops feeding',
  async t => {
    const fake = fakeDriver({ sheets: 5 });
    const hosted = hostedDriver(fake, { transferMode: 'Native' });
    const session = await hosted.driver.open('fake-1', { signal: never() });
    fake.hold();
    const scanned = all(session.scan(order, call()));
    await fake.whenFed(1);
    let quiet = false;
    const stopped = hosted.stop().then(() => (quiet = true));
    await new Promise(resolve => setImmediate(resolve));
    t.equal(quiet, false, 'a scan runs');
    fake.release();
    t.match(await scanned, {
      sheets: [1],
      error: { code: 'not-connected', message: 'The desktop application was stopped.' },
    });
    await stopped;
    t.equal(fake.remaining(), 4);
    await t.rejects(hosted.driver.open('fake-1', { signal: never() }), { code: 'not-connected' });
  },
);

t.test('hosted driver stop: a scan that the service stopped ends without an error', async t => {
  const fake = fakeDriver({ sheets: 5 });
  const hosted = hostedDriver(fake, { transferMode: 'Native' });
  const session = await hosted.driver.open('fake-1', { signal: never() });
  const stop = new AbortController();
  fake.hold();
  const scanned = all(session.scan(order, { signal: never(), stop: stop.signal }));
  await fake.whenFed(1);
  stop.abort();
  const stopped = hosted.stop();
  fake.release();
  t.same(await scanned, { sheets: [1] });
  await stopped;
});

t.test('hosted driver stop: does not wait for finished scans, however they ended', async t => {
  const fake = fakeDriver({ sheets: 9, faults: { 2: 'paper-jam' } });
  const hosted = hostedDriver(fake, { transferMode: 'Native' });
  const session = await hosted.driver.open('fake-1', { signal: never() });
  t.match(await all(session.scan(order, call())), { error: { code: 'paper-jam' } });
  fake.clearFaults();
  t.same(await all(session.scan({ ...order, sheets: 1 }, call())), { sheets: [1] });
  for await (const _ of session.scan(order, call())) break;
  await hosted.stop();
});
