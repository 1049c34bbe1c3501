/** Waiting ends with the promise, the signal or the deadline, whichever is first, and leaves no listener or timer. */
import { getEventListeners } from 'node:events';
import t from 'tap';
import { countingClock } from './countingClock.test.kit.js';
import { createNotifier } from './notifier.js';
import { deferred, delay, eitherSignal, forever, settledWithin, unlessAborted } from './wait.js';

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

for (const which of ['first', 'lasting'] as const)
  t.test(`eitherSignal: the ${which} one is aborted, with its reason`, async t => {
    const both = { first: new AbortController(), lasting: new AbortController() };
    const { signal } = eitherSignal(both.first.signal, both.lasting.signal);
    t.notOk(signal.aborted);
    both[which].abort('over');
    t.equal(signal.reason, 'over');
    t.equal(getEventListeners(both.lasting.signal, 'abort').length, 0);
    t.equal(eitherSignal(both.first.signal, both.lasting.signal).signal.reason, 'over', 'aborted before');
  });

t.test('eitherSignal: nothing of a thousand released ones is left in the lasting signal', async t => {
  const [{ signal: first }, lasting] = [new AbortController(), new AbortController()];
  const all = Array.from({ length: 1000 }, () => eitherSignal(first, lasting.signal));
  for (const { release } of all) release();
  t.equal(getEventListeners(lasting.signal, 'abort').length, 0);
  // What Node itself keeps of signals that depend on it.
  for (const key of Object.getOwnPropertySymbols(lasting.signal)) {
    const kept = (lasting.signal as unknown as Record<symbol, unknown>)[key];
    if (kept instanceof Set) t.equal(kept.size, 0, String(key));
  }
  lasting.abort();
  t.notOk(all[0]?.signal.aborted);
});
