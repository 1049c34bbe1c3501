/** A driver call ends in time, whatever the driver does, and leaves no timer or listener. */
import t from 'tap';
import type { Call } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import { callWithin } from './deadline.js';
import { countingClock } from './countingClock.test.kit.js';

function counted() {
  const clock = countingClock();
  return { clock, left: () => clock.timers };
}

t.test('deadline: answer or failure in time, passed on with the driver’s code', async t => {
  const { clock, left } = counted();
  t.equal(await callWithin(clock, 10, 'x', async () => 7), 7);
  t.equal(await callWithin(clock, 10, 'x', (() => 7) as unknown as () => Promise<number>), 7);
  await t.rejects(
    callWithin(clock, 10, 'x', () => Promise.reject(new Error('odd'))),
    { code: 'driver-failed', message: 'odd' },
  );
  await t.rejects(
    callWithin(clock, 10, 'x', () => {
      throw new Error('at once');
    }),
    { code: 'driver-failed', message: 'at once' },
  );
  const coded = Object.assign(new Error('a copy of core'), { code: 'device-offline' });
  await t.rejects(
    callWithin(clock, 10, 'x', () => Promise.reject(coded)),
    { name: 'ScanError', code: 'device-offline', cause: coded },
  );
  t.equal(left(), 0);
});

t.test('deadline: passes, the call is abandoned with a timeout that names what was awaited', async t => {
  const { clock } = counted();
  let call: Call | undefined;
  const waiting = callWithin(clock, 1500, 'opening Desk', own => ((call = own), new Promise(() => {})));
  const refused = t.rejects(waiting, {
    code: 'timeout',
    message: 'The scanner did not answer: opening Desk took longer than 1.5 s.',
  });
  await clock.advance(1499);
  t.equal(call?.signal.aborted, false);
  await clock.advance(1);
  await refused;
  t.match(call?.signal.reason, { code: 'timeout' });
});

t.test('deadline: the caller aborts, throws its reason without waiting', async t => {
  const { clock, left } = counted();
  const parent = new AbortController();
  let call: Call | undefined;
  let failLate = (_: Error): void => undefined;
  const waiting = callWithin(
    clock,
    10,
    'x',
    own => ((call = own), new Promise((_, reject) => (failLate = reject))),
    parent.signal,
  );
  const reason = new ScanError('cancelled', 'no more');
  await clock.advance(0);
  parent.abort(reason);
  await t.rejects(waiting, reason);
  t.equal(call?.signal.reason, reason);
  t.equal(left(), 0);
  let called = false;
  await t.rejects(
    callWithin(clock, 10, 'x', async () => void (called = true), parent.signal),
    reason,
  );
  t.notOk(called, 'not even begun');
  failLate(new Error('late'));
  await clock.advance(100);
});
