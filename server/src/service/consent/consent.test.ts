/** Consent by itself: floods, the clock, passes, and what an administrator decided. */
import t from 'tap';
import { testConsent } from './consent.test.kit.js';
import { hashOf } from './questions.js';

const A = 'https://a.example';
const page = (secret?: string, origin = A) => ({ origin, isOwn: false, secret });
const grant = { origin: A, scanners: '*', may: ['scan'] } as const;

t.test(
  'audit: a flood of refused calls and questions writes twenty lines a minute of each, one for an origin',
  async t => {
    const { consent, clock, lines } = testConsent();
    const flood = () => {
      for (let call = 0; call < 3000; call++) {
        const caller = page(undefined, `https://${call % 1000}.example`);
        consent.denied(caller, 'scan');
        consent.ask(caller, {});
      }
    };
    const count = (event: string) => lines.filter(each => each.event === event).length;
    consent.denied(page(), 'scan');
    consent.denied(page(), 'scan');
    t.equal(count('denied'), 1);
    flood();
    t.same([count('denied'), count('asked')], [20, 20]);
    await clock.advance(60_000);
    flood();
    t.same([count('denied'), count('asked')], [40, 40]);
    consent.answer(grant);
    consent.revoke(A);
    t.match(
      lines.slice(-2),
      [
        { event: 'allowed', origin: A },
        { event: 'revoked', origin: A },
      ],
      'answers always',
    );
  },
);

t.test('until: over at its time; the clock set back afterwards does not bring it back', async t => {
  const { consent, clock, lines, folder } = testConsent();
  consent.answer({ ...grant, until: clock.now() + 1000 });
  t.ok(consent.allows(page(), 'scan'));
  await clock.advance(1000);
  t.notOk(consent.allows(page(), 'scan'));
  t.equal(folder.read().size, 0);
  clock.set(clock.now() - 3_600_000);
  t.notOk(consent.allows(page(), 'scan'));
  t.same(
    lines.map(({ event }) => event),
    ['allowed', 'lapsed'],
  );
});

t.test('until: listed as over, and over although nobody called meanwhile', async t => {
  const { consent, clock } = testConsent();
  consent.answer({ ...grant, until: clock.now() + 1000 });
  await clock.advance(2000);
  t.same(consent.grants(), []);
  t.equal(consent.standing(page()).state, 'none');
});

t.test('hold: a grant that lapses or loses its scanner stops what it allowed', async t => {
  const { consent, clock } = testConsent();
  consent.answer({ ...grant, scanners: ['A', 'B'], until: clock.now() + 5000 });
  const stopped: string[] = [];
  for (const scanner of ['A', 'B'])
    consent.holds.hold({ caller: page(), right: 'scan', scanner, stop: () => void stopped.push(scanner) });
  consent.answer({ ...grant, scanners: ['B'], until: clock.now() + 5000 });
  t.same(stopped, ['A'], 'at once');
  await clock.advance(6000);
  t.same(stopped, ['A', 'B']);
});

t.test('token: a changed grant gives no pass to a page that only claims to be of the origin', async t => {
  const { consent } = testConsent({ origins: 'ask', localPrograms: 'token' }, { token: 'T' });
  const mine = consent.ask(page(), {});
  consent.answer({ ...grant, id: mine.question?.id });
  t.ok(consent.allows(page(mine.pass), 'scan'));
  const forged = consent.ask(page(), {});
  t.not(forged.pass, mine.pass);
  consent.answer({ ...grant, may: ['scan', 'auto-scan'] });
  t.ok(consent.allows(page(mine.pass), 'auto-scan'));
  t.notOk(consent.allows(page(forged.pass), 'scan'));
  t.notOk(consent.allows(page(), 'scan'));
  consent.answer({ ...grant, may: [] });
  consent.answer(grant);
  t.notOk(consent.allows(page(mine.pass), 'scan'), 'a no ends its passes');
});

t.test('token: a page that wants more keeps the pass that it has', async t => {
  const { consent, folder } = testConsent({ origins: 'ask', localPrograms: 'token' }, { token: 'T' });
  const first = consent.ask(page(), {});
  consent.answer({ ...grant, id: first.question?.id });
  const more = consent.ask(page(first.pass), { may: ['auto-scan'] });
  t.equal(more.pass, first.pass);
  t.equal(more.state, 'granted');
  t.equal(consent.ask(page(first.pass), { may: ['auto-scan'] }).question?.id, more.question?.id);
  consent.answer({ ...grant, may: ['scan', 'auto-scan'], id: more.question?.id });
  t.ok(consent.allows(page(first.pass), 'auto-scan'));
  t.same(folder.read().get(A)?.passes, [hashOf(first.pass ?? '')]);
});

