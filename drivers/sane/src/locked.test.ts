/** A backend that loses a lock of the C library in sane_start: the call ends in time, the flatbed is tried again, and the helper ends. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { startNative } from './native.test.kit.js';
import { helpers, lacking, never, scanned, simulated } from './rig.test.kit.js';

const skip = lacking();

async function locked(t: Test, is: string, word: string) {
  const body = await simulated(is, { deadlines: { start: 3000 } });
  t.teardown(body.dispose);
  const session = await body.driver.open(body.deviceId, { signal: never() });
  await body.load(2);
  await body.fault(1, word);
  return { ...body, session };
}

t.test('start: hangs in the C library on the flatbed, tried once more in another helper', { skip }, async t => {
  const { session, said } = await locked(t, 'flatbed', 'LOCKED_ONCE');
  const before = helpers();
  t.match(await scanned(session, { source: 'flatbed' }), { pages: { length: 1 }, code: undefined });
  t.equal(helpers().length, 1);
  t.notSame(helpers(), before);
  t.equal(said.filter(line => /"platen:0" did not begin .* trying once more/.test(line)).length, 1);
});

t.test('start: hangs twice, timeout; the next scan works', { skip }, async t => {
  const { session, clearFaults, said } = await locked(t, 'flatbed', 'LOCKED');
  t.match(await scanned(session, { source: 'flatbed' }), { pages: [], code: 'timeout', message: /twice/ });
  t.equal(said.filter(line => /trying once more/.test(line)).length, 1);
  while (helpers().length > 0) await pause(10); // the helper that hung is killed
  await clearFaults();
  t.match(await scanned(session, { source: 'flatbed' }), { pages: { length: 1 }, code: undefined });
});

t.test('start: hangs on a feeder, not tried again, because a sheet may have been drawn in', { skip }, async t => {
  const { session, remaining } = await locked(t, 'feeder sensors', 'LOCKED_ONCE');
  t.match(await scanned(session, { source: 'feeder' }), { pages: [], code: 'timeout', message: /sheet/ });
  t.equal(await remaining(), 2);
  t.match(
    await scanned(session, { source: 'feeder' }),
    { pages: { length: 2 }, code: undefined },
    'the next scan works, on the same session',
  );
});

t.test('readers: cancelled by a backend, they hold no lock, and the scan works', { skip }, async t => {
  const body = await simulated('feeder sensors', { deadlines: { start: 60_000 } });
  t.teardown(body.dispose);
  const session = await body.driver.open(body.deviceId, { signal: never() });
  await body.load(2);
  await body.fault(1, 'CANCELS');
  t.match(await scanned(session, { source: 'feeder' }), { pages: { length: 2 }, code: undefined });
});

t.test('helper: no thread can start, it still ends with its stdin', { skip }, async t => {
  const body = await simulated('flatbed');
  t.teardown(body.dispose);
  await body.fault(1, 'LOCKED');
  const native = startNative(t, body.env);
  for (const [verb, args] of [
    ['init', {}],
    ['open', { device: body.deviceId }],
  ] as const)
    t.match((await native.call(verb, args)).header, { ok: true });
  native.begin('start');
  await untilStuck(native.child.pid ?? 0);
  t.strictSame(await native.end(), { code: null, signal: 'SIGKILL' });
});

/** Resolves when the main thread is blocked for good. */
async function untilStuck(pid: number): Promise<void> {
  const switches = (): string =>
    /^voluntary_ctxt_switches:.*$/m.exec(readFileSync(`/proc/${pid}/task/${pid}/status`, 'utf8'))?.[0] ?? '';
  for (let before = ''; before !== switches();) {
    before = switches();
    await pause(1000);
  }
}
