/** The deb on a bare Debian: installed in one command, started by systemd, upgraded, removed, purged. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs } from '@platen/conformance';
import t from 'tap';
import { SHEETS, TESTER } from '../sane/testBackend.js';
import { buildInstaller } from './build.js';
import { installation, prepare, visit } from './deb.js';
import { needsDebian, unpackDebian, until } from './debian.js';
import { features, fleetFiles, walkFleet } from './linuxFleet.js';
import { difference, listOf, type Listing } from './listing.js';

const call = promisify(execFile);

/** The same files as a later version, with another template of the configuration. */
async function nextVersion(deb: string, folder: string): Promise<string> {
  const files = join(folder, 'next');
  await call('dpkg-deb', ['-R', deb, files]);
  const control = join(files, 'DEBIAN', 'control');
  await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*/m, 'Version: 999.0.0'));
  const template = join(files, 'usr/share/platen/platen.json');
  await writeFile(template, `${await readFile(template, 'utf8')}\n`);
  const next = join(folder, 'platen-next.deb');
  await call('dpkg-deb', ['--root-owner-group', '-Znone', '--build', files, next]);
  await rm(files, { recursive: true });
  return next;
}

/**
 * Debian's own check of a package, without the files of others, which take it a minute and of which
 * setup/installers/linux/deb/lintian-overrides tells.
 * @returns what it says about errors and warnings; empty if there are none
 */
