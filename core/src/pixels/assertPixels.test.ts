/** Page sizes over the limit are rejected. */
import t from 'tap';
import { assertPixels } from './assertPixels.js';

t.test('assertPixels: a page at the limit, accepted; one row more, unsupported with its size', async t => {
  assertPixels(4, 5, 20);
  t.throws(() => assertPixels(4, 6, 20), { code: 'unsupported', message: /4 x 6 = 24 pixels, more than the 20 / });
});
