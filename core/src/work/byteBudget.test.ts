/** Bytes are shared, who has least goes first, and one always goes on. */
import t from 'tap';
import { createByteBudget, type BudgetShare } from './byteBudget.js';

function users(
  limit: number,
  count: number,
): { budget: ReturnType<typeof createByteBudget>; shares: BudgetShare[]; woken: number[] } {
  const budget = createByteBudget(limit);
  const woken: number[] = [];
  const shares = Array.from({ length: count }, (_, i) => budget.open(() => void woken.push(i)));
  return { budget, shares, woken };
}

t.test('budget: full, the next waits, and is told when there is room', async t => {
  const {
    budget,
    shares: [a, b],
    woken,
  } = users(10, 2);
  t.ok(a?.reserve(6));
  t.notOk(b?.reserve(6));
  t.same(woken, []);
  a?.give(6);
  t.same(woken, [1]);
  t.ok(b?.reserve(6));
  t.equal(budget.used, 6);
});

t.test('budget: smaller than one item, one goes on', async t => {
  const {
    shares: [a, b],
  } = users(1, 2);
  t.ok(a?.reserve(100));
  t.notOk(b?.reserve(100));
  a?.give(100);
  t.ok(b?.reserve(100));
});

t.test('budget: who has least goes first, and who has as much in turn', async t => {
  const {
    shares: [stack, one, other],
  } = users(10, 3);
  t.ok(stack?.reserve(5));
  t.ok(stack?.reserve(5));
  t.notOk(one?.reserve(5));
  t.notOk(other?.reserve(5));
  stack?.give(5);
  t.notOk(stack?.reserve(5), 'it has more than those that wait');
  t.notOk(other?.reserve(5), 'it came later');
  t.ok(one?.reserve(5));
  stack?.give(5);
  t.ok(other?.reserve(5));
});

t.test('budget: who leaves keeps nobody waiting; what turned out larger counts', async t => {
  const {
    budget,
    shares: [a, b, c],
    woken,
  } = users(10, 3);
  t.ok(a?.reserve(8));
  a?.add(4);
  t.equal(budget.used, 12);
  t.notOk(b?.reserve(1));
  t.notOk(c?.reserve(1));
  b?.leave();
  t.same(woken, [2]);
  a?.give(12);
  t.ok(c?.reserve(1));
});
