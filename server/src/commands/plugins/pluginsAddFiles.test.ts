/** Packed packages on a computer without a network: what they need, where it comes from, and whose name they have. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { installedPackage } from './folder.js';
import { addKit, listed, plugin, run } from './pluginsAdd.test.kit.js';

/** A registry that never answers, and what it was asked for. */
const asked: string[] = [];
const registry = createServer(({ url, socket }) => {
  asked.push(decodeURIComponent(url!));
  socket.destroy();
});
await new Promise<void>(resolve => registry.listen(0, '127.0.0.1', resolve));
t.teardown(() => registry.close());
const cache = await mkdtemp(join(tmpdir(), 'platen-add-cache-'));
t.teardown(() => rm(cache, { recursive: true, force: true }));
const { newFolder, packed, platen, root } = await addKit(t, {
  npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
  npm_config_cache: cache,
});

const needy = () => packed('@acme/needy', plugin(1), { dependencies: { '@acme/part': '^1.0.0' } });

t.test('add: a dependency that is in no file, named with its version, without retries', async t => {
  const folder = newFolder();
  await t.rejects(platen(folder, 'add', await needy()), {
    npmCode: 'ECONNRESET',
    message: /@acme\/needy needs @acme\/part \^1\.0\.0.*bundleDependencies/,
  });
  // npm asks for the short manifest and for the long one; with retries, three times as often.
  t.ok(asked.length <= 2, asked.join());
  const sharp = await packed('shared', plugin(1), { dependencies: { sharp: '9.9.9' } });
  await t.rejects(platen(folder, 'add', sharp), { message: /sharp 9\.9\.9.*peerDependencies/ });
});

t.test('add: its file too, or inside, or a peer that the installation has, no network is needed', async t => {
  const folder = newFolder();
  const both = await platen(folder, 'add', await needy(), await packed('@acme/part', plugin(1)));
  t.match(both, { code: 0, out: /Added @acme\/needy[^]*Added @acme\/part/ });
  const imports = `import './i.js'; import '@acme/inside'; export default ${plugin(1)};`;
  const facts = { dependencies: { '@acme/inside': '2.0.0' }, bundleDependencies: true, exports: './main.js' };
  const file = await packed('@acme/whole', plugin(1), facts);
  const source = join(root, 'sources/@acme/whole');
  const inside = join(source, 'package/node_modules/@acme/inside');
  await mkdir(inside, { recursive: true });
  await writeFile(join(inside, 'package.json'), '{"name":"@acme/inside","version":"2.0.0","exports":"./i.js"}');
  await writeFile(join(inside, 'i.js'), '');
  await writeFile(join(source, 'package/main.js'), imports);
  await run('tar', ['-czf', file, '-C', source, 'package']);
  const peer = await packed('webp', `(await import('sharp'), ${plugin(1)})`, { peerDependencies: { sharp: '*' } });
  asked.length = 0;
  t.match(await platen(folder, 'add', file, peer), { code: 0, out: /Added @acme\/whole[^]*Added webp/ });
  t.equal(await realpath(join(folder, 'node_modules/sharp')), await installedPackage('sharp'));
  t.same(asked, []);
});

t.test('add: a file with two manifests, neither of its names is added, and the plugin of that name stays', async t => {
  const folder = newFolder();
  const good = await packed('@acme/good', plugin(1));
  t.equal((await platen(folder, 'add', good)).code, 0);
  const file = await packed('innocent', plugin(1));
  const tar = file.replace(/tgz$/, 'tar');
  await run('tar', ['-cf', tar, '-C', join(root, 'sources/innocent'), 'package']);
  await run('tar', ['-rf', tar, '-C', join(root, 'sources/@acme/good'), 'package/package.json']);
  await writeFile(file, gzipSync(await readFile(tar)));
  const { code, err } = await platen(folder, 'add', file);
  t.equal(code, 1);
  t.match(err, /innocent says that it is @acme\/good[^]*Removed innocent again/);
  t.same(await listed(folder), ['@acme/good']);
  await t.rejects(realpath(join(folder, 'node_modules/innocent')), { code: 'ENOENT' });
  t.match(JSON.parse(await readFile(join(folder, 'node_modules/@acme/good/package.json'), 'utf8')), {
    version: '1.2.0',
  });
});
