/** Items that no reader took: discarded, or kept for a later reader. */
import { setImmediate as breathe } from 'node:timers/promises';
import t from 'tap';
import { box, by, next, take } from './outbox.test.kit.js';

t.test('discard: undelivered items are dropped; current readers are told once, later ones too', async t => {
  const { outbox, put, discarded } = box();
  put('a', 'b', 'c');
  const busy = outbox.read();
  t.equal(await next(busy), '7-1 a');
  const idle = outbox.read('7-1');
  t.same(await take(idle, 2), ['7-2 b', '7-3 c']);
  const told = next(idle);
  await breathe();
  t.notOk(busy.discarded);
  t.equal(outbox.unread, 0, 'each is taken or being read');
  void outbox.discard(by);
  put('d');
  t.ok(busy.discarded);
  t.same(discarded, ['b', 'c', 'd'], 'a late item is freed');
  t.equal(await told, 'disabled: requested');
  t.same(await take(busy, 2), ['disabled: requested', 'over']);
  t.same(discarded, ['b', 'c', 'd', 'a'], 'the item being read goes when it is read');
  t.same(await take(outbox.read(), 2), ['disabled: requested', 'over']);
  t.equal(outbox.readers, 1, 'the reader that was told and has not continued');
  const other = box();
  other.put('a', 'b');
  t.equal(other.outbox.unread, 2);
  await other.outbox.discard(by);
});

t.test('end: waiting items, delivered before it to current and later readers', async t => {
  const { outbox, put, discarded } = box();
  put('a', 'b');
  const first = outbox.read();
  t.equal(await next(first), '7-1 a');
  t.ok(outbox.offers());
  outbox.end(by);
  outbox.end({ event: 'error', reason: 'device-lost', message: 'later' });
  t.equal(outbox.waiting, 2);
  t.same(await take(first, 2), ['7-2 b', 'disabled: requested']);
  t.notOk(outbox.offers(), 'all was taken');
  t.ok(outbox.offers('7-1'), 'and is given again to one that comes back');
  t.same(await take(outbox.read('7-1'), 3), ['7-2 b', 'disabled: requested', 'over']);
  t.same(discarded, []);
});

t.test('items of a previous run: delivered ones, given again to a returning reader only', async t => {
  const found = [3, 4, 5, 7].map(n => ({ n, value: `p${n}`, delivered: n < 5 }));
  const { outbox } = box(100, { found, lost: [6] });
  t.equal(outbox.waiting, 2);
  t.equal(await next(outbox.read('7-3')), '7-4 p4');
  t.equal(outbox.waiting, 2);
  const fresh = outbox.read();
  t.equal(await next(fresh), '7-5 p5');
  t.match((await fresh.events.next()).value, {
    kind: 'end',
    end: { event: 'error', reason: 'pages-lost', message: /Page 6 / },
    id: '7-6',
  });
});

t.test('reader: 64 items behind, delivered items are dropped and it gets the gap; until then they stay', async t => {
  const { outbox, put, discarded } = box();
  const [quick, slow] = [outbox.read(), outbox.read()];
  put('p1');
  t.equal(await next(slow), '7-1 p1');
  for (let n = 2; n <= 64; n++) put(`p${n}`);
  await take(quick, 64);
  t.same(discarded, [], 'kept for the slow one');
  put('p65', 'p66', 'p67');
  await take(quick, 3);
  t.same(discarded, ['p1', 'p2', 'p3']);
  t.match((await slow.events.next()).value, {
    kind: 'end',
    end: { event: 'error', reason: 'pages-lost', message: /Pages 2 to 3 / },
    id: '7-3',
  });
  t.equal(await next(slow), 'over');
  put('p68');
  t.equal(await next(quick), '7-68 p68', 'the others are not disturbed');
});

t.test('discard: an item is being read, kept until it is read; an unfinished read is reported', async t => {
  for (const takes of [true, false]) {
    const lost: string[] = [];
    const { outbox, put, discarded } = box(100, { onLost: value => void lost.push(value) });
    put('a', 'b');
    const reader = outbox.read();
    t.equal(await next(reader), '7-1 a');
    t.equal(outbox.unread, 1);
    const empty = outbox.discard(by);
    t.same(discarded, ['b']);
    if (takes) t.equal(await next(reader), 'disabled: requested');
    else reader.leave();
    await empty;
    t.same([discarded, lost], [['b', 'a'], takes ? [] : ['a']]);
  }
});
