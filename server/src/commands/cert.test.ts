import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createCertificate } from '../machine/tls/certificate.js';
import { allOf, fakeStore, notAdministrator } from '../machine/tls/trust/fakes.test.kit.js';
import type { TrustStores } from '../machine/tls/trust/stores.js';
import { cert } from './cert.js';
import { exitCodeOf } from '../machine/exitCodes.js';
import type { Io } from '../machine/io.js';

const DAY = 24 * 60 * 60 * 1000;
const root = await mkdtemp(join(tmpdir(), 'platen-cert-cli-'));
t.teardown(() => rm(root, { recursive: true, force: true }));

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const run = (data: string, ...args: string[]): Promise<Said> => runWith(allOf(), data, ...args);

/** Never uses the computer's stores. */
async function runWith(stores: TrustStores, data: string, ...args: string[]): Promise<Said> {
  const out: string[] = [];
  const err: string[] = [];
  const io: Io = {
    out: line => void out.push(line),
    err: line => void err.push(line),
    env: { PLATEN_DATA_DIR: data },
    cwd: root,
  };
  try {
    return { code: await cert(args, io, async () => stores), out: out.join('\n'), err: err.join('\n') };
  } catch (error) {
    return { code: exitCodeOf(error), out: out.join('\n'), err: (error as Error).message };
  }
}

t.test('cert: wrong usage, exit code 2', async t => {
  t.match(await run('a'), { code: 2, err: /platen cert install/ });
  t.match(await run('a', 'renew'), { code: 2 });
  t.match(await run('a', 'install', 'twice'), { code: 2 });
  t.match(await run('a', 'install', '--trust'), { code: 2 });
  t.match(await run('a', 'status', '--no-trust'), { code: 2, err: /belongs to "platen cert install"/ });
  t.match(await run('a', 'remove', '--json'), { code: 2, err: /belongs to "platen cert status"/ });
  t.match(await run('a', 'toString'), { code: 2 });
});

t.test('cert: --help exits with 0 and lists the exit codes', async t => {
  t.match(await run('a', '--help'), { code: 0, out: /4 {2}the certificate is missing or invalid/ });
  t.match(await run('a', 'status', '--help'), { code: 0, out: /platen cert status/ });
});

t.test('cert status: no certificate, exit code 4', async t => {
  t.match(await run('none', 'status'), { code: 4, err: /platen cert install/ });
  t.match(await run('none', 'remove'), { code: 0, out: 'There was no certificate.' });
});

t.test('cert: an unusable data folder, exit code 3', async t => {
  await writeFile(join(root, 'file'), '');
  t.match(await run('file', 'install', '--no-trust'), { code: 3, err: /is not a folder/ });
});

t.test('cert: install --no-trust, status, install again, remove', async t => {
  const store = fakeStore('the store');
  const platen = (...args: string[]): Promise<Said> => runWith(allOf(store), 'data', ...args);
  const alone = await runWith(allOf(store), 'alone', 'install', '--no-trust');
  t.match(alone, { code: 0, out: /\(823 days left\)$/ }, 'nobody trusts the ones that follow');
  const made = await platen('install', '--no-trust', '--successors');
  t.match(made, {
    code: 0,
    out: /Created a certificate.*\nThumbprint \(SHA-1\): +[0-9A-F]{40}\n.*[0-9A-F]{64}\nExpires: +\d{4}-\S+Z \(823 days left\)\nCreated 4 more.* until \d{4}-\d\d-\d\d\.$/,
  });
  t.equal(store.held.size, 0);
  const thumbprint = /[0-9A-F]{64}/.exec(made.out)?.[0] ?? 'none';
  t.match(await platen('status'), { code: 0, out: /Not trusted in the store\.\n(Followed by: .*\n?){4}$/ });
  t.match(await platen('install'), {
    code: 0,
    out: /There is already a valid certificate[^]*Now trusted in the store\.$/,
  });
  t.match(await platen('install'), { code: 0, out: /Already trusted in the store\.$/ });
  const status = await platen('status');
  t.match(status.out, thumbprint, 'the same one');
  t.match(status.out, /^Trusted in the store\.$/m);
  t.match(await platen('remove'), { code: 0, out: /from the store\.\nRemoved the certificates/ });
  t.equal(store.held.size, 0);
  t.match(await platen('status'), { code: 4 });
});

