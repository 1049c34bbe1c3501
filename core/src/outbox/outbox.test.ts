/** Which reader gets which pages, and when pages count as delivered. */
import { setImmediate as breathe } from 'node:timers/promises';
import t from 'tap';
import { box, by, next, settles, take } from './outbox.test.kit.js';

t.test('put: items before and after the first reader, in order, with ids that name the session', async t => {
  const { outbox, put } = box();
  put('a', 'b');
  const reader = outbox.read();
  t.same(await take(reader, 2), ['7-1 a', '7-2 b']);
  const waiting = next(reader);
  t.notOk(await settles(waiting));
  put('c');
  t.equal(await waiting, '7-3 c');
});

t.test('startAfter: twice, ids of the earlier numbers stay known, and no reader has a gap', async t => {
  const { outbox, put, series } = box();
  series.startAfter(2);
  const early = outbox.read();
  series.startAfter(5);
  put('a', 'b');
  t.same(await take(early, 2), ['7-6 a', '7-7 b']);
  void next(early);
  await breathe();
  for (const id of ['7-0', '7-2', '7-5'])
    t.same(await take(outbox.read(id), 2), ['7-6 a', '7-7 b'], `after ${id}: all, also what another reader took`);
});

t.test('readers: several, each gets every item at its own pace', async t => {
  const { outbox, put } = box();
  const [quick, slow] = [outbox.read(), outbox.read()];
  put('a', 'b', 'c');
  t.same(await take(quick, 3), ['7-1 a', '7-2 b', '7-3 c']);
  t.equal(await next(slow), '7-1 a');
  put('d');
  t.equal(await next(quick), '7-4 d');
  t.same(await take(slow, 3), ['7-2 b', '7-3 c', '7-4 d']);
});

t.test('readers: a new one, does not get items that another has taken', async t => {
  const { outbox, put } = box();
  put('a', 'b');
  const first = outbox.read();
  t.same(await take(first, 2), ['7-1 a', '7-2 b']);
  const second = outbox.read();
  t.equal(await next(second), '7-2 b', 'given, but not confirmed');
  void next(first);
  await breathe();
  const third = outbox.read();
  put('c');
  t.equal(await next(third), '7-3 c');
});

t.test('readers: one leaves before it took an item, the item is undelivered', async t => {
  for (const leave of ['leave', 'return', 'leave and ask'] as const) {
    const { outbox, put, counts } = box(1);
    put('a');
    const reader = outbox.read();
    t.equal(await next(reader), '7-1 a');
    if (leave === 'return') await reader.events.return();
    else reader.leave();
    if (leave === 'leave and ask') t.equal(await next(reader), 'over');
    t.notOk(outbox.hasRoom, leave);
    t.same(counts, [1, 0], 'and it does not count as a reader');
    t.equal(await next(outbox.read()), '7-1 a', 'the next reader gets it');
  }
});

t.test('leave: before the first item, while waiting or twice, ends the events', async t => {
  const { outbox, counts } = box();
  outbox.read().leave();
  const reader = outbox.read();
  const waiting = next(reader);
  reader.leave();
  reader.leave();
  t.equal(await waiting, 'over');
  t.equal(outbox.readers, 0);
  t.same(counts, [1, 0, 1, 0]);
});

t.test('room: outbox full, none until a reader takes an item; nothing is dropped', async t => {
  const { outbox, put, discarded } = box(2);
  put('a');
  t.ok(outbox.hasRoom);
  t.ok(await settles(outbox.room()));
  put('b');
  t.notOk(outbox.hasRoom);
  const room = outbox.room();
  const reader = outbox.read();
  t.equal(await next(reader), '7-1 a');
  t.notOk(await settles(room), 'given is not taken');
  t.equal(await next(reader), '7-2 b');
  t.ok(await settles(room));
  put('c', 'd', 'e');
  t.notOk(outbox.hasRoom, 'a duplex sheet may overfill it');
  t.same(await take(reader, 3), ['7-3 c', '7-4 d', '7-5 e']);
  t.same(discarded, []);
});

