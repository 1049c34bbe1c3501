/** Faults of a sheet, a source or a helper: a scan fails with a code after its complete pages, and the next one works. */
import { setTimeout as pause } from 'node:timers/promises';
import { ScanError } from '@platen/core/plugin';
import t from 'tap';
import { fakeProcesses } from './fake/process.test.kit.js';
import { body, fakeHelpers, never, open, orderOf, scanned, type Body } from './rig.test.kit.js';

type Options = Parameters<typeof body>[1];

/** Scans two sheets, the second with the fault, and then scans again. */
async function second(fault: string, quirks: Readonly<Record<string, string | number>> = {}, options: Options = {}) {
  const it = await body(quirks, options);
  const session = await open(it);
  await it.load(3);
  it.set({ fault, faultAfter: 1 });
  const failed = await scanned(session);
  await it.clearFaults();
  it.set({ sheets: 1 });
  const next = await scanned(session);
  await session.close();
  const log = await it.log();
  await it.dispose();
  return { failed, next, log };
}

const codes: Readonly<Record<string, string>> = {
  jam: 'paper-jam',
  doublefeed: 'double-feed',
  coveropen: 'cover-open',
  offline: 'device-offline',
  bummer: 'driver-failed',
  lowmemory: 'driver-failed',
  operationerror: 'driver-failed',
  crash: 'driver-failed',
  hang: 'timeout',
  neverready: 'timeout',
};

/** Only these wait for a deadline: the others have none that a busy machine could miss. */
const silent = ['hang', 'neverready'];

for (const mechs of ['native', 'memory']) {
  t.test(`faults, ${mechs}: each has its code, and the next scan works`, async t => {
    for (const [fault, code] of Object.entries(codes)) {
      const { failed, next, log } = await second(
        fault,
        { mechs },
        silent.includes(fault) ? { deadlines: { page: 1500 } } : {},
      );
      t.match(failed, { pages: { length: 1 }, code }, fault);
      t.match(failed.message, /"Fake Scanner"|the helper/, fault);
      t.match(next, { pages: { length: 1 }, code: undefined }, `after ${fault} the next scan works`);
      if (fault !== 'crash' && fault !== 'hang')
        t.equal(
          log.filter(line => line === 'open').length,
          log.filter(line => line === 'close').length,
          `after ${fault} nothing stays open`,
        );
    }
  });
}

t.test('real processes: a crash or a hang, ends the helper and the next scan starts another', async t => {
  for (const [fault, code] of [
    ['crash', 'driver-failed'],
    ['hang', 'timeout'],
  ] as const) {
    const { failed, next } = await second(
      fault,
      {},
      { helpers: fakeHelpers, ...(silent.includes(fault) && { deadlines: { page: 2000 } }) },
    );
    t.match(failed, { pages: { length: 1 }, code }, fault);
    t.match(next, { pages: { length: 1 }, code: undefined }, `after ${fault}`);
  }
});

t.test('close request: after a page, ends the scan; before the first page, a failure', async t => {
  const { failed, next } = await second('closerequest');
  t.match(failed, { pages: { length: 1 }, code: undefined });
  t.match(next, { pages: { length: 1 } });
  const it = await body({ sheets: 2, fault: 'closerequest' });
  t.teardown(it.dispose);
  const session = await open(it);
  t.match(await scanned(session), {
    pages: [],
    code: 'driver-failed',
    message: /ended the scan before its first page/,
  });
  t.match(await scanned(session), { pages: { length: 1 } });
  it.set({ sheets: 1, fault: 'closerequest', paperdetectable: 0 });
  t.match(await scanned(session), { pages: [], code: 'no-paper' }, 'a feeder without a sensor');
});

