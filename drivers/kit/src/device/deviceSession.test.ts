/** A session over a device that takes one call at a time. */
import { type Capabilities, createMutex, nullLog, type RawPage, ScanError, type ScanOrder, type Status } from '@platen/core/plugin';
import t from 'tap';
import { deviceSession, type DeviceWork } from './deviceSession.js';

const never = new AbortController().signal;
const call = { signal: never, stop: never };
const order: ScanOrder = { source: 'feeder', resolution: 100, colorMode: 'Grayscale', duplexMode: 'Simplex', pageSize: 'A6', adjustments: [], maxPixels: 1e6 };
const capabilities: Capabilities = { feeder: { resolutions: [100], colorModes: ['Grayscale'], duplex: false, pageSizes: ['A6'], adjustments: [] } };

function rig(more: Partial<DeviceWork<RawPage>> = {}) {
  const done: string[] = [];
  const session = deviceSession<RawPage>({
    device: { id: 'a', name: 'Desk', manufacturer: '', model: '', online: true, feeder: true, flatbed: false, duplex: false, feeding: 'perSheet' },
    log: nullLog,
    alone: createMutex(),
    explain: error => new ScanError('driver-failed', `explained: ${(error as Error).message}`),
    known: () => undefined,
    capabilities: async () => capabilities,
    status: async () => ({ online: true, paper: 'loaded' }) satisfies Status,
    paper: () => 'empty',
    async *scan(_order, { ended }) {
      yield { kind: 'raw', sheet: 1, side: 'front', width: 1, height: 1, dpi: 100, pixels: 'gray8', stride: 1, data: new Uint8Array(1) };
      await new Promise(resolve => ended.addEventListener('abort', resolve));
      throw ended.reason;
    },
    onClose: async () => void done.push('closed'),
    ...more,
  });
  return { session, done };
}

t.test('while it scans the last known paper is told, and a second scan is busy', async t => {
  const { session } = rig();
  t.same(await session.status(call), { online: true, paper: 'loaded' });
  const pages = session.scan(order, call)[Symbol.asyncIterator]();
  t.equal((await pages.next()).value?.sheet, 1);
  t.same(await session.status(call), { online: true, paper: 'empty' });
  await t.rejects(session.scan(order, call)[Symbol.asyncIterator]().next(), { code: 'busy' });
  await session.close();
});

t.test('closing ends the scan first; afterwards it is offline, and close is idempotent', async t => {
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

t.test('a status that fails is offline, capabilities that fail are explained; who gives up gets the reason', async t => {
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

t.test('what is known is told at once, whatever the device is at', async t => {
  const { session } = rig({ known: () => capabilities, status: () => new Promise(() => undefined) });
  void session.status(call).catch(() => undefined);
  t.equal(await session.capabilities(call), capabilities);
});

t.test('one thing at a time, and a failure holds up nobody', async t => {
  const alone = createMutex();
  const order: string[] = [];
  const first = alone(async () => {
    await new Promise(resolve => setImmediate(resolve));
    order.push('first');
    throw new Error('first fails');
  });
  const second = alone(async () => order.push('second'));
  await t.rejects(first, { message: 'first fails' });
  await second;
  t.same(order, ['first', 'second']);
});
