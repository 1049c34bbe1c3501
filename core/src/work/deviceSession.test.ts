/** A session over a device that takes one call at a time. */
import t from 'tap';
import type { Capabilities, Status } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import type { ScanOrder } from '../contract/order.js';
import type { RawPage } from '../contract/page.js';
import { nullLog } from '../log/nullLog.js';
import { createMutex } from './semaphore.js';
import { deviceSession, type DeviceScan, type DeviceWork } from './deviceSession.js';

const never = new AbortController().signal;
const call = { signal: never, stop: never };
const order: ScanOrder = {
  source: 'feeder',
  resolution: 100,
  colorMode: 'Grayscale',
  duplexMode: 'Simplex',
  pageSize: 'A6',
  adjustments: [],
  maxPixels: 1e6,
};
const capabilities: Capabilities = {
  feeder: { resolutions: [100], colorModes: ['Grayscale'], duplex: false, pageSizes: ['A6'], adjustments: [] },
};

const page: RawPage = {
  kind: 'raw',
  sheet: 1,
  side: 'front',
  width: 1,
  height: 1,
  dpi: 100,
  pixels: 'gray8',
  stride: 1,
  data: new Uint8Array(1),
};

function rig(more: Partial<DeviceWork<RawPage>> = {}) {
  const done: string[] = [];
  const session = deviceSession<RawPage>({
    device: {
      id: 'a',
      name: 'Desk',
      manufacturer: '',
      model: '',
      online: true,
      feeder: true,
      flatbed: false,
      duplex: false,
      feeding: 'perSheet',
    },
    log: nullLog,
    alone: createMutex(),
    explain: error => new ScanError('driver-failed', `explained: ${(error as Error).message}`),
    known: () => undefined,
    capabilities: async () => capabilities,
    status: async () => ({ online: true, paper: 'loaded' }) satisfies Status,
    async *scan(_order, { ended, onEmpty }) {
      onEmpty();
      yield page;
      await new Promise(resolve => ended.addEventListener('abort', resolve));
      throw ended.reason;
    },
    onClose: async () => void done.push('closed'),
    ...more,
  });
  return { session, done };
}

t.test('deviceSession: during a scan, status reports the last known paper and a second scan is busy', async t => {
  const { session } = rig();
  t.same(await session.status(call), { online: true, paper: 'loaded' });
  const pages = session.scan(order, call)[Symbol.asyncIterator]();
  t.equal((await pages.next()).value?.sheet, 1);
  t.same(await session.status(call), { online: true, paper: 'empty' });
  await t.rejects(session.scan(order, call)[Symbol.asyncIterator]().next(), { code: 'busy' });
  await session.close();
});

t.test('deviceSession: close during a scan, ends it first; then offline, and close is idempotent', async t => {
  const { session, done } = rig();
  const pages = session.scan(order, call)[Symbol.asyncIterator]();
  await pages.next();
  const next = t.rejects(pages.next(), { code: 'cancelled', message: '"Desk" was closed while it scanned.' });
  await Promise.all([session.close(), session.close()]);
  await next;
  t.same(done, ['closed']);
  t.same(await session.status(call), { online: false, paper: 'unknown' });
  await t.rejects(session.capabilities(call), { code: 'device-offline' });
  await t.rejects(session.scan(order, call)[Symbol.asyncIterator]().next(), { code: 'device-offline' });
});

t.test('deviceSession: status fails, offline; capabilities fail, explained; an abort throws its reason', async t => {
  const fails = async () => Promise.reject(new Error('no'));
  const { session } = rig({ status: fails, capabilities: fails });
  t.same(await session.status(call), { online: false, paper: 'unknown' });
  await t.rejects(session.capabilities(call), { code: 'driver-failed', message: 'explained: no' });
  const { session: slow } = rig({ status: () => new Promise(() => undefined) });
  const caller = new AbortController();
  const asked = slow.status(caller);
  caller.abort(new ScanError('timeout', 'late'));
  await t.rejects(asked, { code: 'timeout' });
});

t.test('deviceSession: known capabilities, answered at once even while the device is busy', async t => {
  const { session } = rig({ known: () => capabilities, status: () => new Promise(() => undefined) });
  void session.status(call).catch(() => undefined);
  t.equal(await session.capabilities(call), capabilities);
});

t.test('deviceSession: feeder without a sensor, paper stays unknown; what a scan sees is reported', async t => {
  const pages = async function* (_order: ScanOrder, { onEmpty, seePaper }: DeviceScan): AsyncGenerator<RawPage> {
    onEmpty();
    yield page;
    seePaper('loaded');
    yield page;
  };
  const { session } = rig({ scan: pages });
  const iterator = session.scan(order, call)[Symbol.asyncIterator]();
  await iterator.next();
  t.same(await session.status(call), { online: true, paper: 'unknown' });
  await iterator.next();
  t.same(await session.status(call), { online: true, paper: 'loaded' });
  await session.close();
});

t.test('deviceSession: device that answers during a scan, status asks it', async t => {
  const { session } = rig({ statusWhileScanning: async (_call, paper) => ({ online: false, paper: paper() }) });
  await session.scan(order, call)[Symbol.asyncIterator]().next();
  t.same(await session.status(call), { online: false, paper: 'unknown' });
  await session.close();
});

t.test('deviceSession: next scan, begins after the previous one released the device, and not after stop', async t => {
  const begun: string[] = [];
  let letGo = (): void => undefined;
  const held = new Promise<void>(resolve => (letGo = resolve));
  const { session } = rig({
    async *scan() {
      begun.push('begun');
      try {
        yield page;
      } finally {
        await held;
      }
    },
  });
  const first = session.scan(order, call)[Symbol.asyncIterator]();
  await first.next();
  const left = first.return?.();
  const second = session.scan(order, call)[Symbol.asyncIterator]().next();
  const stopped = session.scan(order, { signal: never, stop: AbortSignal.abort() });
  await new Promise(resolve => setImmediate(resolve));
  t.same(begun, ['begun']);
  letGo();
  await left;
  t.match(await second, { done: false });
  t.same(begun, ['begun', 'begun']);
  await session.close();
  const { session: other } = rig({ scan: () => t.fail('it began') as never });
  t.match(await other.scan(order, { signal: never, stop: AbortSignal.abort() })[Symbol.asyncIterator]().next(), {
    done: true,
  });
  await stopped[Symbol.asyncIterator]().return?.();
});

t.test('deviceSession: a scan throws, explained; an ended scan throws its reason', async t => {
  const fails = async function* (_order: ScanOrder, { ended }: DeviceScan): AsyncGenerator<RawPage> {
    yield page;
    await new Promise(resolve => setImmediate(resolve));
    throw new Error(ended.aborted ? 'ended' : 'no');
  };
  const { session } = rig({ scan: fails });
  const pages = session.scan(order, call)[Symbol.asyncIterator]();
  await pages.next();
  await t.rejects(pages.next(), { code: 'driver-failed', message: 'explained: no' });
  const caller = new AbortController();
  const given = session.scan(order, { signal: caller.signal, stop: never })[Symbol.asyncIterator]();
  await given.next();
  const pull = given.next();
  caller.abort(new ScanError('timeout', 'late'));
  await t.rejects(pull, { code: 'timeout' });
});
