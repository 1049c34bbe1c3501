import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmod, chown, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lacking } from '@platen/conformance';
import t from 'tap';
import { prepareDataFolder } from '../dataFolder/dataFolder.js';
import {
  createCertificate,
  readCertificate,
  readPublicPart,
  readPublicParts,
  removeCertificate,
} from './certificate.js';
import { ensureCertificate } from './ensure.js';

const DAY = 24 * 60 * 60 * 1000;
const later = (days: number): Date => new Date(Date.now() + days * DAY);

async function folder(t: { teardown(f: () => unknown): void }): Promise<{ dir: string; key: string; cert: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'platen-cert-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return { dir, key: join(dir, 'certificate', 'key.pem'), cert: join(dir, 'certificate', 'cert.pem') };
}

t.test("certificate: marks a data folder without the marker as Platen's, beside foreign files", async t => {
  const { dir } = await folder(t);
  await ensureCertificate(dir);
  await writeFile(join(dir, 'platen.json'), '{}');
  await prepareDataFolder(dir);
  t.ok((await readdir(dir)).includes('platen-data-folder'));
});

t.test('certificate: each fault is named with its fix', async t => {
  const { dir, key, cert } = await folder(t);
  const faulty = (fault: string, message: RegExp, now?: Date) =>
    t.rejects(readCertificate(dir, now), { code: 'certificate', fault, message }, fault);

  await faulty(
    'missing',
    /^There is no certificate: .*cert\.pem is missing; create one with administrator rights: platen cert install, then restart the service\.$/,
  );
  await createCertificate(dir);
  await faulty(
    'expired',
    /expired on \d{4}-.*; replace it with administrator rights: platen cert remove, then: platen cert install, then restart the service\.$/,
    later(825),
  );
  await faulty('not-yet-valid', /not valid before .*platen cert install/, later(-1));

  const [goodKey, goodCert] = await Promise.all([readFile(key, 'utf8'), readFile(cert, 'utf8')]);
  await writeFile(cert, 'nonsense');
  await faulty('unreadable', /cert\.pem is damaged.*platen cert install/);
  await writeFile(cert, goodCert);
  await writeFile(key, '');
  await faulty('unreadable', /key\.pem is damaged.*platen cert install/);

  const other = await folder(t);
  await createCertificate(other.dir);
  await writeFile(key, await readFile(other.key));
  await faulty('key-mismatch', /does not belong to the certificate.*platen cert install/);
  await writeFile(key, goodKey);
  await readCertificate(dir);

  if (process.platform !== 'win32') {
    await chmod(key, 0o640);
    await faulty('key-readable', /Other accounts can read.*platen cert install/);
  }
  await rm(key);
  await faulty('missing', /key\.pem is missing/);
});

t.test(
  "certificate: rejects links and another account's files",
  { skip: process.platform === 'win32' && 'no owners here' },
  async t => {
    const { dir, key, cert } = await folder(t);
    const refused = (): Promise<unknown> =>
      t.rejects(readCertificate(dir), {
        code: 'certificate',
        fault: 'unreadable',
        message: /is a link or belongs to another account/,
      });
    await createCertificate(dir);
    await rename(key, `${key}.elsewhere`);
    await symlink(`${key}.elsewhere`, key);
    await refused();
    await rename(`${key}.elsewhere`, key);
    await rename(join(dir, 'certificate'), join(dir, 'elsewhere'));
    await symlink(join(dir, 'elsewhere'), join(dir, 'certificate'));
    await refused();
    await ensureCertificate(dir);
    t.same(
      (await readdir(join(dir, 'elsewhere'))).sort(),
      ['cert.pem', 'key.pem', 'trusted.pem'],
      'what the link named is left alone',
    );
    if (process.getuid?.() !== 0) return;
    await chown(cert, 65534, 65534);
    await refused();
  },
);

