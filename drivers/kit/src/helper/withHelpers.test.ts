/** withHelpers: helpers for the length of some work. */
import { ScanError } from '@platen/core/plugin';
import t from 'tap';
import type { Helper } from './helperTypes.js';
import { withHelpers } from './withHelpers.js';

function fake() {
  const said: string[] = [];
  const helper = { close: async () => void said.push('close') } as unknown as Helper;
  return { said, helper };
}

async function* numbers() {
  yield 1;
  yield 2;
}

async function all(items: AsyncIterable<number>): Promise<number[]> {
  const found: number[] = [];
  for await (const item of items) found.push(item);
  return found;
}

t.test('withHelpers: the work ends or fails, each helper is closed', async t => {
  const [a, b] = [fake(), fake()];
  const { signal } = new AbortController();
  t.same(await all(withHelpers([a.helper, b.helper], signal, numbers)), [1, 2]);
  t.same([a.said, b.said], [['close'], ['close']]);
  const fails = async function* (): AsyncGenerator<number> {
    yield 1;
    throw new Error('no');
  };
  await t.rejects(all(withHelpers([a.helper], signal, fails)), { message: 'no' });
  t.equal(a.said.length, 2);
});

t.test('withHelpers: an aborted signal, closes them at once and throws its reason', async t => {
  const { said, helper } = fake();
  const caller = new AbortController();
  const stuck = async function* (): AsyncGenerator<number> {
    yield 1;
    caller.abort(new ScanError('timeout', 'late'));
    t.same(said, ['close']);
    throw new Error('the helper is closed');
  };
  await t.rejects(all(withHelpers([helper], caller.signal, stuck)), { code: 'timeout' });
  await t.rejects(all(withHelpers([helper], caller.signal, () => t.fail('it began') as never)), { code: 'timeout' });
});
