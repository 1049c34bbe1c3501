/**
 * The certificate in real stores: once installed, this computer's programs and browsers accept the service; once
 * removed, they reject it.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs } from '@platen/conformance';
import t from 'tap';
import { chromiumOpens, firefoxAccepts } from './browsers.js';
import { place, service } from './place.js';
import { renewalTests } from './renewal.js';

const run = promisify(execFile);
const linux = { skip: process.platform !== 'linux' && 'these are the trust stores of Linux' };
/** Only root's runs, those of CI among them, touch the system's certificates; they are put back. */
const root = process.getuid?.() === 0;

t.test('trust: Chromium, opens the page without a warning, and refuses it after the removal', linux, async t => {
  if (!needs(t, 'certutil') || !needs(t, 'chromium')) return;
  const here = await place(t);
  await here.cert('install', '--no-trust');
  const url = await service(t, here);
  t.match(await chromiumOpens(url, here.env), /ERR_CERT_AUTHORITY_INVALID/, 'that it is there is not enough');

  const installed = await here.cert('install');
  t.match(installed.out, /Now trusted in Chromium's database/);
  if (!root)
    t.match(installed, { code: 1, log: /Not trusted in the system's certificates.*administrator rights\. Run: sudo / });
  else t.equal(installed.code, 0, installed.log);
  t.match(await chromiumOpens(url, here.env), /<platen-scan /);
  t.match((await here.cert('install')).out, /Already trusted in Chromium's database/);

  const removed = await here.cert('remove');
  t.equal(removed.code, 0, removed.log);
  t.match(await chromiumOpens(url, here.env), /ERR_CERT_AUTHORITY_INVALID/);
  t.same(
    await readdir(here.dataDir),
    ['lock.sock', 'logs', 'platen-data-folder', 'scans', 'spool'],
    'of the service that still runs',
  );
});

t.test('trust: Firefox, accepts the certificate, and refuses it after the removal', linux, async t => {
  if (!needs(t, 'certutil') || !needs(t, 'firefox-esr')) return;
  const here = await place(t);
  const profile = join(here.home, '.mozilla', 'firefox', 'x.default-esr');
  await mkdir(profile, { recursive: true });
  await run('certutil', ['-N', '-d', `sql:${profile}`, '--empty-password']);
  await here.cert('install', '--no-trust');
  const pair = {
    key: await readFile(join(here.dataDir, 'certificate', 'key.pem')),
    cert: await readFile(join(here.dataDir, 'certificate', 'cert.pem')),
  };
  t.equal(await firefoxAccepts(pair, profile, here.env), false);
  t.match((await here.cert('install')).out, /Now trusted in Firefox's database/);
  t.equal(await firefoxAccepts(pair, profile, here.env), true);
  await here.cert('remove');
  t.equal(await firefoxAccepts(pair, profile, here.env), false);
});

t.test(
  'trust: the system’s store, the certificate is added and removed',
  { skip: linux.skip || (!root && 'only root may write the system’s certificates') },
  async t => {
    if (!needs(t, 'curl') || !needs(t, 'openssl') || !needs(t, 'update-ca-certificates') || !needs(t, 'certutil'))
      return;
    const before = await systemCertificates();
    const here = await place(t);
    const { code, log } = await here.cert('install');
    t.equal(code, 0, log);
    const copy = join(here.home, 'copy.pem');
    await copyFile(join(here.dataDir, 'certificate', 'cert.pem'), copy);
    const url = await service(t, here);

    t.match(await curl(url), /"status":"running"/, 'by the bundle');
    t.match(await openssl(copy), /OK/, 'by the folder');
    t.match((await here.cert('status')).out, /^Trusted in the system's certificates/m);
    t.match((await here.cert('install')).out, /Already trusted in the system's certificates/);

    t.equal((await here.cert('remove')).code, 0);
    t.match(await curl(url), /self.signed certificate/);
    t.match(await openssl(copy), /self.signed certificate/);
    t.same(await systemCertificates(), before, 'no trace is left');
  },
);

t.test('trust: new certificate, the old one is removed', linux, async t => {
  if (!needs(t, 'certutil')) return;
  const here = await place(t);
  await here.cert('install');
  const first = await here.thumbprint();
  await writeFile(join(here.dataDir, 'certificate', 'key.pem'), '');
  const { out } = await here.cert('install');
  const second = await here.thumbprint();
  t.match(out, new RegExp(`Created a certificate[^]*Removed ${first} from Chromium's database`));
  const { stdout } = await run('certutil', ['-L', '-d', `sql:${join(here.home, '.pki', 'nssdb')}`]);
  t.notMatch(stdout, first);
  t.match(stdout, `platen-${second}`);
  if (root) t.notOk((await systemCertificates()).some(each => each.includes(first)));

  await rm(join(here.dataDir, 'trust.json'));
  t.equal((await here.cert('remove')).code, 0, 'the record is lost');
  t.notMatch((await run('certutil', ['-L', '-d', `sql:${join(here.home, '.pki', 'nssdb')}`])).stdout, /platen/);
  if (root) t.notOk((await systemCertificates()).some(each => each.includes(second)));
});

renewalTests(t);

/** Each file or link with where it leads, and the bundle. */
async function systemCertificates(): Promise<string[]> {
  const etc = '/etc/ssl/certs';
  const names = (await readdir(etc)).sort();
  const links = await Promise.all(
    names.map(async name => `${name} ${await readlink(join(etc, name)).catch(() => '')}`),
  );
  return [
    ...links,
    ...(await readdir('/usr/local/share/ca-certificates')).sort(),
    await readFile(join(etc, 'ca-certificates.crt'), 'utf8'),
  ];
}

/** @returns the answer, or why there is none */
function curl(url: string): Promise<string> {
  return run('curl', ['-sS', '--noproxy', '*', '--cacert', '/etc/ssl/certs/ca-certificates.crt', url]).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(error),
  );
}

function openssl(file: string): Promise<string> {
  return run('openssl', ['verify', '-CApath', '/etc/ssl/certs', '-no-CAfile', file]).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(error),
  );
}