t.test('cert install: without administrator rights, prints what was done and what was not, exit code 1', async t => {
  const [system, browser] = [fakeStore('the system'), fakeStore('the browser')];
  const platen = (...args: string[]): Promise<Said> => runWith(allOf(system, browser), 'rights', ...args);
  system.error = notAdministrator;
  const made = await platen('install');
  t.match(made, {
    code: 1,
    out: /Created a certificate[^]*Now trusted in the browser/,
    err: /^Not trusted in the system\. It needs administrator rights/,
  });
  const status = await platen('status');
  t.match(status, { code: 0, out: /Not trusted in the system\.\nTrusted in the browser\./ }, 'it is there');

  t.match(await platen('remove'), {
    code: 1,
    err: /still in the system[^]*The certificates were kept/,
  });
  t.match(await platen('status'), { code: 0 });
  system.error = undefined;
  t.match(await platen('remove'), { code: 0 });
});

t.test('cert: an expired certificate is shown in full, and replaced in the stores too', async t => {
  const data = join(root, 'expired');
  const store = fakeStore('the store');
  const platen = (...args: string[]): Promise<Said> => runWith(allOf(store), data, ...args);
  await platen('install');
  const [first = ''] = store.held;
  t.match(await readFile(join(data, 'trust.json'), 'utf8'), first, 'remembered outside the folder that is replaced');
  await createCertificate(data, new Date(Date.now() - 900 * 24 * 60 * 60 * 1000));
  const expired = await platen('status');
  t.match(expired, {
    code: 4,
    out: /Expires: .*\(0 days left\)\nNot trusted in the store/,
    err: /expired on .*platen cert remove.*platen cert install/,
  });
  const json = await platen('status', '--json');
  t.equal(json.code, 4);
  t.match(JSON.parse(json.out), {
    valid: false,
    fault: 'expired',
    error: /expired on/,
    thumbprintSha1: /^[0-9A-F]{40}$/,
    daysLeft: 0,
    trust: [{ store: 'the store', trusted: false }],
  });

  t.match(await platen('install'), {
    code: 0,
    out: new RegExp(`Created a certificate[^]*Removed ${first} from the store`),
  });
  t.equal(store.held.size, 5);
  t.notOk(store.held.has(first));
  t.match(JSON.parse((await platen('status', '--json')).out), {
    valid: true,
    daysLeft: 823,
    expires: /Z$/,
    trust: [{ trusted: true }],
  });
});

t.test("cert remove: an organisation's own certificate is named, and stays in the store", async t => {
  const data = join(root, 'foreign');
  const store = fakeStore('the store');
  const platen = (...args: string[]): Promise<Said> => runWith(allOf(store), data, ...args);
  await platen('install', '--no-trust');
  // A valid certificate of another shape.
  const pem = (await readFile(join(data, 'certificate', 'cert.pem'), 'utf8')).trim();
  await writeFile(join(data, 'certificate', 'cert.pem'), `subject=localhost\n${pem}\n`);
  const { thumbprintSha1 } = JSON.parse((await platen('status', '--json')).out) as { thumbprintSha1: string };
  store.held.add(thumbprintSha1);
  t.match(await platen('remove'), {
    code: 0,
    out: /Removed the certificates/,
    err: new RegExp(`^${thumbprintSha1} is still in the store\\.`),
  });
  t.same([...store.held], [thumbprintSha1]);
});

t.test('cert status --json: no certificate', async t => {
  const { code, out } = await run('nothing', 'status', '--json');
  t.equal(code, 4);
  t.match(JSON.parse(out), { valid: false, fault: 'missing', trust: [] });
});

