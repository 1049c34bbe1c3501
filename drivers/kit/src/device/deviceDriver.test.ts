/** deviceDriver: listings, log lines, and the errors of failed openings. */
import { recordingLog } from '@platen/conformance';
import { createOpenings, type Opening } from '@platen/core/driver';
import { ScanError, type Device, type Session } from '@platen/core/plugin';
import t from 'tap';
import type { Helper } from '../helper/helperTypes.js';
import { deviceDriver, type DeviceDriverParts } from './deviceDriver.js';

const { signal } = new AbortController();
const call = { signal };

const deviceOf = (id: string): Device => ({
  id,
  name: id,
  manufacturer: '',
  model: '',
  online: true,
  feeder: true,
  flatbed: false,
  duplex: false,
  feeding: 'perSheet',
});

function rig(more: Partial<DeviceDriverParts> = {}) {
  const log = recordingLog('info');
  const done: string[] = [];
  const driver = deviceDriver({
    id: 'test',
    openings: createOpenings("the tests' scanners"),
    log,
    async *list() {
      yield deviceOf('a');
      yield deviceOf('a');
      yield deviceOf('b');
    },
    open: async (id: string, { onClose }: Opening) =>
      ({ device: deviceOf(id), close: onClose }) as Partial<Session> as Session,
    explain: (error, id) => new ScanError('device-offline', `${id}: ${(error as Error).message}`),
    onClose: async () => void done.push('closed'),
    ...more,
  });
  return { driver, log, done };
}

async function list(driver: ReturnType<typeof deviceDriver>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of driver.devices(call)) ids.push(id);
  return ids;
}

t.test('deviceDriver: a device yielded twice, listed once', async t => {
  const { driver, log } = rig();
  t.same(await list(driver), ['a', 'b']);
  t.same(log.lines, []);
  await t.rejects(
    driver
      .devices({ signal: AbortSignal.abort(new ScanError('timeout', 'late')) })
      [Symbol.asyncIterator]()
      .next(),
    { code: 'timeout' },
  );
});

t.test('deviceDriver: a listing fails, logged once, recalls known devices, logs when it works again', async t => {
  let fails = true;
  const { driver, log } = rig({
    async *list() {
      yield deviceOf('a');
      if (fails) throw new Error('no');
    },
    recall: () => [deviceOf('a'), deviceOf('c')],
  });
  t.same(await list(driver), ['a', 'c']);
  t.same(await list(driver), ['a', 'c']);
  t.same(log.lines, ["warn: The tests' scanners cannot be used: no"]);
  fails = false;
  t.same(await list(driver), ['a']);
  t.same(await list(driver), ['a']);
  t.same(log.lines.slice(1), ["info: The tests' scanners can be used again."]);
});

t.test('deviceDriver: recall throws, the listing fails', async t => {
  const list = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no')) }) });
  const recall = (error: unknown) => {
    throw new ScanError('timeout', (error as Error).message);
  };
  const { driver } = rig({ list, recall });
  await t.rejects(driver.devices(call)[Symbol.asyncIterator]().next(), { code: 'timeout', message: 'no' });
});

t.test('deviceDriver: check reports what is missing, no listing reports it again', async t => {
  const helper = (fails: boolean) =>
    ({
      call: () => (fails ? Promise.reject(new Error('no helper')) : Promise.resolve()),
      close: async () => undefined,
    }) as unknown as Helper;
  const probe = (fails: boolean) => ({ createHelper: () => helper(fails), verb: 'close', deadlineMs: 1000 });
  const { driver, log } = rig({
    probe: probe(true),
    list: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no helper')) }) }),
  });
  t.equal(await driver.check(), "The tests' scanners cannot be used: no helper");
  t.same(await list(driver), []);
  t.same(log.lines, []);
  t.equal(await rig({ probe: probe(false) }).driver.check(), undefined);
  t.equal(await rig().driver.check(), undefined, 'nothing to probe');
});

t.test('deviceDriver: a failed opening is explained; an abandoned one throws its reason', async t => {
  const { driver } = rig({ open: () => Promise.reject(new Error('no')) });
  await t.rejects(driver.open('a', call), { code: 'device-offline', message: 'a: no' });
  const caller = new AbortController();
  const { driver: slow } = rig({
    open: (_id, { ended }) =>
      new Promise((_, reject) => ended.addEventListener('abort', () => reject(new Error('ended')))),
  });
  const opening = slow.open('a', caller);
  caller.abort(new ScanError('timeout', 'late'));
  await t.rejects(opening, { code: 'timeout' });
});

t.test('deviceDriver: closed, lists and opens nothing; a running listing ends', async t => {
  const { driver, log, done } = rig({
    async *list(ended) {
      yield deviceOf('a');
      await new Promise(resolve => ended.addEventListener('abort', resolve));
      throw new Error('ended');
    },
  });
  const session = await driver.open('b', call);
  const listing = list(driver);
  await new Promise(resolve => setImmediate(resolve));
  await driver.close();
  t.same(await listing, ['a']);
  t.same(await list(driver), []);
  t.same([done, log.lines], [['closed'], []]);
  await t.rejects(driver.open('a', call), { code: 'driver-failed' });
  await session.close();
});
