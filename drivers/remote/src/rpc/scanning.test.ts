/** Scans over a connection: pulls and feeding, endings, and what passes beside them. */
import { fakeDriver, testPage } from '@platen/conformance';
import { ScanError, type Driver, type Page, type ScanCall, type Session } from '@platen/core/plugin';
import t from 'tap';
import { call, linked, memoryPair, never, orderOf, settle, socketPair } from './rpc.test.kit.js';

const scanCall = (given: Partial<ScanCall> = {}): ScanCall => ({ signal: never(), stop: never(), ...given });

function iteratorOf(session: Session, given: Partial<ScanCall> = {}, order = orderOf()): AsyncIterator<Page> {
  return session.scan(order, scanCall(given))[Symbol.asyncIterator]();
}

/** A driver of one device whose scans are the test's own. */
function driverOf(scan: Session['scan'], facets: Partial<Session> = {}): Driver {
  const base = fakeDriver();
  return {
    id: 'own',
    devices: base.devices,
    close: base.close,
    open: async (id, its) => ({ ...(await base.open(id, its)), ...facets, scan }),
  };
}

t.test('scan: the far driver gets every field of the order', async t => {
  const fake = fakeDriver({
    sheets: 1,
    driverOptions: [
      { name: 'lamp', type: 'string' },
      { name: 'gamma', type: 'number' },
      { name: 'beep', type: 'boolean' },
    ],
  });
  const { remote } = await linked(fake);
  const order = orderOf({
    sheets: 1,
    transferMode: 'Buffered',
    area: { x: 0, y: 12.5, width: 100, height: 0.5 },
    brightness: -100,
    contrast: 0,
    threshold: 255,
    driverOptions: { lamp: 'warm', gamma: 1.8, beep: false },
    adjustments: ['deskew'],
    lossless: true,
  });
  await iteratorOf(await remote.open('fake-1', call()), {}, order).next();
  t.same(fake.orders, [order]);
  await remote.close();
});

t.test('capabilities, page: controls and options of the far driver come as they are', async t => {
  const fake = fakeDriver({
    sheets: 1,
    controls: ['area', 'brightness', 'sheets'],
    driverOptions: [
      { name: 'lamp', title: 'Lamp', description: 'Its light', type: 'string', values: ['warm'], default: 'warm' },
      { name: 'dpi', type: 'integer', unit: 'dpi', minimum: 75, maximum: 600, step: 25, controls: ['resolution'] },
    ],
    reservedOptions: [{ name: 'source', controls: ['source', 'duplexMode'] }],
  });
  const { remote } = await linked(fake);
  const session = await remote.open('fake-1', call());
  const alone = await fakeDriver({ controls: ['area'] }).open('fake-1', call());
  const near = await alone.capabilities(call());
  const far = await session.capabilities(call());
  t.same(far.flatbed?.area, near.flatbed?.area);
  t.same(far.feeder?.controls, ['area', 'brightness', 'sheets']);
  t.same(
    far.feeder?.driverOptions?.map(each => Object.keys(each).length),
    [6, 7],
  );
  t.same(far.feeder?.reservedOptions, [{ name: 'source', controls: ['source', 'duplexMode'] }]);
  const area = { x: 1, y: 1, width: 10, height: 10 };
  const { value } = await iteratorOf(session, {}, orderOf({ area, brightness: 1 })).next();
  t.same(value?.adjusted, ['area', 'brightness']);
  await remote.close();
});

t.test('scan: each pull feeds one sheet at the far end, and nothing else does', async t => {
  const fake = fakeDriver({ sheets: 9 });
  const { remote } = await linked(fake);
  const session = await remote.open('fake-1', call());
  const pages = iteratorOf(session);
  await settle();
  t.equal(fake.scans, 0, 'a scan without a pull does not begin');
  for (const pulled of [1, 2, 3]) {
    t.equal((await pages.next()).value.sheet, pulled);
    await settle();
    t.equal(fake.fed, pulled);
  }
  const two = [pages.next(), pages.next()];
  t.same(
    (await Promise.all(two)).map(each => each.value.sheet),
    [4, 5],
    'pulls that do not wait come in order',
  );
  t.equal(fake.fed, 5);
  await remote.close();
});