t.test('cert status: an unavailable store does not hide the certificate', async t => {
  const mute = { ...fakeStore('the mute one'), trusted: () => Promise.reject(notAdministrator) };
  await run('mute', 'install', '--no-trust');
  t.match(await runWith(allOf(mute), 'mute', 'status'), {
    code: 0,
    out: /is valid/,
    err: /Could not find out whether the mute one trusts it\. It needs/,
  });
});

interface Status {
  readonly thumbprintSha1: string;
  readonly expires: string;
  readonly lastsDays: number;
  readonly successors: readonly { thumbprintSha1: string; begins: string; expires: string; isTrusted: boolean }[];
}

const statusOf = async (stores: TrustStores, data: string): Promise<Status> =>
  JSON.parse((await runWith(stores, data, 'status', '--json')).out) as Status;

t.test('cert install: five certificates that overlap, and two where a person confirms each', async t => {
  for (const [asks, count] of [
    [false, 5],
    [true, 2],
  ] as const) {
    const data = join(root, `many-${count}`);
    const store = { ...fakeStore('the store'), asks };
    await runWith(allOf(store), data, 'install');
    t.equal(store.held.size, count);
    const { expires, successors, lastsDays } = await statusOf(allOf(store), data);
    t.equal(successors.length, count - 1);
    const ends = [expires, ...successors.map(each => each.expires)].map(each => Date.parse(each));
    for (const [at, { begins, isTrusted }] of successors.entries()) {
      t.ok(ends[at]! - Date.parse(begins) >= 60 * DAY);
      t.equal(isTrusted, true);
    }
    t.equal(lastsDays, 823 + (count - 1) * 764);
    t.equal((await runWith(allOf(store), data, 'remove')).code, 0);
    t.equal(store.held.size, 0);
  }
});

t.test('cert install: an installation with one certificate gets successors and keeps it', async t => {
  const data = join(root, 'before');
  await mkdir(data, { mode: 0o700 });
  await createCertificate(data, new Date(Date.now() - 760 * DAY));
  await rm(join(data, 'certificate', 'trusted.pem'));
  const store = fakeStore('the store');
  const { thumbprintSha1: first } = await statusOf(allOf(store), data);
  store.held.add(first);
  t.match(await runWith(allOf(store), data, 'status'), { code: 0, err: /expires in 63 days.*platen cert install/ });
  t.match(await runWith(allOf(store), data, 'install'), { code: 0, out: /already a valid certificate/ });
  t.equal(store.held.size, 5);
  t.match(await statusOf(allOf(store), data), { thumbprintSha1: first, successors: { length: 4 } });
  t.equal((await readFile(join(data, 'certificate', 'trusted.pem'), 'utf8')).match(/BEGIN/g)?.length, 5);
});

t.test('cert install: a replaced certificate stays until it ends, then goes from the stores too', async t => {
  const data = join(root, 'replaced');
  const store = fakeStore('the store');
  await mkdir(data, { mode: 0o700 });
  const place = join(data, 'certificate');
  await createCertificate(data, new Date(Date.now() - 800 * DAY), { count: 5 });
  const [first = ''] = await thumbprints(place);
  await runWith(allOf(store), data, 'install');
  const { thumbprintSha1: served } = await statusOf(allOf(store), data);
  t.not(served, first, 'the second one is served in the last 30 days of the first');
  t.ok(store.held.has(served));
  store.held.add(first);
  await runWith(allOf(store), data, 'install');
  t.ok(store.held.has(first), 'a running service may still serve it');
  store.held.delete(first);

  await createCertificate(data, new Date(Date.now() - 830 * DAY), { count: 5 });
  const [expired = ''] = await thumbprints(place);
  store.held.add(expired);
  await runWith(allOf(store), data, 'install');
  t.notOk(store.held.has(expired));
  t.equal(store.held.size, 5);
  await runWith(allOf(store), data, 'remove');
  t.equal(store.held.size, 0);
});

async function thumbprints(place: string): Promise<readonly string[]> {
  const pem = await readFile(join(place, 'trusted.pem'), 'utf8');
  const all = pem.match(/-----BEGIN[^]*?END CERTIFICATE-----/g) ?? [];
  return all.map(each => new X509Certificate(each).fingerprint.replaceAll(':', ''));
}
