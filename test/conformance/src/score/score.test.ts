/** The score of outcomes, by promise and weight. */
import t from 'tap';
import { promises } from './promises.js';
import type { CaseResult, Outcome } from './report.js';
import { promiseResults, scoreOf, suiteResults } from './score.js';

const weightOf = (id: string): number => promises.find(each => each.id === id)?.weight ?? 0;

const result = (promise: string, id: string, outcome: Outcome, suite = 'device'): CaseResult => ({
  ...{ suite, kind: 'driver', id, promise, title: id, outcome, seconds: 0.5 },
});
const score = (...cases: readonly CaseResult[]): number => scoreOf(promiseResults(cases));

t.test('score: all that applies passed, 100, whatever does not apply', async t => {
  t.equal(score(result('5', 'a', 'pass'), result('6', 'b', 'not-applicable'), result('1', 'c', 'pass')), 100);
});

t.test('score: nothing applies, 0', async t => {
  t.equal(score(), 0);
  t.equal(score(result('5', 'a', 'not-applicable')), 0);
});

t.test('score: promise of one case that failed, its weight is lost', async t => {
  const all = weightOf('5') + weightOf('7');
  t.equal(score(result('5', 'a', 'fail'), result('7', 'b', 'pass')), Math.floor((100 * weightOf('7')) / all));
  t.equal(score(result('5', 'a', 'pass'), result('7', 'b', 'fail')), Math.floor((100 * weightOf('5')) / all));
});

t.test('score: gaps and what was not tried, nothing earned', async t => {
  for (const outcome of ['gap', 'not-tried', 'fail'] as const)
    t.equal(score(result('5', 'a', 'pass'), result('5', 'b', outcome)), 50, outcome);
});

t.test('score: one of many cases fails, below 100', async t => {
  const many = Array.from({ length: 1000 }, (_, at) => result('5', `case-${at}`, 'pass'));
  t.equal(score(...many, result('speed', 'slow', 'fail'), result('1', 'x', 'pass')) < 100, true);
  t.equal(score(...many, result('5', 'one', 'fail')), 99);
});

t.test('score: a case of two suites counts once, and a failure in one of them counts', async t => {
  const merged = (one: Outcome, other: Outcome): number =>
    score(result('5', 'a', one, 'device'), result('5', 'a', other, 'simulator'), result('5', 'b', 'pass'));
  t.equal(merged('pass', 'fail'), 50);
  t.equal(merged('fail', 'pass'), 50);
  t.equal(merged('pass', 'gap'), 50);
  t.equal(merged('not-tried', 'pass'), 100);
  t.equal(merged('not-applicable', 'pass'), 100);
  t.equal(merged('not-applicable', 'not-tried'), 50);
});

t.test('score: the same id of two kinds of plugin, two cases', async t => {
  const one = { ...result('calls', 'abort-honoured', 'pass'), kind: 'format' } as const;
  const other = { ...result('calls', 'abort-honoured', 'fail', 'document'), kind: 'document' } as const;
  t.equal(score(one, other), 50);
});

t.test('suiteResults: counts and seconds by suite, in the order of the run', async t => {
  const [first, second] = suiteResults([
    result('5', 'a', 'pass'),
    result('5', 'b', 'gap'),
    result('5', 'a', 'fail', 'simulator'),
  ]);
  t.match(first, { name: 'device', seconds: 1, counts: { pass: 1, gap: 1, fail: 0 } });
  t.match(second, { name: 'simulator', seconds: 0.5, counts: { fail: 1 } });
});