t.test('scan: a duplex pair is one sheet and two pulls', async t => {
  const fake = fakeDriver({ sheets: 3 });
  const { remote } = await linked(fake);
  const pages = iteratorOf(await remote.open('fake-1', call()), {}, orderOf({ duplexMode: 'DuplexLongEdge' }));
  const sides: string[] = [];
  for (const fed of [1, 1, 2, 2]) {
    const { value } = await pages.next();
    sides.push(`${value.sheet} ${value.side}`);
    await settle();
    t.equal(fake.fed, fed);
  }
  t.same(sides, ['1 front', '1 back', '2 front', '2 back']);
  await remote.close();
});

t.test('scan: stop and return() reach the far driver, return() also while a page is awaited', async t => {
  const fake = fakeDriver({ sheets: 9 });
  const { remote } = await linked(fake);
  const session = await remote.open('fake-1', call());
  const stop = new AbortController();
  const stopped = iteratorOf(session, { stop: stop.signal });
  await stopped.next();
  stop.abort();
  t.equal((await stopped.next()).done, true);
  t.equal(fake.fed, 1);

  const left = iteratorOf(session);
  await left.next();
  t.equal((await left.return?.())?.done, true);
  t.equal((await left.next()).done, true);
  t.equal(fake.fed, 2);

  fake.hold();
  const awaited = iteratorOf(session);
  const page = awaited.next();
  await fake.whenFed(3);
  const leaving = awaited.return?.();
  await settle();
  fake.release();
  t.equal((await page).value.sheet, 1, 'what was in the path comes');
  t.equal((await leaving)?.done, true);
  await settle();
  t.equal(fake.fed, 3);
  t.equal((await iteratorOf(session).next()).value.sheet, 1, 'the session is free');
  await remote.close();
});

for (const code of ['timeout', 'cancelled'] as const) {
  t.test(`scan: an abort with ${code} arrives with its code, and its reason is thrown here`, async t => {
    const seen: unknown[] = [];
    const next = async (signal: AbortSignal): Promise<never> => {
      await new Promise(resolve => signal.addEventListener('abort', resolve));
      seen.push((signal.reason as ScanError).code, (signal.reason as ScanError).message);
      throw new ScanError('driver-failed', 'a message of the far driver');
    };
    const scan: Session['scan'] = (_order, { signal }) => ({
      [Symbol.asyncIterator]: () => ({ next: () => next(signal) }),
    });
    const { remote } = await linked(driverOf(scan));
    const abandon = new AbortController();
    const page = iteratorOf(await remote.open('fake-1', call()), { signal: abandon.signal }).next();
    await settle();
    const reason = new ScanError(code, 'enough');
    abandon.abort(reason);
    t.equal(await page.catch((error: unknown) => error), reason);
    t.same(seen, [code, 'enough']);
    await remote.close();
  });
}

t.test('scan: an abort between two pulls ends the far scan at once, without another pull', async t => {
  const fake = fakeDriver({ sheets: 5 });
  const { remote } = await linked(fake);
  const session = await remote.open('fake-1', call());
  const abandon = new AbortController();
  const pages = iteratorOf(session, { signal: abandon.signal });
  await pages.next();
  const reason = new ScanError('cancelled', 'enough');
  abandon.abort(reason);
  await settle();
  t.equal((await iteratorOf(session).next()).value.sheet, 1, 'another scan may begin');
  t.equal(await pages.next().catch((error: unknown) => error), reason);
  t.equal((await pages.next()).done, true);
  await remote.close();
});

t.test('scan: an abort while a page is on its way drops the page', async t => {
  const big = testPage({ width: 2000, height: 2000, pixels: 'gray8' });
  const scan: Session['scan'] = async function* () {
    yield big;
  };
  const abandon = new AbortController();
  const reason = new ScanError('cancelled', 'enough');
  const pair = memoryPair(bytes => void (bytes > 100_000 && abandon.abort(reason)));
  const { remote, served } = await linked(driverOf(scan), pair, { far: { bandBytes: 1000 } });
  const session = await remote.open('fake-1', call());
  const page = iteratorOf(session, { signal: abandon.signal }).next();
  t.equal(
    await page.then(
      () => 'a page',
      (error: unknown) => error,
    ),
    reason,
  );
  t.equal((await session.status(call())).online, true, 'the connection is unaffected');
  await remote.close();
  await served;
});