t.test('room: one reader is slow, taken up by none of the items that another has taken', async t => {
  const { outbox, put } = box(2);
  const [quick, slow] = [outbox.read(), outbox.read()];
  put('a', 'b');
  t.equal(await next(slow), '7-1 a');
  t.same(await take(quick, 2), ['7-1 a', '7-2 b']);
  void next(quick);
  await breathe();
  t.ok(outbox.hasRoom);
});

t.test('room: a producer waits at the end, it is released', async t => {
  const { outbox, put } = box(1);
  put('a');
  const room = outbox.room();
  t.notOk(await settles(room));
  outbox.end(by);
  t.ok(await settles(room));
});

t.test('Last-Event-ID: known, the items after it are given again, up to the last eight', async t => {
  const { outbox, put, discarded } = box();
  const first = outbox.read();
  for (let n = 1; n <= 12; n++) {
    put(`p${n}`);
    await next(first);
  }
  void next(first);
  await breathe();
  t.same(discarded, ['p1', 'p2', 'p3', 'p4'], 'eight are kept');
  t.same(await take(outbox.read('7-10'), 2), ['7-11 p11', '7-12 p12']);
  t.equal(await next(outbox.read('7-4')), '7-5 p5', 'the first that is kept');
  const late = outbox.read('7-2');
  const gap = await late.events.next();
  t.match(
    gap.value,
    { kind: 'end', end: { event: 'error', message: /Pages 3 to 4 / }, id: '7-4' },
    'it is told that older ones are gone',
  );
  t.equal(await next(late), 'over');
  t.equal(await next(outbox.read('7-4')), '7-5 p5', 'and goes on after them');
  const upToDate = outbox.read('7-12');
  put('p13');
  t.equal(await next(upToDate), '7-13 p13');
});

t.test('Last-Event-ID: known, the items up to it are delivered and block nothing', async t => {
  const { outbox, put } = box(1);
  put('a', 'b');
  const reader = outbox.read();
  t.same(await take(reader, 2), ['7-1 a', '7-2 b']);
  reader.leave();
  t.notOk(outbox.hasRoom, 'the second was on its way when the connection broke');
  const back = outbox.read('7-2');
  t.ok(outbox.hasRoom);
  put('c');
  t.equal(await next(back), '7-3 c');
});

t.test('Last-Event-ID: of another session, a future item or malformed, ignored', async t => {
  for (const id of [
    '6-1',
    '77-1',
    '7-4',
    '7-999999999',
    '7-',
    '7',
    '-1',
    '7-1-1',
    '7-x',
    '7--1',
    '7-1.5',
    '',
    '\u0000',
    '7-99999999999999999999',
  ]) {
    const { outbox, put } = box();
    put('a', 'b', 'c');
    t.equal(await next(outbox.read(id)), '7-1 a', JSON.stringify(id));
  }
});

t.test('Last-Event-ID: delivered items, kept within a byte limit, but at least eight', async t => {
  const { outbox, put, discarded, delivered } = box(100, { resendBytes: 100 });
  const first = outbox.read();
  for (let n = 1; n <= 20; n++) put(`p${n}`);
  await take(first, 20);
  void next(first);
  await breathe();
  t.equal(delivered.length, 20);
  t.same(
    discarded,
    Array.from({ length: 10 }, (_each, at) => `p${at + 1}`),
    'ten of ten bytes are kept',
  );
  t.equal(await next(outbox.read('7-10')), '7-11 p11');
});

t.test('Last-Event-ID: of an item that no reader was given, ignored; the item stays undelivered', async t => {
  const { outbox, put, delivered } = box();
  put('a', 'b', 'c');
  const liar = outbox.read('7-2');
  t.equal(await next(liar), '7-1 a', 'as without one');
  liar.leave();
  t.same(delivered, []);
  t.equal(await next(outbox.read('7-1')), '7-2 b', 'what was given may have arrived');
});
