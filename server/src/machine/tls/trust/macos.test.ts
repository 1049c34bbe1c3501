import t from 'tap';
import { generate } from '../generate.js';
import { certificate, fakeTools } from './fakes.test.kit.js';
import { macosStores } from './macos.js';

const A = certificate('A');
const security = '/usr/bin/security';
const system = '/Library/Keychains/System.keychain';
const login = '/Users/a/Library/Keychains/login.keychain-db';
const held = `SHA-256 hash: ${'A'.repeat(64)}\nSHA-1 hash: ${A.sha1}\nkeychain: "x"`;
const find = (keychain: string): string => `${security} find-certificate -a -Z ${keychain}`;
const verify = `${security} verify-cert -c FILE -p ssl`;
const account = { root: false, home: '/Users/a' };
const root = { root: true, home: '/var/root' };

t.test('macOS: an account other than root cannot remove it from the System keychain', async t => {
  const tools = fakeTools({ [find(system)]: held });
  const {
    all: [keychain],
  } = macosStores(tools, account);
  await t.rejects(async () => keychain?.remove(A), {
    fault: 'administrator',
    message: /System keychain needs administrator rights\. Run: sudo platen cert remove/,
  });
  t.same(tools.calls, [find(system)], 'and does not try');
});

t.test('macOS: the person cancels', async t => {
  const adding = fakeTools({
    [`${security} add-trusted-cert`]: {
      code: 1,
      said: 'SecTrustSettingsSetTrustSettings: The authorization was canceled by the user.',
    },
  });
  await t.rejects(async () => macosStores(adding, account).chosen[0]?.add([A]), {
    fault: 'failed',
    message: /add-trusted-cert .*failed with code 1: SecTrust.*canceled by the user\.$/,
  });
  const left = fakeTools({ [find(login)]: held, [verify]: 1 });
  t.equal(await macosStores(left, account).chosen[0]?.trusted(A), false, 'a keychain may hold what it does not trust');

  const removing = fakeTools({
    [find(login)]: held,
    [`${security} remove-trusted-cert`]: { code: 1, said: 'canceled' },
  });
  await t.rejects(async () => macosStores(removing, account).chosen[0]?.remove(A), {
    fault: 'failed',
    message: /remove-trusted-cert/,
  });
  t.notOk(
    removing.calls.some(each => each.includes('delete-certificate')),
    'its settings would trust it on without it',
  );
});

t.test('macOS: root installs for the computer', async t => {
  const tools = fakeTools({ [find(system)]: held });
  const {
    all: [keychain],
    chosen,
  } = macosStores(tools, root);
  t.same(chosen, [keychain]);
  await keychain?.add([A]);
  t.equal(await keychain?.trusted(A), true);
  t.equal(await keychain?.remove(A), true);
  t.same(tools.calls, [
    `${security} add-trusted-cert -d -r trustRoot -p ssl -k ${system} FILE`,
    find(system),
    verify,
    find(system),
    `${security} remove-trusted-cert -d FILE`,
    `${security} delete-certificate -Z ${A.sha1} ${system}`,
  ]);
});

t.test('macOS: any other account installs for itself', async t => {
  const tools = fakeTools({ [find(login)]: held });
  const {
    all: [, keychain],
    chosen,
  } = macosStores(tools, account);
  t.same(chosen, [keychain]);
  await keychain?.add([A]);
  t.equal(await keychain?.remove(A), true);
  t.same(tools.calls, [
    `${security} add-trusted-cert -r trustRoot -p ssl -k ${login} FILE`,
    find(login),
    `${security} remove-trusted-cert FILE`,
    `${security} delete-certificate -Z ${A.sha1} ${login}`,
  ]);
});

t.test('macOS: removes an untrusted or expired certificate without its settings; skips an absent one', async t => {
  const untrusted = fakeTools({ [find(login)]: held, [`${security} remove-trusted-cert`]: 1, [verify]: 1 });
  t.equal(await macosStores(untrusted, account).chosen[0]?.remove(A), true);
  t.match(untrusted.calls.at(-1), /delete-certificate/);
  const other = fakeTools({ [`${security} find-certificate`]: `SHA-1 hash: ${'B'.repeat(40)}` });
  for (const store of macosStores(other, root).all) {
    t.equal(await store.trusted(A), false);
    t.equal(await store.remove(A), false);
  }
  t.notOk(other.calls.some(each => !each.includes('find-certificate')));
});

t.test('macOS: a successor that is not valid yet is verified as of its beginning', async t => {
  const begins = new Date(Date.now() + 700 * 24 * 60 * 60 * 1000);
  const { cert: pem } = generate(begins);
  const tools = fakeTools({ [find(login)]: held });
  t.equal(await macosStores(tools, account).chosen[0]?.trusted({ ...A, pem }), true);
  t.match(tools.calls.at(-1), / verify-cert -c FILE -p ssl -d \d{4}-\d\d-\d\d-\d\d:\d\d:\d\d$/);
});