t.test('device event: a jam, a double feed or a disconnection, the scan fails with its code', async t => {
  const it = await body({ sheets: 2, adjusts: 1, event: 13 });
  t.teardown(it.dispose);
  const session = await open(it);
  t.match(await scanned(session), { pages: [], code: 'paper-jam' });
  it.set({ event: 12, sheets: 1 });
  t.match(await scanned(session), { pages: [], code: 'double-feed' });
  it.set({ event: 7, sheets: 1 });
  t.match(await scanned(session), { pages: [], code: 'device-offline' });
  it.set({ event: undefined, sheets: 1 });
  t.match(await scanned(session), { pages: { length: 1 } });
});

t.test('device event: left from an earlier scan, ignored', async t => {
  const it = await body({ sheets: 1, adjusts: 1 });
  t.teardown(it.dispose);
  const session = await open(it);
  it.set({ stale: 13, event: 7 });
  t.match(await scanned(session), { pages: [], code: 'device-offline' }, 'not the jam');
});

t.test('end of a transfer: fails, the page before it is delivered', async t => {
  for (const duplexMode of ['Simplex', 'DuplexLongEdge'] as const) {
    const it = await body({ sheets: 3, endcc: 20 });
    t.teardown(it.dispose);
    const session = await open(it);
    t.match(await scanned(session, { duplexMode }), { pages: { length: 1 }, code: 'paper-jam' });
    it.set({ sheets: 2, endcc: 29 });
    t.match(await scanned(session), { pages: { length: 1 }, code: undefined }, 'no paper ends the scan');
    t.match(await scanned(session), { pages: { length: 1 }, code: undefined }, 'the next scan works');
    t.equal((await it.log()).filter(line => line === 'open').length, 1);
  }
});

t.test('failed transfer: the source counts it as begun, the source stays open', async t => {
  const it = await body({ sheets: 2, began: 1, fault: 'jam' });
  t.teardown(it.dispose);
  const session = await open(it);
  t.match(await scanned(session), { pages: [], code: 'paper-jam' });
  t.match(await scanned(session), { pages: { length: 1 }, code: undefined });
  t.equal((await it.log()).filter(line => line === 'open').length, 1);
});

t.test('enable: the source scans during the call, the deadline of a page applies', async t => {
  const asked: number[] = [];
  const it = await body(
    { sheets: 1 },
    {
      deadlines: { enable: 1000, page: 90_000 },
      helpers: file => bits => {
        const helper = fakeProcesses(file)(bits);
        const call: typeof helper.call = (verb, args, how) => (
          verb === 'enable' && asked.push(how.deadlineMs),
          helper.call(verb, args, how)
        );
        return Object.assign(Object.create(helper) as typeof helper, { call });
      },
    },
  );
  t.teardown(it.dispose);
  t.match(await scanned(await open(it)), { pages: { length: 1 } });
  t.strictSame(asked, [90_000]);
});

t.test('disable: refused, the helper is ended and the next scan works', async t => {
  const it = await body({ sheets: 1, undisabled: 1 });
  t.teardown(it.dispose);
  const session = await open(it);
  t.match(await scanned(session), {
    pages: { length: 1 },
    code: 'driver-failed',
    message: /did not end its last page/,
  });
  it.set({ undisabled: undefined, sheets: 1 });
  t.match(await scanned(session), { pages: { length: 1 } });
  t.equal((await it.log()).filter(line => line === 'open').length, 2);
});

t.test('close: refused, the helper is ended and the next scan works', async t => {
  for (const helpers of [fakeProcesses, fakeHelpers]) {
    const it = await body({ sheets: 2, fault: 'bummer', faultAfter: 1 }, { helpers });
    t.teardown(it.dispose);
    const session = await open(it);
    it.set({ unclosed: 1 });
    t.match(
      await scanned(session),
      { pages: { length: 1 }, code: 'driver-failed' },
      'the source refuses to be closed after this',
    );
    await it.clearFaults();
    for (let i = 0; i < 2; i++) {
      it.set({ sheets: 1 });
      t.match(await scanned(session), { pages: { length: 1 }, code: undefined });
    }
  }
});

