/** Keys of requests. */
import t from 'tap';
import { countingClock } from '../time/countingClock.test.kit.js';
import { createRequestKeys, KEY_MS } from './requestKeys.js';

t.test('keys: one is added twice, as by a copied folder, the last counts and no timer is left', async t => {
  const clock = countingClock();
  const keys = createRequestKeys<string>(clock);
  const request = { origin: '', key: 'a' };
  keys.add(request, Promise.resolve('first'), KEY_MS);
  keys.add(request, Promise.resolve('second'), KEY_MS);
  t.equal(await keys.find(request), 'second');
  keys.close();
  t.equal(clock.timers, 0);
});

t.test('keys: a thousand of them have one timer, and each is free when its own time is over', async t => {
  const clock = countingClock();
  const keys = createRequestKeys<number>(clock);
  const find = (key: number) => keys.find({ origin: '', key: String(key) });
  for (let key = 0; key < 1000; key++) {
    keys.add({ origin: '', key: String(key) }, Promise.resolve(key), KEY_MS - key);
    t.equal(clock.timers, 1);
  }
  await clock.advance(KEY_MS - 500);
  t.equal(find(999), undefined);
  t.equal(find(500), undefined);
  t.equal(await find(499), 499);
  t.equal(clock.timers, 1);
  await clock.advance(500);
  t.equal(find(0), undefined);
  t.equal(clock.timers, 0);
});
