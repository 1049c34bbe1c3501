/** Pages go from hand to hand: none is read ahead, none is lost, and who lets go frees the reader. */
import t from 'tap';
import { createHandoff } from './handoff.js';

const tick = () => new Promise(resolve => setImmediate(resolve));

t.test('the giver waits for the pull after the one that took the item', async t => {
  const handoff = createHandoff<string>();
  const seen: string[] = [];
  void handoff.give('a').then(() => seen.push('a is done with'));
  t.equal(await handoff.pull(), 'a');
  await tick();
  t.same(seen, []);
  const next = handoff.pull();
  await tick();
  t.same(seen, ['a is done with']);
  void handoff.give('b');
  t.equal(await next, 'b');
});

t.test('a pull waits; the end comes after all that was given', async t => {
  const handoff = createHandoff<string>();
  const pulled = handoff.pull();
  void handoff.give('a');
  handoff.end();
  t.equal(await pulled, 'a');
  t.equal(await handoff.pull(), undefined);
});

t.test('a failure comes after what was given, too', async t => {
  const handoff = createHandoff<string>();
  void handoff.give('a');
  handoff.fail(new Error('torn'));
  t.equal(await handoff.pull(), 'a');
  await t.rejects(handoff.pull(), { message: 'torn' });
});

t.test('who lets go holds nobody up', async t => {
  const handoff = createHandoff<string>();
  const given = handoff.give('a');
  handoff.drop();
  await given;
  await handoff.give('b');
  t.pass();
});
