/** The command that writes settings, and the page that may use it. */
import { fakeClock } from '@platen/conformance';
import t from 'tap';
import { AWAY_MS, createSession } from './session.js';

const stays = new AbortController().signal;
const work = { text: '{}\n', isSecret: false };

t.test('session: a page needs the key of the command that waits', async t => {
  const clock = fakeClock();
  const session = createSession(clock);
  t.notOk(session.admits(''));
  const first = await session.attend(undefined, undefined, stays);
  const key = first?.key ?? '';
  t.match(key, /^[\w-]{43}$/);
  t.ok(session.admits(key));
  t.notOk(session.admits(`${key}x`));
  t.notOk(session.admits(key.replace(/.$/, end => (end === 'A' ? 'B' : 'A'))));
  await clock.advance(AWAY_MS + 1);
  t.notOk(session.admits(key), 'a command that does not ask any more is gone');
});

t.test('session: the command gets the work, and its answer reaches the page', async t => {
  const clock = fakeClock();
  const session = createSession(clock);
  const { key = '' } = (await session.attend(undefined, undefined, stays)) ?? {};
  const waiting = session.attend(key, undefined, stays);
  const done = session.write(work);
  const got = await waiting;
  t.match(got, { key, work });
  const id = got?.work?.id ?? '';
  const next = session.attend(key, { id, fault: 'The disk is full.' }, stays);
  t.strictSame(await done, { id, fault: 'The disk is full.' });
  session.end();
  t.equal(await next, undefined);
  t.notOk(session.admits(key));
});

t.test('session: work that no command takes ends with a sentence, and is not done later', async t => {
  const clock = fakeClock();
  const session = createSession(clock);
  const { key = '' } = (await session.attend(undefined, undefined, stays)) ?? {};
  const done = session.write(work);
  await clock.advance(15_000);
  t.match((await done).fault, /platen settings/);
  const gone = new AbortController();
  const waiting = session.attend(key, undefined, gone.signal);
  gone.abort();
  t.strictSame(await waiting, { key }, 'nothing was left');
});

t.test('session: a client that left gets no work', async t => {
  const session = createSession(fakeClock());
  const { key = '' } = (await session.attend(undefined, undefined, stays)) ?? {};
  const gone = new AbortController();
  const waiting = session.attend(key, undefined, gone.signal);
  gone.abort();
  const done = session.write(work);
  t.strictSame(await waiting, { key });
  const got = await session.attend(key, undefined, stays);
  t.match(got, { work }, 'the next one gets it');
  void session.attend(key, { id: got?.work?.id ?? '' }, stays);
  t.equal((await done).fault, undefined);
  session.end();
});

t.test('session: a second command takes over, and the first hears it', async t => {
  const session = createSession(fakeClock());
  const { key = '' } = (await session.attend(undefined, undefined, stays)) ?? {};
  const first = session.attend(key, undefined, stays);
  const second = await session.attend(undefined, undefined, stays);
  t.equal(await first, undefined);
  t.notOk(session.admits(key));
  t.ok(session.admits(second?.key ?? ''));
  t.equal(await session.attend(key, undefined, stays), undefined);
});
