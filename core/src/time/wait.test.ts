/** Waiting ends with the promise, the signal or the deadline, whichever is first, and leaves no listener or timer. */
import t from 'tap';
import { countingClock } from './countingClock.test.kit.js';
import { createNotifier } from './notifier.js';
import { deferred, delay, forever, settledWithin, unlessAborted } from './wait.js';

t.test('unlessAborted: the promise settles first, its outcome is passed on', async t => {
  const { signal } = new AbortController();
  t.equal(await unlessAborted(Promise.resolve(7), signal), 7);
  t.equal(await unlessAborted(Promise.resolve(7), undefined), 7);
  await t.rejects(unlessAborted(Promise.reject(new Error('odd')), signal), /odd/);
});

t.test('unlessAborted: an abort comes first, its reason is thrown and a late failure is ignored', async t => {
  const control = new AbortController();
  const { promise, reject } = deferred<void>();
  const waiting = unlessAborted(promise, control.signal);
  const reason = new Error('no more');
  control.abort(reason);
  await t.rejects(waiting, reason);
  await t.rejects(unlessAborted(promise, control.signal), reason);
  await t.rejects(forever(control.signal), reason);
  await t.rejects(delay(1, control.signal), reason);
  reject(new Error('late'));
  await new Promise(setImmediate);
});

t.test('settledWithin: says whether the promise settled in time, and never rejects', async t => {
  const clock = countingClock();
  t.equal(await settledWithin(Promise.resolve(), 10, clock), true);
  t.equal(await settledWithin(Promise.reject(new Error('odd')), 10, clock), true);
  t.equal(clock.timers, 0);
  const { promise, reject } = deferred<void>();
  const late = settledWithin(promise, 10, clock);
  await clock.advance(10);
  t.equal(await late, false);
  reject(new Error('late'));
  t.equal(await settledWithin(new Promise(() => {}), 1), false);
});

t.test('createNotifier: several waiters, each is woken once; a call without waiters has no effect', async t => {
  const change = createNotifier();
  change.notify();
  let woken = 0;
  for (const wait of [change.wait(), change.wait()]) void wait.then(() => woken++);
  await new Promise(setImmediate);
  t.equal(woken, 0);
  change.notify();
  await new Promise(setImmediate);
  t.equal(woken, 2);
});