t.test('status: a source that cannot be opened, not tried again at each call', async t => {
  let started = 0;
  const it = await body({ sheets: 1 }, { helpers: file => (bits, log) => (started++, fakeHelpers(file)(bits, log)) });
  t.teardown(it.dispose);
  const session = await open(it);
  it.set({ fault: 'crash' });
  t.match(await scanned(session), { code: 'driver-failed' });
  it.set({ fault: 'openfail', sheets: 1 });
  const before = (await it.log()).length;
  for (let i = 0; i < 4; i++)
    t.strictSame(await session.status({ signal: never() }), { online: false, paper: 'unknown' });
  it.set({ fault: undefined });
  t.strictSame(await session.status({ signal: never() }), { online: false, paper: 'unknown' }, 'not tried again');
  t.equal((await it.log()).length, before, 'no attempt to open');
  t.match(await scanned(session), { pages: { length: 1 } }, 'a scan opens it');
  t.match(await session.status({ signal: never() }), { online: true });
  t.equal(started, 1, 'one helper, which is replaced when it ends');
});

t.test('strips: endless without a row, timeout after the deadline of a page', async t => {
  const it = await body({ sheets: 1, mechs: 'memory', barren: 1 }, { deadlines: { page: 1500 } });
  t.teardown(it.dispose);
  const session = await open(it);
  t.match(await scanned(session), { pages: [], code: 'timeout' });
  it.set({ barren: undefined, sheets: 1 });
  t.match(await scanned(session), { pages: { length: 1 }, code: undefined });
});

t.test('bitmap: truncated, not delivered', async t => {
  const it = await body({ sheets: 1, short: 1 });
  t.teardown(it.dispose);
  const session = await open(it);
  t.match(await scanned(session), { pages: [], code: 'driver-failed', message: /ends before its last row/ });
  it.set({ short: undefined, sheets: 1 });
  t.match(await scanned(session), { pages: { length: 1 } });
});

/** An abandoned scan that hangs in some state, and the log of its end. */
async function abandoned(it: Body, during: (seen: readonly string[]) => boolean) {
  const session = await open(it);
  const signal = new AbortController();
  const reason = new ScanError('cancelled', 'enough');
  const pull = session
    .scan(orderOf(), { signal: signal.signal, stop: never() })
    [Symbol.asyncIterator]()
    .next()
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  while (!during(await it.log())) await pause(2);
  signal.abort(reason);
  const thrown = (await pull) === reason;
  const end = (await it.log()).slice(-2);
  await it.clearFaults();
  it.set({ sheets: 1, endless: undefined });
  return { thrown, end, next: await scanned(session) };
}

t.test('abandoned scan: while waiting for a page, the source is disabled and its helper is not killed', async t => {
  const it = await body({ sheets: 2, fault: 'neverready' }, { deadlines: { abandon: 30_000, settle: 50 } });
  t.teardown(it.dispose);
  const { thrown, end, next } = await abandoned(it, log => log.includes('enable'));
  t.ok(thrown);
  t.strictSame(end, ['enable', 'disable']);
  t.match(next, { pages: { length: 1 } });
  t.equal((await it.log()).filter(line => line === 'open').length, 1);
});

t.test('abandoned scan: the driver hangs, its helper is killed', async t => {
  const it = await body({ sheets: 2, fault: 'hang' }, { deadlines: { abandon: 50 } });
  t.teardown(it.dispose);
  const { thrown, next } = await abandoned(it, log => log.includes('enable'));
  t.ok(thrown);
  t.match(next, { pages: { length: 1 } });
});

t.test('abandoned scan: in the middle of many strips, ends between two strips', async t => {
  const it = await body({ sheets: 2, mechs: 'memory', endless: 1 }, { deadlines: { abandon: 30_000 } });
  t.teardown(it.dispose);
  const { thrown, next } = await abandoned(it, log => log.includes('enable'));
  t.ok(thrown);
  t.match(next, { pages: { length: 1 } });
});
