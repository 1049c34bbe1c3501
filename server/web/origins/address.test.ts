import t from 'tap';
import { targetIn } from './address.js';

t.test('address: a question, a token, or neither', async t => {
  t.same(targetIn(''), {});
  t.same(targetIn('#'), {});
  t.same(targetIn('#4f1c-9'), { id: '4f1c-9' });
  t.same(targetIn('#token=aB_-9'), { token: 'aB_-9' });
  t.same(targetIn('#token='), {});
  t.same(targetIn('#other=1'), {});
});
