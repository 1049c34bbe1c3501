import t from 'tap';
import { limited, within } from './waiting.js';

const never = new Promise<never>(() => undefined);

/** Rejects with the signal's reason. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

t.test('within: a promise that takes longer, undefined; otherwise its value', async t => {
  t.equal(await within(1, never), undefined);
  t.equal(await within(10_000, Promise.resolve(1)), 1);
  await t.rejects(within(10_000, Promise.reject(new Error('gone'))), /gone/);
});

t.test('limited: a call that takes longer, aborted', async t => {
  await t.rejects(limited(1, undefined, untilAborted), { name: 'TimeoutError' });
  t.equal(await limited(10_000, undefined, async () => 1), 1);
});

t.test('limited: the caller aborts before or during the call, the call gets the reason', async t => {
  const reason = new Error('enough');
  await t.rejects(limited(10_000, AbortSignal.abort(reason), untilAborted), reason);
  const caller = new AbortController();
  const call = limited(10_000, caller.signal, untilAborted);
  caller.abort(reason);
  await t.rejects(call, reason);
});