async function lintian(deb: string, folder: string): Promise<string> {
  const files = join(folder, 'own');
  await call('dpkg-deb', ['-R', deb, files]);
  for (const name of ['node', 'npm', 'node_modules'])
    await rm(join(files, 'usr/lib/platen', name), { recursive: true });
  const own = join(folder, 'platen-own.deb');
  await call('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', files, own]);
  await rm(files, { recursive: true });
  const check = call('lintian', ['--allow-root', '--tag-display-limit', '0', '--fail-on', 'error,warning', own]);
  return check.then(
    () => '',
    (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`,
  );
}

/** A Debian that has what the deb depends on, and never had the deb. */
async function withoutPlaten(deb: string): Promise<Listing> {
  const debian = await unpackDebian();
  try {
    await prepare(debian);
    const { stdout } = await call('dpkg-deb', ['-f', deb, 'Depends']);
    await debian.run('apt-get', 'satisfy', '-y', '-q', stdout.trim());
    return listOf(debian.folder);
  } finally {
    await debian.remove();
  }
}

const scanned = { status: 200, pages: SHEETS, page: 'ffd8ff', trusted: true };
/** Without a network: everything that it needs is there. */
const apt = ['apt-get', '-y', '-q'];

if (needsDebian(t) && needs(t, 'dpkg-deb') && needs(t, 'lintian')) {
  t.test('the deb on a bare Debian', { timeout: 600_000 }, async t => {
    const work = await mkdtemp(join(tmpdir(), 'platen-installers-'));
    t.teardown(() => rm(work, { recursive: true, force: true }));
    const debian = await unpackDebian();
    t.teardown(() => debian.remove());
    const { folder } = debian;

    const deb = await buildInstaller('deb', work);
    const next = await nextVersion(deb, work);
    t.equal(await lintian(deb, work), '');
    const expected = await withoutPlaten(deb);
    await prepare(debian, deb);
    await call('mv', [next, join(folder, 'root/next.deb')]);

    const began = Date.now();
    t.match(await debian.run(...installation), /platen: .*"origins": "ask"/, 'it offers that pages ask');
    t.comment(`installed in ${Date.now() - began} ms, without systemd as the first process`);

    const booted = await debian.boot();
    t.teardown(() => booted.stop());
    t.match(await visit(debian, booted), scanned, 'the enabled service starts and scans; the system trusts it');
    t.comment(`first page after ${Date.now() - began} ms`);
    const active = (): Promise<string> => booted.run('systemctl', 'show', '-p', 'ActiveState,MainPID,User', 'platen');
    t.match(await active(), /ActiveState=active[^]*User=platen|User=platen[^]*ActiveState=active/);

    await t.test('the unit', async t => {
      t.equal(await booted.run('systemd-analyze', 'verify', 'platen.service'), '');
      // Fails above 4.0.
      const security = ['systemd-analyze', 'security', '--offline=true', '--threshold=40', '--no-pager'];
      const rating = await booted.run(...security, '/usr/lib/systemd/system/platen.service');
      t.comment(rating.trim().split('\n').at(-1));
      const pid = /MainPID=(\d+)/.exec(await active())?.[1];
      const status = await booted.run('cat', `/proc/${pid}/status`);
      t.match(status, /^NoNewPrivs:\t1$/m);
      t.match(status, /^Seccomp:\t2$/m);
      t.match(status, /^CapEff:\t0+$/m);
      const variables = (await booted.run('cat', `/proc/${pid}/environ`)).split('\0');
      // glibc 2.36 overwrites each colon with a zero as it reads them; later ones leave it.
      t.ok(variables.some(each => /^GLIBC_TUNABLES=glibc\.malloc\.arena_max=1(?:$|:)/.test(each)));
      t.equal(await booted.run('stat', '-c', '%U %a', '/var/lib/platen'), 'platen 700\n');
    });

    await t.test('the doctor, of the service and of root', async t => {
      const as = ['setpriv', '--reuid=platen', '--regid=platen', '--init-groups'];
      for (const account of [as, []]) {
        // SANE's first search ends later than its first scanner is listed.
        const doctor = await until(() => booted.run(...account, 'platen', 'doctor', '--json'));
        t.match(JSON.parse(doctor), { ok: true }, account.join(' '));
        const status = await booted.run(...account, 'platen', 'cert', 'status', '--json');
        t.match(JSON.parse(status), { valid: true, trust: [{ trusted: true }] });
      }
      t.match(await booted.run('platen', 'scan', '--list'), new RegExp(TESTER), 'through the running service');
      await booted.run('platen', 'support', '--out', '/root/platen.txt');
      t.match(await booted.run('platen', 'config', 'check'), '/etc/platen/platen.json');
      t.match(await booted.run('platen', 'plugins', 'list'), /loaded +@platen\/driver-sane/);
      t.equal(await booted.run('find', '/var/lib/platen', '!', '-user', 'platen'), '', "nothing in it is root's");
      t.notOk(existsSync(join(folder, 'root/.local')), 'root has no data folder of its own');
      await booted.run('platen', 'cert', 'remove');
      await booted.run('platen', 'cert', 'install');
      t.equal(await booted.run('find', '/var/lib/platen', '!', '-user', 'platen'), '');
      await booted.run('systemctl', 'restart', 'platen');
      t.match(await visit(debian, booted), scanned, 'the new certificate is trusted');
      await rm(join(folder, 'root/platen.txt'));
    });

    await t.test('plugins are switched by a file and by a command, and keys are fixed, without a restart', async t => {
      const pid = await booted.run('systemctl', 'show', '-p', 'MainPID', 'platen');
      const conf = join(folder, 'etc/platen/conf.d');
      await mkdir(conf, { mode: 0o755 });
      t.equal((await features(booted)).barcodes.available, true);
      const dropped = join(folder, 'etc/platen/20-front-desk.json');
      await writeFile(dropped, '{ "plugins": [{ "use": "@platen/barcode", "enabled": false }] }', { mode: 0o644 });
      await rename(dropped, join(conf, '20-front-desk.json'));
      while ((await features(booted)).barcodes.available) t.comment('not yet');
      t.match(await booted.run('platen', 'plugins', 'disable', 'ocr'), /@platen\/ocr was switched off/);
      t.equal((await features(booted)).text.available, false);
      t.match(await booted.run('platen', 'config', 'show'), /ocr\]\.enabled = false {2}# .*80-plugins\.json/);
      await writeFile(join(folder, 'etc/platen/policy.json'), '{ "log": { "level": "warn" } }', { mode: 0o644 });
      t.match(await booted.run('platen', 'config', 'show'), /log\.level = "warn" {2}# .*policy\.json, line 1, fixed/);
      await rm(join(folder, 'etc/platen/policy.json'));
      await rm(join(conf, '20-front-desk.json'));
      await booted.run('platen', 'plugins', 'enable', 'ocr');
      await booted.run('systemctl', 'reload', 'platen');
      while (!(await features(booted)).barcodes.available) t.comment('not yet');
      t.equal(await booted.run('systemctl', 'show', '-p', 'MainPID', 'platen'), pid, 'the same process');
      await rm(conf, { recursive: true });
    });

    await t.test('a fleet without a network: bundles, a licence by a file, two groups by two files', async t => {
      const since = Date.now();
      await walkFleet(t, debian, booted, work);
      t.comment(`${Date.now() - since} ms`);
    });

    const configuration = join(folder, 'etc/platen/platen.json');
    const template = join(folder, 'usr/share/platen/platen.json');
    const plugin = join(folder, 'usr/local/lib/platen/node_modules/acme/package.json');
    await mkdir(join(plugin, '..'), { recursive: true });
    await writeFile(plugin, '{}');
    const certificate = join(folder, 'var/lib/platen/certificate/cert.pem');
    const before = await readFile(certificate, 'utf8');
    const bundle = await readFile(join(certificate, '..', 'trusted.pem'), 'utf8');
    const certificates = bundle.split(/(?<=-----END CERTIFICATE-----)\n/).filter(each => each !== '');
    t.equal(certificates.length, 5);
    t.ok(
      certificates.every(each => listOf(folder).trusted.includes(each)),
      'the system trusts all that will be served',
    );
    const first = await readFile(configuration, 'utf8');

    await t.test('an upgrade', async t => {
      await booted.run(...apt, 'install', '/root/next.deb');
      t.match(await booted.run('dpkg-query', '-W', 'platen'), '999.0.0');
      t.match(await visit(debian, booted), scanned);
      t.not(await readFile(configuration, 'utf8'), first);
      t.equal(await readFile(configuration, 'utf8'), await readFile(template, 'utf8'), 'nobody edited it: a new one');
      t.equal(await readFile(certificate, 'utf8'), before, 'keeps the certificate');
      t.ok(existsSync(plugin), 'keeps plugins beside it');
      t.match(
        await features(booted),
        { barcodes: { available: false }, recognisers: /stamps/ },
        'and those of bundles',
      );
    });

    await t.test('an upgrade with an edited configuration', async t => {
      const edited = `${first}\n\n`;
      await writeFile(configuration, edited);
      // As an unattended upgrade: dpkg would stop at a question.
      await booted.run(...apt, 'install', '--allow-downgrades', '/root/platen.deb');
      t.notMatch(await booted.run('dpkg-query', '-W', 'platen'), '999.0.0');
      t.equal(await readFile(configuration, 'utf8'), edited);
      t.match(await booted.run('systemctl', 'is-active', 'platen'), /^active/);
    });

    const uid = (await booted.run('id', '-u', 'platen')).trim();
    const processes = (): Promise<string> => booted.run('find', '/proc', '-maxdepth', '1', '-uid', uid);
    t.match(await processes(), /proc/);
    await t.test('a removal', async t => {
      await booted.run(...apt, 'remove', 'platen');
      await t.rejects(booted.run('systemctl', 'is-active', 'platen'));
      t.equal(await processes(), '', 'no process is left');
      const left = listOf(folder);
      t.equal(left.trusted, expected.trusted, 'the system trusts what it trusted before');
      const { added, missing } = difference(expected, left);
      t.strictSame(missing, []);
      t.strictSame(
        added.filter(path => !path.startsWith('/var/lib/platen/')),
        [
          '/etc/platen',
          ...fleetFiles.etc.map(path => `/etc/platen/${path}`),
          '/etc/platen/platen.json',
          '/etc/systemd/system/multi-user.target.wants/platen.service',
          '/usr/local/lib/platen',
          '/usr/local/lib/platen/node_modules',
          '/usr/local/lib/platen/node_modules/acme',
          '/usr/local/lib/platen/node_modules/acme/package.json',
          ...fleetFiles.plugins.map(path => `/usr/local/lib/platen/${path}`),
          '/var/lib/dpkg/info/platen.list',
          '/var/lib/dpkg/info/platen.postrm',
          '/var/lib/platen',
          '/var/lib/systemd/deb-systemd-helper-enabled/multi-user.target.wants/platen.service',
          '/var/lib/systemd/deb-systemd-helper-enabled/platen.service.dsh-also',
        ],
        "leaves configuration, data, plugins, and the package manager's record of it",
      );
      t.equal(await readFile(certificate, 'utf8'), before);
    });

    await t.test('installed again, then purged', async t => {
      await booted.run(...apt, 'install', '/root/next.deb');
      t.match(await visit(debian, booted), scanned, 'starts and scans again');
      // What an administrator wrote beside it would count at the next installation.
      await writeFile(join(folder, 'etc/platen/origins.json'), '{ "grants": [] }');
      await booted.run(...apt, 'purge', 'platen');
      const left = listOf(folder);
      t.strictSame(difference(expected, left), { added: [], missing: [] }, 'no file is left, and none is missing');
      t.equal(left.trusted, expected.trusted);
      t.strictSame(left.accounts, expected.accounts);
      t.equal(await processes(), '');
    });
    await booted.stop();
  });
}