t.test('certificate: is a leaf for the loopback names', async t => {
  const { dir, key, cert } = await folder(t);
  await createCertificate(dir);
  const x509 = new X509Certificate(await readFile(cert));
  t.equal(x509.ca, false);
  t.equal(x509.subjectAltName, 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  t.same(x509.keyUsage, ['1.3.6.1.5.5.7.3.1'], 'extended key usage: server authentication');
  t.match(x509.publicKey.asymmetricKeyDetails, { namedCurve: 'prime256v1' });
  t.equal(x509.subject, x509.issuer);
  t.ok(x509.verify(x509.publicKey));
  t.ok(Date.parse(x509.validTo) - Date.parse(x509.validFrom) < 825 * DAY);
  if (process.platform !== 'win32') {
    t.equal((await stat(key)).mode & 0o777, 0o600);
    t.equal((await stat(join(dir, 'certificate'))).mode & 0o777, 0o700);
  }
  t.same(await readdir(dir), ['certificate'], 'nothing else is left');
});

t.test('certificate: thumbprints and days left', async t => {
  const { dir, cert } = await folder(t);
  await createCertificate(dir);
  const read = await readCertificate(dir);
  const x509 = new X509Certificate(await readFile(cert));
  t.match(read.thumbprintSha1, /^[0-9A-F]{40}$/);
  t.match(read.thumbprintSha256, /^[0-9A-F]{64}$/);
  t.equal(read.thumbprintSha1, x509.fingerprint.replaceAll(':', ''));
  t.equal(read.expires.getTime(), Date.parse(x509.validTo));
  t.equal(read.daysLeft, 823);
  t.equal((await readCertificate(dir, later(800))).daysLeft, 23);
});

t.test('certificate: the public part is readable, valid or not', async t => {
  const { dir, key, cert } = await folder(t);
  t.equal(await readPublicPart(dir), undefined);
  await createCertificate(dir);
  const { thumbprintSha1 } = await readCertificate(dir);
  await rm(key);
  t.match(await readPublicPart(dir, later(900)), { thumbprintSha1, daysLeft: 0 });
  await writeFile(cert, 'nonsense');
  t.equal(await readPublicPart(dir), undefined);
});

t.test('certificate: a client that trusts it connects by each of its names', async t => {
  const { dir } = await folder(t);
  const { key, cert } = await ensureCertificate(dir);
  const server = createServer({ key, cert }, (_request, response) => response.end('hello'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  for (const host of ['localhost', '127.0.0.1']) {
    await t.resolves(
      new Promise<void>((resolve, reject) => {
        get({ host, port, family: 4, ca: cert, agent: false }, response => response.resume().on('end', resolve)).on(
          'error',
          reject,
        );
      }),
      host,
    );
  }
});

t.test('certificate: openssl accepts it', { skip: lacking('openssl') }, async t => {
  const { dir, cert } = await folder(t);
  await createCertificate(dir);
  const said = execFileSync(
    'openssl',
    ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'localhost', '-CAfile', cert, cert],
    { encoding: 'utf8' },
  );
  t.match(said, /: OK/);
});

t.test('ensureCertificate: replaces a missing or invalid certificate and keeps a valid one', async t => {
  const { dir, key } = await folder(t);
  const first = await ensureCertificate(dir);
  t.equal(first.created, true);
  const second = await ensureCertificate(dir);
  t.equal(second.created, false);
  t.equal(second.thumbprintSha256, first.thumbprintSha256);

  await writeFile(key, '');
  t.match(await ensureCertificate(dir), { created: true });
  const expired = await ensureCertificate(dir, later(900));
  t.equal(expired.created, true);
  t.notSame(expired.thumbprintSha256, first.thumbprintSha256);
  t.same(await readdir(dir), ['certificate']);
});

t.test('ensureCertificate: two at once, one matching pair', async t => {
  const { dir } = await folder(t);
  const made = await Promise.all([1, 2, 3, 4].map(() => ensureCertificate(dir)));
  t.equal(new Set(made.map(each => each.thumbprintSha256)).size, 1);
  t.same(await readdir(dir), ['certificate']);
});

t.test('removeCertificate: removes it, and tells whether there was one', async t => {
  const { dir } = await folder(t);
  t.equal(await removeCertificate(dir), false);
  await createCertificate(dir);
  t.equal(await removeCertificate(dir), true);
  t.same(await readdir(dir), []);
});

t.test('ensureCertificate: makes what is missing of the successors, and no more', async t => {
  const { dir } = await folder(t);
  const place = (name: string): string => join(dir, 'certificate', name);
  t.match(await ensureCertificate(dir, later(0), 5), { created: true, added: 4 });
  const last = await readFile(place('cert-5.pem'), 'utf8');
  await rm(place('key-3.pem'));
  t.match(await ensureCertificate(dir, later(0), 5), { created: false, added: 1 });
  t.equal((await readPublicParts(dir)).length, 5);
  t.ok((await readFile(place('trusted.pem'), 'utf8')).includes(last));
  t.match(await ensureCertificate(dir, later(0), 5), { created: false, added: 0 });

  const next = await ensureCertificate(dir, later(800), 5);
  t.match(next, { created: false, added: 1 }, 'the second one is served');
  t.equal((await readPublicParts(dir)).length, 6, 'the first stays until it ends');
  t.match(await ensureCertificate(dir, later(830), 5), { added: 0, thumbprintSha1: next.thumbprintSha1 });
  t.equal((await readPublicParts(dir)).length, 5);
  if (process.platform === 'win32') return;
  for (const name of await readdir(join(dir, 'certificate'))) t.equal((await stat(place(name))).mode & 0o777, 0o600);
});

t.test("ensureCertificate: an organisation's own certificate stays alone", async t => {
  const { dir, cert } = await folder(t);
  await createCertificate(dir);
  const foreign = `subject=localhost\n${await readFile(cert, 'utf8')}`;
  await writeFile(cert, foreign);
  t.match(await ensureCertificate(dir, later(0), 5), { created: false, added: 0 });
  t.equal(await readFile(cert, 'utf8'), foreign);
  t.equal((await readPublicParts(dir)).length, 1);
});
