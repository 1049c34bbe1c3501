import t from 'tap';
import { chainFrom, chooseCurrent, nextBegin, type Period } from './choose.js';

const DAY = 24 * 60 * 60 * 1000;
const at = (day: number): Date => new Date(Date.UTC(2026, 0, 1) + day * DAY);

interface Named extends Period {
  readonly name: string;
}
const from = (name: string, day: number, length = 824): Named => ({ name, begins: at(day), expires: at(day + length) });

const [A, B, C] = [from('A', 0), from('B', 764), from('C', 1528)];
const all = [C, A, B];
const chosen = (day: number, given: readonly Named[] = all, trusted = 'ABC'): string | undefined =>
  chooseCurrent(given, at(day), ({ name }) => trusted.includes(name))?.name;

t.test('chooseCurrent: the successor is served 30 days before the end, and not before', async t => {
  t.equal(chosen(0), 'A');
  t.equal(chosen(793), 'A', 'while the next is valid too');
  t.equal(chosen(794), 'B');
  t.equal(chosen(1557), 'B');
  t.equal(chosen(1558), 'C');
  t.equal(chosen(2351), 'C', 'the last one, until its end');
  t.equal(chosen(2352), undefined);
});

t.test('chooseCurrent: a successor that is not valid yet is not served', async t => {
  const late = from('B', 810);
  t.equal(chosen(800, [A, late]), 'A');
  t.equal(chosen(810, [A, late]), 'B');
  t.equal(chosen(800, [late]), undefined);
});

t.test('chooseCurrent: an untrusted successor waits for the end of the one before', async t => {
  t.equal(chosen(823, all, 'A'), 'A');
  t.equal(chosen(824, all, 'A'), 'B', 'a certificate that is valid beats none');
  t.equal(chosen(1558, all, 'AC'), 'C');
  t.equal(chosen(790, [A, from('X', 700), B], 'AB'), 'A');
  t.equal(chosen(800, [A, from('X', 700), B], 'AB'), 'B', 'the trusted one of two');
});

t.test('chooseCurrent: a clock that jumps and comes back, the same as before', async t => {
  const days = [100, 5000, 100, 1600, 100, -5, 100];
  t.same(
    days.map(day => chosen(day)),
    ['A', undefined, 'A', 'C', 'A', undefined, 'A'],
  );
});

t.test('chainFrom: those that follow without a gap', async t => {
  const names = (chain: readonly Named[]): string => chain.map(({ name }) => name).join('');
  t.equal(names(chainFrom(A, all)), 'ABC');
  t.equal(names(chainFrom(B, all)), 'BC', 'not what was replaced');
  t.equal(names(chainFrom(A, [A, C])), 'A', 'there is a gap');
  t.equal(names(chainFrom(A, all, ({ name }) => name !== 'B')), 'A', 'an untrusted one is a gap');
  t.equal(names(chainFrom(A, [A, from('F', 9000), B])), 'AB');
});

t.test('nextBegin: 60 days before the end, or now', async t => {
  t.same(nextBegin(A, at(10)), at(764));
  t.same(nextBegin(A, at(800)), at(800));
});
