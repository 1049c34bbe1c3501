/** Questions: how they join, lapse and give way. */
import { fakeClock } from '@platen/conformance';
import t from 'tap';
import { createQuestions, hashOf, newSecret, siteOf } from './questions.js';

const A = 'https://a.example';
const wish = { may: ['scan'], scanners: '*' } as const;

t.test('question: one for an origin, which joins what its page wants', async t => {
  const questions = createQuestions(fakeClock());
  const first = questions.ask(A, { may: ['auto-scan'], scanners: ['A'] });
  t.match(first, { isNew: true, question: { may: ['scan', 'auto-scan'], scanners: ['A'] } });
  const second = questions.ask(A, { may: ['settings'], scanners: ['B', 'A'] });
  t.match(second, { isNew: false, question: { id: first.question?.id, may: ['scan', 'auto-scan', 'settings'] } });
  t.same(second.question?.scanners, ['A', 'B']);
  t.equal(questions.ask(A, wish).question?.scanners, '*');
  t.equal(questions.list().length, 1);
});

t.test('question: a page that names other scanners again and again, the list is bounded', async t => {
  const questions = createQuestions(fakeClock());
  for (let call = 0; call < 100; call++)
    questions.ask(A, { may: ['scan'], scanners: Array.from({ length: 100 }, (_, at) => `${call} ${at}`) });
  t.equal(questions.list()[0]?.scanners.length, 100);
});

t.test('question: lapses ten minutes after its page’s last call', async t => {
  const clock = fakeClock();
  const questions = createQuestions(clock);
  questions.ask(A, wish);
  await clock.advance(9 * 60_000);
  t.ok(questions.of(A));
  await clock.advance(10 * 60_000);
  t.ok(questions.of(A));
  await clock.advance(10 * 60_000 + 1);
  t.same(questions.list(), []);
  t.equal(questions.of(A), undefined);
});

t.test('question: a thousand origins at once do not push out a page that polls each second', async t => {
  const clock = fakeClock();
  const questions = createQuestions(clock);
  const id = questions.ask(A, wish).question?.id;
  for (let second = 0; second < 5; second++) {
    await clock.advance(1000);
    t.equal(questions.of(A)?.id, id, `second ${second}`);
    for (let other = 0; other < 1000; other++) questions.ask(`https://${second}-${other}.example`, wish);
    t.equal(questions.list().length, 20);
  }
  t.equal(questions.of(A)?.id, id);
});

t.test('question: while all wait, a new one gives way; when one is silent, it comes in', async t => {
  const clock = fakeClock();
  const questions = createQuestions(clock);
  const origins = Array.from({ length: 20 }, (_, at) => `https://${at}.example`);
  const poll = (from = 0) => origins.slice(from).forEach(each => questions.of(each));
  for (const each of origins) questions.ask(each, wish);
  await clock.advance(1000);
  poll();
  t.same(questions.ask(A, wish), { isNew: false }, 'and its page learns that nobody is asked');
  t.same(
    questions.list().map(({ origin }) => origin),
    origins,
  );
  await clock.advance(69_000);
  poll(1);
  await clock.advance(2000);
  questions.ask(A, wish);
  t.same(
    questions.list().map(({ origin }) => origin),
    [...origins.slice(1), A],
    'hidden pages call once a minute',
  );
});

t.test('question: twenty pages of one site that wait do not keep another site from asking', async t => {
  for (const one of [
    (at: number) => `https://${at}.site.example`,
    (at: number) => `https://x${at}.site.co.uk`,
    (at: number) => `http://localhost:${1000 + at}`,
  ]) {
    const clock = fakeClock();
    const questions = createQuestions(clock);
    const origins = Array.from({ length: 20 }, (_, at) => one(at));
    for (const each of origins) questions.ask(each, wish);
    for (let second = 0; second < 3; second++) {
      await clock.advance(1000);
      for (const each of origins) questions.of(each);
    }
    const id = questions.ask(A, wish).question?.id;
    t.ok(id);
    questions.ask(one(99), wish);
    await clock.advance(1000);
    for (const each of origins) {
      questions.of(each);
      questions.ask(each, wish);
    }
    t.equal(questions.of(A)?.id, id, 'and it stays');
    t.equal(questions.list().length, 20);
  }
});

t.test('site: the last labels of a host', async t => {
  for (const [origin, site] of [
    ['https://a.b.example.com:8443', 'example.com'],
    ['https://example.com', 'example.com'],
    ['https://a.example.co.uk', 'example.co.uk'],
    ['https://a.example.de', 'example.de'],
    ['http://10.0.0.7:80', '10.0.0.7'],
    ['http://[fe80::1]:80', '[fe80::1]'],
    ['https://app.localhost:3000', 'localhost'],
    ['http://127.0.0.2', 'localhost'],
    ['http://[::1]:3000', 'localhost'],
    ['chrome-extension://abcdef', 'abcdef'],
  ] as const)
    t.equal(siteOf(origin), site, origin);
});

t.test('question: with secrets, each page has its own; an answer takes the one with its id', async t => {
  const questions = createQuestions(fakeClock());
  const [mine, theirs] = [newSecret(), newSecret()];
  const id = questions.ask(A, wish, mine).question?.id;
  questions.ask(A, wish, theirs);
  t.equal(questions.of(A), undefined, 'without the secret, none');
  t.equal(questions.of(A, newSecret()), undefined);
  t.equal(questions.of('https://b.example', mine), undefined);
  t.equal(questions.of(A, mine)?.id, id);
  t.equal(questions.answered('https://b.example', id), undefined, 'of another origin');
  t.equal(questions.answered(A, id)?.pass, hashOf(mine));
  t.equal(questions.list().length, 1);
  questions.answered(A);
  t.same(questions.list(), []);
});
