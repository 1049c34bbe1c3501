/** pageChannel: reads no page ahead, loses none, and does not block when its reader stops. */
import t from 'tap';
import { createPageChannel } from './pageChannel.js';

const tick = () => new Promise(resolve => setImmediate(resolve));

t.test('pageChannel: give waits for the pull after the one that took the item', async t => {
  const channel = createPageChannel<string>();
  const seen: string[] = [];
  void channel.give('a').then(() => seen.push('a is done with'));
  t.equal(await channel.pull(), 'a');
  await tick();
  t.same(seen, []);
  const next = channel.pull();
  await tick();
  t.same(seen, ['a is done with']);
  void channel.give('b');
  t.equal(await next, 'b');
});

t.test('pageChannel: a pull waits; the end comes after all given items', async t => {
  const channel = createPageChannel<string>();
  const pulled = channel.pull();
  void channel.give('a');
  channel.end();
  t.equal(await pulled, 'a');
  t.equal(await channel.pull(), undefined);
});

t.test('pageChannel: a failure comes after all given items', async t => {
  const channel = createPageChannel<string>();
  void channel.give('a');
  channel.fail(new Error('torn'));
  t.equal(await channel.pull(), 'a');
  await t.rejects(channel.pull(), { message: 'torn' });
});

t.test('pageChannel: after drop, give resolves at once', async t => {
  const channel = createPageChannel<string>();
  const given = channel.give('a');
  channel.drop();
  await given;
  await channel.give('b');
  t.pass();
});
