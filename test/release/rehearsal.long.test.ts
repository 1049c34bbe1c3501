/** A release as its users meet it: from a registry, onto a desk without a compiler, scanned with, updated in place. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { pack } from '../plugins/npm.js';
import { needsSane } from '../topology/saneTopology.js';
import { loadParts } from '../tools/releaseParts.js';

const run = promisify(execFile);

if (needsSane(t)) {
  t.test('a release', { timeout: 600_000 }, async t => {
    const parts = await loadParts();
    const folder = await mkdtemp(join(tmpdir(), 'platen-rehearsal-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const from = await parts.ensureRelease({ version: '0.1.0' });
    const to = await parts.ensureRelease({ version: '0.2.0' });

    await t.test('a tarball without a file that it names or imports is refused', async t => {
      const [shared = ''] = await readdir(join(from.folder, 'packages/@platen/core/dist/shared'));
      for (const missing of ['dist/plugin.js', 'dist/images/imageThread.js', `dist/shared/${shared}`, 'LICENSE']) {
        const tarballs = await changed('@platen/core', root => rm(join(root, missing)));
        t.throws(() => parts.checkTarballs(tarballs), { message: missing }, missing);
      }
    });

    await t.test('a program that is not the one whose hash is published is refused', async t => {
      const tarballs = await changed('@platen/driver-sane-linux-x64', root =>
        writeFile(join(root, 'bin', 'platen-sane-helper'), '\n', { flag: 'a' }),
      );
      t.throws(() => parts.checkTarballs(tarballs), { message: 'platen-sane-helper' });
      const without = from.tarballs.filter(({ name }) => name !== '@platen/driver-sane-linux-x64');
      t.throws(() => parts.checkTarballs(without), { message: '@platen/driver-sane-linux-x64' });
    });

    await t.test('a release over its limits is refused', async t => {
      const good = { seconds: 1, packages: 1, megabytes: 1, pages: 1 };
      parts.withinLimits(good);
      t.throws(() => parts.withinLimits({ ...good, packages: 21 }), { message: '21' });
      t.throws(() => parts.withinLimits({ ...good, megabytes: 120.1 }), { message: '120.1' });
    });

    parts.checkTarballs(from.tarballs);
    parts.checkTarballs(to.tarballs);
    const registry = await parts.startRegistry({ folder: join(folder, 'registry') });
    t.teardown(() => registry.stop());

    await t.test('our scope never comes from elsewhere', async t => {
      t.equal((await fetch(`${registry.url}@platen%2fcore`)).status, 404);
      for (const { file } of from.tarballs) await registry.publish(file);
      t.equal((await fetch(`${registry.url}@platen%2fcore`)).status, 200);
    });

    const options = { registry: registry.url, cache: join(folder, 'npm') };
    const { desk, env, figures } = await parts.installAndScan({
      ...options,
      folder: join(folder, 'desk'),
      version: '0.1.0',
    });
    t.comment(JSON.stringify(figures));
    t.equal(figures.pages, 10, 'all pages of the feeder of SANE’s test device');
    parts.withinLimits(figures);
    await parts.loadPlugins(desk, env);
    t.ok((await parts.scanVirtual(desk)) > 0, 'pages of the virtual scanner');

    await t.test('a package that needs a compiler cannot be installed', async t => {
      const needy = join(folder, 'needy');
      await mkdir(needy);
      await writeFile(join(needy, 'package.json'), JSON.stringify({ name: 'needy', version: '1.0.0' }));
      await writeFile(join(needy, 'needy.c'), 'int main(void) { return 0; }\n');
      const targets = [{ target_name: 'needy', type: 'executable', sources: ['needy.c'] }];
      await writeFile(join(needy, 'binding.gyp'), JSON.stringify({ targets }));
      await t.rejects(desk.install(await pack(needy, folder)), { message: /node-gyp|gyp ERR/ });
    });

    await t.test('an update keeps a vendor’s driver and the helpers', async t => {
      for (const { file } of to.tarballs) await registry.publish(file);
      t.same(await parts.update(desk, { version: '0.2.0', env }), { before: '0.1.0', after: '0.2.0' });
    });

    /** @returns the release with one package's files changed */
    async function changed(name: string, change: (root: string) => Promise<void>) {
      const place = await mkdtemp(join(folder, 'changed-'));
      await cp(join(from.folder, 'packages', name), join(place, 'package'), { recursive: true });
      await change(join(place, 'package'));
      const file = join(place, 'changed.tgz');
      await run('tar', ['-czf', file, '-C', place, 'package']);
      return from.tarballs.map(each => (each.name === name ? { ...each, file } : each));
    }
  });
}
