import t from 'tap';
import { answered, entriesAfter, type Entry } from './entries.js';
import type { Asked, Grant } from './state.js';

const at = (minute: number): string => `2026-03-01T00:0${minute}:00.000Z`;
const asked = (id: string, more: Partial<Asked> = {}): Asked => ({
  ...{ id, origin: `https://${id}.example`, may: ['scan'], at: at(1) },
  ...more,
});
const after = (before: readonly Entry[], all: readonly Asked[], grants: readonly Grant[] = [], first?: string) =>
  entriesAfter(before, { asked: all, grants }, first);
const states = (entries: readonly Entry[]): object =>
  Object.fromEntries(entries.map(entry => [entry.asked.id, entry.state]));

t.test('entries: new questions come last, except the one that the person was sent to', async t => {
  const one = after([], [asked('a')]);
  const two = after(one, [asked('b'), asked('a')]);
  t.same(
    two.map(entry => entry.asked.id),
    ['a', 'b'],
  );
  t.equal(two[0], one[0], 'it keeps what the person chose');
  t.same(
    after([], [asked('a'), asked('b')], [], 'b').map(entry => entry.asked.id),
    ['b', 'a'],
  );
});

t.test('entries: a question that asks for more begins anew', async t => {
  const one = after([], [asked('a')]);
  const two = after(one, [asked('a', { may: ['scan', 'settings'] })]);
  t.same([...(two[0]?.choices.may ?? [])], ['scan', 'settings']);
});

t.test('entries: one that is gone lapsed, or was answered elsewhere after it was asked', async t => {
  const before = after([], [asked('a'), asked('b'), asked('c')]);
  const grant = (id: string, time: number): Grant => ({
    ...{ origin: `https://${id}.example`, may: [], scanners: '*', by: 'command' },
    at: at(time),
  });
  t.same(states(after(before, [], [grant('a', 2), grant('b', 0)])), { a: 'elsewhere', b: 'lapsed', c: 'lapsed' });
});

t.test('entries: one that was answered here stays so, also if an older answer of the service still has it', async t => {
  const entries = answered(after([], [asked('a'), asked('b')]), 'a', 'allowed');
  t.same(states(after(entries, [asked('a'), asked('b')])), { a: 'allowed', b: 'open' });
  t.same(states(after(entries, [])), { a: 'allowed', b: 'lapsed' });
});

t.test('entries: of those that ended, the last ones', async t => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const before = after(
    [],
    ids.map(id => asked(id)),
  );
  t.same(Object.keys(states(after(before, [asked('b')]))), ['b', 'c', 'd', 'e', 'f', 'g']);
});