t.test('scan: two sessions, their pages take turns band by band, and status comes between', async t => {
  const devices = [{}, {}];
  const page = { width: 1500, height: 1000, pixels: 'rgb24' } as const;
  const fake = fakeDriver({ devices, page, sheets: 3 });
  const [near, far] = await socketPair();
  const { remote } = await linked(fake, [near, far], { far: { bandBytes: 64 * 1024 } });
  const sessions = [await remote.open('fake-1', call()), await remote.open('fake-2', call())];
  const came: string[] = [];
  const pages = sessions.map(async (session, i) => {
    for await (const { data } of session.scan(orderOf(), scanCall())) {
      came.push(`page of ${i}`);
      t.same(Buffer.compare(data, testPage(page).data), 0, 'as it was sent');
    }
  });
  const status = (async () => {
    for (let i = 0; i < 5; i++) await sessions[0]!.status(call());
    came.push('status');
  })();
  await Promise.all([...pages, status]);
  t.equal(came[0], 'status', 'five of them are answered before the first page is whole');
  t.equal(came.filter(each => each.startsWith('page')).length, 6);
  t.not(came.slice(1, 4).join(), 'page of 0,page of 0,page of 0', 'no session waits for the other one');
  await remote.close();
});

t.test('scan: a page larger than the stream holds arrives in a buffer of exactly its length', async t => {
  const sent = testPage({ width: 2480, height: 3508, pixels: 'gray8', dpi: 299.72 });
  const scan: Session['scan'] = async function* () {
    yield { ...sent, adjusted: ['deskew'] };
  };
  const { remote } = await linked(driverOf(scan), await socketPair('tcp'));
  const { value } = await iteratorOf(await remote.open('fake-1', call())).next();
  t.equal(value.data.length, sent.data.length);
  t.equal(value.data.buffer.byteLength, sent.data.length);
  t.equal(Buffer.compare(value.data, sent.data), 0);
  const { data: _data, ...facts } = value;
  const { data: _sent, ...wanted } = sent;
  t.same(facts, { ...wanted, adjusted: ['deskew'] });
  await remote.close();
});

const lies: readonly [string, Partial<Page> | { stride: number }, string, RegExp][] = [
  ['is larger than the order allows', { width: 20_000, height: 20_000 }, 'unsupported', /400000000|20000 x 20000/],
  ['has fewer bytes than rows', { height: 49 }, 'driver-failed', /not 49 rows/],
  ['has a stride that is less than a row', { stride: 3 }, 'driver-failed', /stride/],
  ['has no dpi', { dpi: Number.NaN }, 'driver-failed', /dpi/],
];
for (const [lie, facts, code, message] of lies) {
  t.test(`scan: a page of the far driver that ${lie} fails its scan, the connection stays`, async t => {
    let ended = false;
    const scan: Session['scan'] = async function* () {
      try {
        yield { ...testPage({ pixels: 'gray8' }), ...facts } as Page;
      } finally {
        ended = true;
      }
    };
    const { remote } = await linked(driverOf(scan));
    const session = await remote.open('fake-1', call());
    await t.rejects(iteratorOf(session).next(), { code, message });
    t.equal(ended, true, 'the far scan was left');
    t.equal((await session.status(call())).online, true);
    await remote.close();
  });
}

t.test('scan: a failure without a driver code is driver-failed with its message', async t => {
  const scan: Session['scan'] = () => {
    throw Object.assign(new Error('a wire came off'), { code: 'ENOENT' });
  };
  const { remote } = await linked(driverOf(scan));
  await t.rejects(iteratorOf(await remote.open('fake-1', call())).next(), {
    code: 'driver-failed',
    message: 'a wire came off',
  });
  await remote.close();
});

t.test('close: ends a scan whose driver has stopped responding', async t => {
  const scan: Session['scan'] = () => ({
    [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }),
  });
  const { remote } = await linked(driverOf(scan));
  const session = await remote.open('fake-1', call());
  const page = iteratorOf(session).next();
  page.catch(() => undefined);
  await session.close();
  await t.rejects(page, { code: 'cancelled' });
  await t.rejects(iteratorOf(session).next(), { code: 'driver-failed' });
  await t.rejects(session.status(call()), { code: 'driver-failed' });
  await remote.close();
});
