import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { allOf, certificate, fakeStore, notAdministrator } from './fakes.test.kit.js';
import { isTrustedBy, readRecord } from './record.js';
import { TrustError, type PublicCertificate } from './store.js';
import { distrust, trustCertificates, whereTrusted } from './trust.js';

const [A, B] = [certificate('A'), certificate('B')];
const recorded = (dir: string): string[] => {
  const entries = JSON.parse(readFileSync(join(dir, 'trust.json'), 'utf8')) as { store: string; sha1: string }[];
  return entries.map(each => `${each.sha1.slice(0, 1)} in ${each.store}`);
};

t.test('trust: reports failed steps, does the rest, and a second run finishes', async t => {
  const dir = t.testdir();
  const [one, two] = [fakeStore('one'), fakeStore('two')];
  one.error = notAdministrator;
  t.same(await trustCertificates(dir, [A], [], allOf(one, two)), {
    done: ['Now trusted in two.'],
    failed: ['Not trusted in one. It needs administrator rights: run this or that.'],
    left: [],
  });
  one.error = undefined;
  t.match(await trustCertificates(dir, [A], [], allOf(one, two)), {
    done: ['Now trusted in one.', 'Already trusted in two.'],
    failed: [],
  });
  t.match(recorded(dir).sort(), ['A in one', 'A in two']);
});

t.test('trust: a new certificate replaces the old one, recorded or passed', async t => {
  const dir = t.testdir();
  const [one, two] = [fakeStore('one'), fakeStore('two', [B.sha1])];
  await trustCertificates(dir, [A], [], allOf(one));
  const C = certificate('C');
  t.same((await trustCertificates(dir, [C], [A, B, C], allOf(one, two))).failed, []);
  t.same([[...one.held], [...two.held]], [[C.sha1], [C.sha1]]);
  t.same(recorded(dir), ['C in one', 'C in two']);
});

t.test('trust: an old one that could not be removed stays recorded', async t => {
  const dir = t.testdir();
  const [one, two] = [fakeStore('one'), fakeStore('two')];
  await trustCertificates(dir, [A], [], allOf(one));
  one.error = notAdministrator;
  const outcome = await trustCertificates(dir, [B], [A], { all: [one, two], chosen: [two] });
  t.match(outcome.failed, [/^A{40} is still in one\. It needs administrator rights/]);
  t.same(recorded(dir), ['A in one', 'B in two']);
  one.error = undefined;
  t.same((await distrust(dir, [B], allOf(one, two))).failed, []);
  t.same([one.held.size, two.held.size, readdirSync(dir).length], [0, 0, 0]);
});

t.test('distrust: works without the record', async t => {
  for (const record of [
    undefined,
    'nonsense',
    '{}',
    '[1, null, {"store": 1}, {"store": "one", "pem": "x", "sha1": "../../x"}]',
  ]) {
    const dir = t.testdir(record === undefined ? {} : { 'trust.json': record });
    const one = fakeStore('one', [A.sha1]);
    t.same(await distrust(dir, [A], allOf(one)), {
      done: [`Removed ${A.sha1} from one.`],
      failed: [],
      left: [],
    });
    t.equal(one.held.size, 0);
    t.same(await distrust(dir, [A], allOf(one)), { done: [], failed: [], left: [] });
  }
});

t.test(
  'distrust: an unavailable store fails only if the certificate was added to it, or rights are missing',
  async t => {
    const dir = t.testdir();
    const one = fakeStore('one');
    const broken = new TrustError('no-tool', 'There is no tool.');
    one.error = broken;
    t.same((await distrust(dir, [A], allOf(one))).failed, []);
    one.error = notAdministrator;
    t.equal((await distrust(dir, [A], allOf(one))).failed.length, 1);
    one.error = undefined;
    await trustCertificates(dir, [A], [], allOf(one));
    one.error = broken;
    t.match((await distrust(dir, [], allOf(one))).failed, [/still in one\. There is no tool/]);
  },
);

t.test('distrust: what Platen did not make stays, is named, and is no failure', async t => {
  const dir = t.testdir();
  const [one, two] = [fakeStore('one'), fakeStore('two')];
  await trustCertificates(dir, [A], [], allOf(one, two));
  one.error = new TrustError('foreign', 'Platen did not make it.');
  t.match(await distrust(dir, [A], allOf(one, two)), { failed: [], left: [/^A{40} is still in one\./], done: [/two/] });
  t.same(readdirSync(dir), [], 'the record is closed');
});

t.test('distrust: a store that no longer exists is skipped', async t => {
  const dir = t.testdir();
  await trustCertificates(dir, [A], [], allOf(fakeStore('profile'), fakeStore('one')));
  t.same((await distrust(dir, [], allOf(fakeStore('one', [A.sha1])))).failed, []);
  t.same(readdirSync(dir), []);
});

t.test('trust: an unwritable record is an error, and no store is changed', async t => {
  const file = join(t.testdir(), 'file');
  writeFileSync(file, '');
  const one = fakeStore('one');
  t.match((await trustCertificates(file, [A], [], allOf(one))).failed, [/^Not trusted in one\. ENOTDIR/]);
  t.equal(one.held.size, 0);
});

t.test('whereTrusted: the answer of each store', async t => {
  const mute = { ...fakeStore('mute'), trusted: () => Promise.reject(new TrustError('no-tool', 'There is no tool.')) };
  t.same(await whereTrusted(A, allOf(fakeStore('one', [A.sha1]), fakeStore('two'), mute)), [
    { store: 'one', trusted: true },
    { store: 'two', trusted: false },
    { store: 'mute', trusted: undefined, error: 'There is no tool.' },
  ]);
});

t.test('trust: all at once; where a person confirms each, the served one and the next', async t => {
  const dir = t.testdir();
  const C = certificate('C');
  const [one, login] = [fakeStore('one'), { ...fakeStore('login'), asks: true }];
  const outcome = await trustCertificates(dir, [A, B, C], [], allOf(one, login));
  t.same(outcome.done, ['Now trusted in one.', 'Now trusted in login.'], 'a line for each store');
  t.same([...one.held], [A.sha1, B.sha1, C.sha1]);
  t.same([...login.held], [A.sha1, B.sha1]);
  t.match((await trustCertificates(dir, [A, B, C], [], allOf(one, login))).done, [/^Already/, /^Already/]);
});

t.test('trust: a certificate that was refused is not recorded as trusted', async t => {
  const dir = t.testdir();
  const login = fakeStore('login');
  const once = {
    ...login,
    async add([first]: readonly PublicCertificate[]) {
      if (first) login.held.add(first.sha1);
      throw new TrustError('failed', 'The person said no.');
    },
  };
  t.match((await trustCertificates(dir, [A, B], [], allOf(once))).failed, [/^Not trusted in login\. The person/]);
  t.same(recorded(dir), ['A in login']);
  const isTrusted = isTrustedBy(await readRecord(dir), [A.sha1, B.sha1]);
  t.same([isTrusted(A.sha1), isTrusted(B.sha1)], [true, false]);
});

t.test('trust: what is left alone is neither added nor removed', async t => {
  const dir = t.testdir();
  const one = fakeStore('one');
  await trustCertificates(dir, [A], [], allOf(one));
  await trustCertificates(dir, [B], [A], allOf(one), [A, certificate('C')]);
  t.same([...one.held], [A.sha1, B.sha1]);
});

t.test('isTrustedBy: a record of others, or none, says nothing', async t => {
  t.equal(isTrustedBy([], [A.sha1])(A.sha1), true);
  t.equal(isTrustedBy([{ store: 'one', ...B }], [A.sha1])(A.sha1), true);
});
