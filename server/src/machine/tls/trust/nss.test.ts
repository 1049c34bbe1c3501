import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createCertificate } from '../create.js';
import { readPublicPart } from '../certificate.js';
import { certificate, fakeTools } from './fakes.test.kit.js';
import { nssDatabases, nssStore } from './nss.js';
import type { PublicCertificate } from './store.js';
import { systemTools } from './tool.js';

const posix = { skip: process.platform === 'win32' && 'these are paths of Linux' };
const certutil = {
  skip:
    (process.platform !== 'linux' || spawnSync('certutil', ['-H']).error !== undefined) &&
    'there is no NSS certutil here',
};

t.test('NSS: certutil is missing', posix, async t => {
  const dir = join(t.testdir(), 'nssdb');
  const store = nssStore(fakeTools({ certutil: undefined }), { dir, browser: 'Chromium' });
  await t.rejects(store.add([certificate('A')]), {
    fault: 'no-tool',
    message: /program certutil is not installed.*libnss3-tools/,
  });
  t.equal(await store.remove(certificate('A')), false, 'a database that is not there has nothing to take out');
  writeFileSync(join(dir, 'cert9.db'), '');
  await t.rejects(store.trusted(certificate('A')), { fault: 'no-tool', message: /certutil/ });
});

t.test('NSS: every kind of browser database in a home', posix, async t => {
  const home = t.testdir();
  const have = (dir: string): string => {
    mkdirSync(join(home, dir), { recursive: true });
    writeFileSync(join(home, dir, 'cert9.db'), '');
    return join(home, dir);
  };
  t.same(
    await nssDatabases(home, {}, true),
    [{ dir: join(home, '.pki/nssdb'), browser: 'Chromium' }],
    'the one that Chromium takes up at its first start',
  );
  const recent = have('.local/share/pki/nssdb');
  t.same(await nssDatabases(home, {}, true), [{ dir: recent, browser: 'Chromium' }]);
  const chromium = [
    have('.pki/nssdb'),
    recent,
    have('snap/chromium/current/.pki/nssdb'),
    have('.var/app/org.chromium.Chromium/.pki/nssdb'),
    have('.var/app/com.google.Chrome/data/pki/nssdb'),
  ];
  const firefox = [
    have('.mozilla/firefox/x.default-esr'),
    have('.config/mozilla/firefox/new.default'),
    have('snap/firefox/common/.mozilla/firefox/y.default'),
    have('.var/app/org.mozilla.firefox/.mozilla/firefox/z.default'),
  ];
  mkdirSync(join(home, '.mozilla/firefox/Crash Reports'));
  const found = await nssDatabases(home, {}, true);
  t.same(
    found
      .filter(each => each.browser === 'Chromium')
      .map(each => each.dir)
      .sort(),
    chromium.sort(),
  );
  t.same(
    found
      .filter(each => each.browser === 'Firefox')
      .map(each => each.dir)
      .sort(),
    firefox.sort(),
  );
  t.match(
    await nssDatabases(join(home, 'nobody'), { XDG_DATA_HOME: join(home, '.local/share') }, true),
    [{ dir: recent }],
    'where the variable points',
  );
});

async function made(dir: string): Promise<PublicCertificate> {
  await createCertificate(dir);
  const part = await readPublicPart(dir);
  if (!part) throw new Error('no certificate was made');
  return { pem: part.cert, sha1: part.thumbprintSha1 };
}

const listOf = (dir: string): string => execFileSync('certutil', ['-L', '-d', `sql:${dir}`], { encoding: 'utf8' });

t.test('NSS: a damaged database', certutil, async t => {
  const dir = t.testdir({ 'cert9.db': 'nonsense', 'key4.db': 'nonsense' });
  const store = nssStore(systemTools(process.env), { dir, browser: 'Firefox' });
  await t.rejects(store.trusted(certificate('A')), {
    fault: 'failed',
    message: /"certutil -L .*failed with code \d+: certutil: /,
  });
});

t.test('NSS: a database with a password, not trusted', certutil, async t => {
  const home = t.testdir();
  const a = await made(home);
  const dir = join(home, 'locked');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'password'), 'secret\n');
  execFileSync('certutil', ['-N', '-d', `sql:${dir}`, '-f', join(dir, 'password')]);
  const real = systemTools(process.env);
  // On a terminal, the tool would prompt.
  const tools = {
    ...real,
    run: (program: string, args: readonly string[]) => real.run('setsid', ['--wait', program, ...args]),
  };
  await t.rejects(nssStore(tools, { dir, browser: 'Firefox' }).add([a]), {
    fault: 'failed',
    message: /password|authenticate/i,
  });
  t.notMatch(listOf(dir), /platen/);
});

t.test('NSS: add, query, add again, add another, remove', certutil, async t => {
  const home = t.testdir();
  const a = await made(home);
  for (const [browser, flags] of [
    ['Chromium', 'P,,'],
    ['Firefox', 'C,,'],
  ] as const) {
    const dir = join(home, browser, 'nssdb');
    const store = nssStore(systemTools(process.env), { dir, browser });
    t.equal(await store.trusted(a), false);
    await store.add([a]);
    await store.add([a]);
    t.equal(await store.trusted(a), true);
    t.match(listOf(dir), new RegExp(`^platen-${a.sha1} +${flags} *$`, 'm'));
    const b = await made(home);
    await store.add([b]);
    t.equal(await store.remove(a), true);
    t.equal(await store.trusted(a), false);
    t.equal(await store.trusted(b), true, 'of the same name, and still there');
    t.equal(await store.remove(a), false);
    execFileSync('certutil', ['-M', '-d', `sql:${dir}`, '-n', `platen-${b.sha1}`, '-t', ',,']);
    t.equal(await store.trusted(b), false, 'its owner took the trust away');
    t.equal(await store.remove(b), true);
    t.notMatch(listOf(dir), /platen/);
  }
});