t.test(
  'token: a page cannot choose its pass, and passes of several profiles are valid until one revocation',
  async t => {
    const { consent } = testConsent({ origins: 'ask', localPrograms: 'token' }, { token: 'T' });
    const asked = [1, 2, 3].map(() => consent.ask(page('chosen'), {}));
    t.equal(new Set(asked.map(({ pass }) => pass)).size, 3);
    for (const { question, pass } of asked) {
      t.not(pass, 'chosen');
      consent.answer({ ...grant, id: question?.id });
    }
    for (const { pass } of asked) t.ok(consent.allows(page(pass), 'scan'));
    t.notOk(consent.allows(page(asked[0]?.pass, 'https://b.example'), 'scan'), 'of another origin');
    consent.revoke(A);
    for (const { pass } of asked) t.notOk(consent.allows(page(pass), 'scan'));
  },
);

t.test('an administrator’s grant goes before the person’s, and is over at its time', async t => {
  const { consent, clock } = testConsent(undefined, {
    fixed: [
      { origin: A, scanners: ['A'], may: ['scan'], until: Date.UTC(2026, 0, 1, 1) },
      { origin: 'https://no.example', scanners: '*', may: [] },
    ],
  });
  consent.answer({ ...grant, may: ['scan', 'settings'] });
  consent.answer({ ...grant, origin: 'https://no.example' });
  t.ok(consent.allows(page(), 'scan', 'A'));
  t.notOk(consent.allows(page(), 'scan', 'B'));
  t.notOk(consent.allows(page(), 'settings'));
  t.equal(consent.ask(page(undefined, 'https://no.example'), {}).state, 'refused');
  t.equal(consent.ask(page(), { may: ['settings'] }).question, undefined, 'the person is not asked for more');
  await clock.advance(3_600_000);
  t.notOk(consent.allows(page(), 'scan', 'A'), 'nor by the person’s own grant');
});

t.test('list: origins as the configuration spells them', async t => {
  const { consent } = testConsent({
    origins: ['https://A.example:443', 'https://münchen.example', 'app://-'],
    localPrograms: 'any',
  });
  for (const origin of [A, 'https://xn--mnchen-3ya.example', 'app://-']) t.ok(consent.admits(origin), origin);
  for (const origin of ['http://a.example', 'https://a.example:444', 'https://a.example.', 'null', ''])
    t.notOk(consent.admits(origin), origin);
});

t.test('audit: what an allowed page repeats, a line a minute with the count, and the older lines stay', async t => {
  const { consent, clock, lines } = testConsent();
  consent.answer(grant);
  lines.length = 0;
  for (let call = 0; call < 500; call++) consent.used(page(), 'stream', 'Desk');
  consent.used(page(), 'stream', 'Hall');
  consent.used(page(), 'scan', 'Desk');
  t.same(
    lines.map(({ event, scanner }) => [event, scanner]),
    [
      ['stream', 'Desk'],
      ['stream', 'Hall'],
      ['scan', 'Desk'],
    ],
  );
  await clock.advance(60_000);
  t.match(lines[3], { event: 'stream', scanner: 'Desk', count: 499 });
  consent.used(page(), 'stream', 'Desk');
  t.equal(lines.length, 4);
  consent.close();
  t.match(lines[4], { event: 'stream', scanner: 'Desk' });
  await clock.advance(60_000);
  t.equal(lines.length, 5, 'no timer is left');
});

t.test('audit: many scanners and many origins, few lines, which say less, and no use is lost', async t => {
  const { consent, clock, lines } = testConsent();
  for (let n = 0; n < 1000; n++) consent.used(page(), 'scan', `Desk ${n}`);
  for (let n = 0; n < 1000; n++) consent.used(page(undefined, `https://${n}.example`), 'scan', 'Desk');
  t.ok(lines.length <= 110, `${lines.length} lines`);
  await clock.advance(60_000);
  t.ok(lines.length <= 220, `${lines.length} lines`);
  const count = (origin: string) =>
    lines.filter(line => line.origin === origin).reduce((sum, line) => sum + Number(line['count'] ?? 1), 0);
  t.equal(count(A), 1000, 'its uses of too many scanners are counted without their names');
  t.ok(
    lines.some(line => line.origin === A && line['scanner'] === undefined),
    'for the origin',
  );
  t.equal(count('*') + lines.filter(({ origin }) => /\d/.test(origin)).length, 1000);
  await clock.advance(60_000);
  const before = lines.length;
  consent.used(page(), 'scan', 'Hall');
  t.match(lines.slice(before), [{ origin: A, scanner: 'Hall' }], 'afterwards, all is said again');
});

t.test('ask: a question that gave way at once is not asked, not in the audit and has no pass', async t => {
  const { consent, clock, lines } = testConsent({ origins: 'ask', localPrograms: 'token' }, { token: 'T' });
  const origins = Array.from({ length: 20 }, (_, at) => `https://${at}.example`);
  const passes = origins.map(origin => consent.ask(page(undefined, origin), {}).pass);
  await clock.advance(1000);
  origins.forEach((origin, at) => consent.standing(page(passes[at], origin)));
  const asked = consent.ask(page(), {});
  t.match(asked, { state: 'none', question: undefined, pass: undefined });
  t.notOk(lines.some(({ origin }) => origin === A));
});
