/**
 * The rpm, which rpm itself installs into the folder of a Debian: its files and its scripts, which are mostly the deb's.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs } from '@platen/conformance';
import t from 'tap';
import { buildInstaller } from './build.js';
import { needsDebian, unpackDebian } from './debian.js';
import { difference, listOf } from './listing.js';

const call = promisify(execFile);

if (needsDebian(t) && ['rpm', 'rpmbuild'].every(program => needs(t, program))) {
  t.test('the rpm', { timeout: 400_000 }, async t => {
    const work = await mkdtemp(join(tmpdir(), 'platen-rpm-'));
    t.teardown(() => rm(work, { recursive: true, force: true }));
    const debian = await unpackDebian();
    t.teardown(() => debian.remove());
    const { folder } = debian;
    const bare = listOf(folder);
    const file = await buildInstaller('rpm', work);
    const mounted =
      'mount --make-rprivate / && mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && exec rpm --root "$0" --dbpath /var/lib/rpm "$@"';
    /** Its dependencies have other names here. */
    const rpm = async (...args: string[]): Promise<string> =>
      (
        await call('unshare', [
          ...['--mount', '--pid', '--fork', '--kill-child', '--', 'sh', '-c', mounted, folder],
          ...args,
        ])
      ).stdout;
    const configuration = join(folder, 'etc/platen/platen.json');

    await t.test('an installation', async t => {
      await rpm('-i', '--nodeps', file);
      t.equal(await rpm('-V', '--nodeps', 'platen'), '', 'all files are as they were packed');
      const { accounts, trusted } = listOf(folder);
      const [, , uid] = accounts.find(line => line.startsWith('platen:'))?.split(':') ?? [];
      const data = await stat(join(folder, 'var/lib/platen'));
      t.same([data.mode & 0o777, data.uid], [0o700, Number(uid)]);
      t.ok(
        accounts.some(line => /^lp:.*:platen$/.test(line)),
        'it may use scanners',
      );
      for (const name of ['platen', 'platen-2', 'platen-5']) {
        const copy = await readFile(join(folder, `usr/local/share/ca-certificates/${name}.crt`), 'utf8');
        t.ok(trusted.includes(copy.trim()), name);
      }
      t.match(await debian.run('platen', '--version'), /^Platen \d/);
      t.match(await debian.run('systemctl', 'is-enabled', 'platen'), /^enabled/);
    });

    await t.test('an update with an edited configuration', async t => {
      await writeFile(configuration, '{ "plugins": [] }\n');
      await rpm('-U', '--nodeps', '--replacepkgs', file);
      t.equal(await readFile(configuration, 'utf8'), '{ "plugins": [] }\n');
      t.match(await debian.run('systemctl', 'is-enabled', 'platen'), /^enabled/);
    });

    await t.test('a removal', async t => {
      await rpm('-e', 'platen');
      const left = listOf(folder);
      const { added, missing } = difference(bare, left);
      t.same(missing, []);
      t.same(
        added.filter(path => !/^\/var\/lib\/(rpm|platen)\//.test(path)),
        ['/etc/platen', '/etc/platen/platen.json.rpmsave', '/var/lib/platen', '/var/lib/rpm'],
        'leaves the configuration and the data',
      );
      t.equal(left.trusted, bare.trusted);
    });
  });
}
