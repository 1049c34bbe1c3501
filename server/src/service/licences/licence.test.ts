/** Every way in which a licence is invalid, and valid ones. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { SignJWT, UnsecuredJWT } from 'jose';
import t from 'tap';
import { createEntitle, LICENCE_TYPE } from './licence.js';
import { createVendor, seconds } from './licence.test.kit.js';

const acme = createVendor();
const now = Date.parse('2026-06-30T12:00:00Z');
const clock = { now: () => now, monotonic: () => 0, after: () => () => undefined };
const good = await acme.licence();
const [head = '', body = '', signature = ''] = good.split('.');
const dir = t.testdir({ licences: { good: `\n${good}\n`, empty: '', prose: 'This is no licence.' } });

const here = 'a'.repeat(32);
const ask = (licence: string | undefined, ...publicKeys: string[]) =>
  createEntitle(
    dir,
    clock,
    async () => here,
  )({ plugin: '@acme/reader', publicKeys: publicKeys.length > 0 ? publicKeys : [acme.publicKey], licence });

/** A licence with valid claims, signed in another way. */
const claims = () => new SignJWT({ aud: '@acme/reader', sub: 'Acme Clinic', exp: seconds('2100-01-01') });
const withSecret = (alg: string, secret: string) =>
  claims().setProtectedHeader({ alg, typ: LICENCE_TYPE }).sign(new TextEncoder().encode(secret));
const none = new UnsecuredJWT({})
  .setAudience('@acme/reader')
  .setSubject('Acme Clinic')
  .setExpirationTime('1 year')
  .encode();
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const notAllowed = 'its licence is not signed with Ed25519';
const notSigned = "its licence is not signed with its vendor's key, or was changed";
const unreadable = 'its licence is not a readable token';

