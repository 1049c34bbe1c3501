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