const refused: Readonly<Record<string, { licence?: string | undefined; key?: string; why: string }>> = {
  'none at all': { why: 'there is no licence for it' },
  'a file that is not there': {
    licence: 'licences/nowhere',
    why: `the licence file ${join(dir, 'licences/nowhere')} does not exist`,
  },
  'a folder': {
    licence: 'licences',
    why: `its licence file ${join(dir, 'licences')} cannot be read: it is not a regular file`,
  },
  'an empty file': {
    licence: 'licences/empty',
    why: `its licence file ${join(dir, 'licences/empty')} does not contain a licence`,
  },
  'a file with something else': {
    licence: 'licences/prose',
    why: `its licence file ${join(dir, 'licences/prose')} does not contain a licence`,
  },
  'alg none': { licence: none, why: notAllowed },
  'alg none with the signature of a good one': {
    licence: `${base64({ alg: 'none', typ: LICENCE_TYPE })}.${body}.${signature}`,
    why: notAllowed,
  },
  'a good one without its signature': { licence: `${head}.${body}.`, why: notSigned },
  'the public key as a secret': { licence: await withSecret('HS256', acme.publicKey), why: notAllowed },
  'another algorithm': {
    licence: await claims().setProtectedHeader({ alg: 'ES256', typ: LICENCE_TYPE }).sign(p256.privateKey),
    why: notAllowed,
  },
  "another vendor's key": { licence: await createVendor().licence(), why: notSigned },
  'other claims under a good signature': {
    licence: `${head}.${base64({ aud: '@acme/reader', sub: 'Me', exp: seconds('2100-01-01') })}.${signature}`,
    why: notSigned,
  },
  'a signature that was changed': {
    licence: `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    why: notSigned,
  },
  'claims that are no JSON': {
    licence: `${head}.${Buffer.from('no').toString('base64url')}.${signature}`,
    why: notSigned,
  },
  'a header that is no JSON': { licence: `eyJh.${body}.${signature}`, why: unreadable },
  'a header that must be understood and is not': {
    licence: `${base64({ alg: 'EdDSA', typ: LICENCE_TYPE, crit: ['acme'], acme: 1 })}.${body}.${signature}`,
    why: unreadable,
  },
  'a token for something else': {
    licence: await acme.licence({}, { typ: 'JWT' }),
    why: 'its licence is not a token of type "platen-licence"',
  },
  'another plugin': { licence: await acme.licence({ aud: '@acme/writer' }), why: 'its licence is for @acme/writer' },
  'other plugins': {
    licence: await acme.licence({ aud: ['@acme/a', '@acme/b'] }),
    why: 'its licence is for @acme/a, @acme/b',
  },
  'a plugin that is no name': {
    licence: await acme.licence({ aud: [{ toString: 1 }] }),
    why: 'its licence names no plugin',
  },
  'no plugin': { licence: await acme.licence({ aud: undefined }), why: 'its licence names no plugin' },
  'no customer': { licence: await acme.licence({ sub: undefined }), why: 'its licence names no customer' },
  'an empty customer': { licence: await acme.licence({ sub: '' }), why: 'its licence names no customer' },
  'no expiry': { licence: await acme.licence({ exp: undefined }), why: 'its licence names no expiry' },
  'an expiry that is no number': { licence: await acme.licence({ exp: 'never' }), why: 'its licence names no expiry' },
  'an expiry that is no date': { licence: await acme.licence({ exp: 1e300 }), why: 'its licence names no expiry' },
  expired: { licence: await acme.licence({ exp: seconds('2026-06-30') }), why: 'its licence ended on 2026-06-30' },
  'expired this second': { licence: await acme.licence({ exp: now / 1000 }), why: 'its licence ended on 2026-06-30' },
  'a trial that is over': {
    licence: await acme.licence({ trial: true, exp: seconds('2026-06-30') }),
    why: 'its trial ended on 2026-06-30',
  },
  'other computers': {
    licence: await acme.licence({ machine: ['b'.repeat(32), 'c'.repeat(32)] }),
    why: `its licence is for other computers, and the id of this one is ${here}`,
  },
  'one other computer': {
    licence: await acme.licence({ machine: 'b'.repeat(32) }),
    why: `its licence is for other computers, and the id of this one is ${here}`,
  },
  'no computers': {
    licence: await acme.licence({ machine: [] }),
    why: 'its licence names computers that are no ids',
  },
  'a computer that is no text': {
    licence: await acme.licence({ machine: [5] }),
    why: 'its licence names computers that are no ids',
  },
  'not yet': {
    licence: await acme.licence({ nbf: seconds('2026-07-01') }),
    why: 'its licence is not valid before 2026-07-01',
  },
  'a key that is none': {
    licence: good,
    key: 'the key',
    why: "the plugin's public key is not an Ed25519 key in PEM",
  },
  'a key of another kind': {
    licence: good,
    key: String(p256.publicKey.export({ type: 'spki', format: 'pem' })),
    why: "the plugin's public key is not an Ed25519 key in PEM",
  },
};

t.test('licence: each invalid one, with the reason', async t => {
  for (const [name, { licence, key, why }] of Object.entries(refused))
    await t.rejects(ask(licence, ...(key === undefined ? [] : [key])), { message: why }, name);
});

t.test('licence: a valid one, inline, in a file of the data folder, and in any other file', async t => {
  const entitlement = { customer: 'Acme Clinic', expires: new Date('2100-01-01T00:00:00Z') };
  for (const licence of [good, 'licences/good', join(dir, 'licences', 'good')])
    t.same(await ask(licence), entitlement, licence);
  t.same(
    await ask(await acme.licence({ exp: now / 1000 + 1 })),
    { customer: 'Acme Clinic', expires: new Date(now + 1000) },
    'to the last second',
  );
  t.same(await ask(await acme.licence({ nbf: now / 1000 })), entitlement, 'from the first second');
  t.same(await ask(await acme.licence({ aud: ['@acme/writer', '@acme/reader'] })), entitlement, 'several plugins');
  t.same(await ask(await acme.licence({}, { alg: 'Ed25519' })), entitlement, "the algorithm's newer name");
});

t.test("licence: without a clock, the system's time", async t => {
  const entitle = createEntitle(dir);
  t.match(await entitle({ plugin: '@acme/reader', publicKeys: [acme.publicKey], licence: good }), {
    customer: 'Acme Clinic',
  });
  const past = await acme.licence({ exp: seconds('2020-01-01') });
  await t.rejects(entitle({ plugin: '@acme/reader', publicKeys: [acme.publicKey], licence: past }), {
    message: /ended on 2020-01-01/,
  });
});

t.test('licence: for this computer, for seats, as a trial', async t => {
  const entitlement = { customer: 'Acme Clinic', expires: new Date('2100-01-01T00:00:00Z') };
  t.same(await ask(await acme.licence({ machine: ['b'.repeat(32), here] })), entitlement);
  t.same(await ask(await acme.licence({ seats: 5 })), { ...entitlement, seats: 5 });
  t.same(await ask(await acme.licence({ trial: true })), { ...entitlement, trial: true });
});

t.test('licence: for a computer, and this one has no id that can be read', async t => {
  const entitle = createEntitle(dir, clock, async () => undefined);
  const asked = { plugin: '@acme/reader', publicKeys: [acme.publicKey] };
  await t.rejects(entitle({ ...asked, licence: await acme.licence({ machine: [here] }) }), {
    message: /id of this one cannot be read/,
  });
  t.match(await entitle({ ...asked, licence: good }), { customer: 'Acme Clinic' });
});

t.test('licence: several keys, one of which signed it', async t => {
  const old = createVendor();
  t.match(await ask(good, old.publicKey, acme.publicKey), { customer: 'Acme Clinic' });
  t.match(await ask(await old.licence(), old.publicKey, acme.publicKey), { customer: 'Acme Clinic' });
  await t.rejects(ask(await createVendor().licence(), old.publicKey, acme.publicKey), { message: notSigned });
  const past = await acme.licence({ exp: seconds('2026-06-30') });
  await t.rejects(ask(past, acme.publicKey, old.publicKey), { message: /ended on/ });
  await t.rejects(ask(past, old.publicKey, acme.publicKey), { message: /ended on/ });
});

const noPipes = process.platform === 'win32' && 'Windows has no such files';
t.test('a licence file that is a pipe without a writer, refused at once', { skip: noPipes }, async t => {
  execFileSync('mkfifo', [join(dir, 'licences', 'pipe')]);
  await t.rejects(ask('licences/pipe'), { message: /not a regular file/ });
});

t.test('licence: dropped into a folder, under any name, for whichever plugin it names', async t => {
  const dropped = t.testdir({
    first: {
      'a.txt': await acme.licence({ exp: now / 1000 + 10 }),
      'other.licence': await acme.licence({ aud: '@acme/x' }),
    },
    second: { long: `${await acme.licence({ exp: now / 1000 + 20, sub: 'Longest' })}\n`, prose: 'no licence', sub: {} },
  });
  const folders = [join(dropped, 'first'), join(dropped, 'second'), join(dropped, 'nowhere')];
  const entitle = createEntitle(dir, clock, async () => here, folders);
  const asked = { plugin: '@acme/reader', publicKeys: [acme.publicKey], licence: undefined };
  t.match(await entitle(asked), { customer: 'Longest' }, 'of several, the one that lasts longest');
  t.match(await entitle({ ...asked, licence: good }), { customer: 'Acme Clinic' }, "the entry's own lasts longer");
  const ended = await acme.licence({ exp: now / 1000 - 10 });
  t.match(await entitle({ ...asked, licence: ended }), { customer: 'Longest' }, 'one that was renewed by a file');
  await t.rejects(entitle({ ...asked, plugin: '@acme/none' }), { message: 'there is no licence for it' });
  await t.rejects(entitle({ ...asked, publicKeys: [createVendor().publicKey] }), { message: notSigned });
  const past = t.testdir({ 'ended.licence': ended });
  await t.rejects(createEntitle(dir, clock, async () => here, [past])(asked), { message: /ended on/, hasEnded: true });
});

t.test('licence: days of grace that its vendor signed', async t => {
  const end = now / 1000 - 3 * 86_400;
  const grace = new Date((end + 5 * 86_400) * 1000);
  t.match(await ask(await acme.licence({ exp: end, grace: 5 })), { expires: new Date(end * 1000), grace });
  const refusedDays = [3, 0, -5, 2.5, 400, '5', true];
  for (const days of refusedDays)
    await t.rejects(ask(await acme.licence({ exp: end, grace: days })), { message: /ended on/ }, String(days));
  await t.rejects(ask(await acme.licence({ exp: end, grace: 5, aud: '@acme/x' })), { message: /is for @acme\/x/ });
  await t.rejects(ask(await createVendor().licence({ exp: end, grace: 5 })), { message: notSigned });
  t.match(await ask(await acme.licence({ exp: now / 1000 + 60, grace: 5 })), { grace: Date }, 'known before');
});
