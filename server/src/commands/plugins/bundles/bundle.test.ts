/** Bundles from the one computer to the other: pack with npm, add without npm and without a network. */
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { platenProgram } from '../../../machine/packageFolders.js';
import { installedPackage } from '../folder.js';
import { addKit, listed, plugin } from '../pluginsAdd.test.kit.js';
import { bundleOf, facts, manifestFor } from './bundle.test.kit.js';
import { openBundlesFolder, openStaging } from './bundlesFolder.js';
import { ownPlatform } from './platformName.js';

/** A registry that never answers, and what it was asked for. */
const asked: string[] = [];
const registry = createServer(({ url, socket }) => {
  asked.push(decodeURIComponent(url!));
  socket.destroy();
});
await new Promise<void>(resolve => registry.listen(0, '127.0.0.1', resolve));
t.teardown(() => registry.close());
const { config, newFolder, packed, platen, root } = await addKit(t, {
  npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
  npm_config_cache: t.testdir(),
  npm_config_fetch_retries: '0',
});

const part = () => packed('@acme/part', '7');
const needy = (version = '1.2.0', code = plugin(1)) =>
  packed('@acme/needy', `(await import('@acme/part'), await import('sharp'), ${code})`, {
    version,
    dependencies: { '@acme/part': '^1.0.0', sharp: '>=0.30' },
  });

/** A bundle of a plugin, written here. */
const written = (name: string, file: string, version = '1.0.0', code = plugin(1)): Promise<string> =>
  bundleOf(file, {
    [`node_modules/${name}/i.js`]: `export default ${code};`,
    [`node_modules/${name}/package.json`]: JSON.stringify({
      type: 'module',
      ...(JSON.parse(facts(name, version)) as object),
    }),
  });

const inside = (folder: string, ...parts: string[]): string => join(folder, 'platen-bundles', ...parts);
const versionIn = async (folder: string, name: string): Promise<unknown> =>
  (JSON.parse(await readFile(inside(folder, 'node_modules', name, 'package.json'), 'utf8')) as { version: string })
    .version;
/** What is not of packages: nothing is left of a staging. */
const leftIn = async (folder: string): Promise<string[]> =>
  (await readdir(inside(folder)).catch(() => [])).filter(each => !['node_modules', 'bundles.json'].includes(each));

t.test('pack, then add: a dependency inside, sharp of the installation, nothing asked of a network', async t => {
  const bundle = join(root, 'needy-bundle.tgz');
  const made = await platen(undefined, 'pack', await needy(), await part(), '--out', bundle);
  t.match(made, { code: 0, out: /needy 1\.2\.0, 2 packages.*every platform[^]*Not inside.*sharp/ });
  await t.rejects(platen(undefined, 'pack', await needy(), await part(), '--out', bundle), { code: 'usage' });
  const first = await readFile(bundle);
  await platen(undefined, 'pack', await needy(), await part(), '--out', bundle, '--force');
  t.ok(first.equals(await readFile(bundle)), 'the same bytes');
  asked.length = 0;
  const folder = newFolder();
  t.match(await platen(folder, 'add', bundle, '--offline'), { code: 0, out: /Added @acme\/needy 1\.2\.0/, err: '' });
  t.equal(await realpath(inside(folder, 'node_modules/sharp')), await installedPackage('sharp'));
  await t.rejects(platen(folder, 'remove', 'sharp'), { message: /no added plugin sharp/ });
  await writeFile(config, '{ "plugins": [{ "use": "@acme/needy" }] }');
  t.match((await platen(folder, 'list')).out, /^loaded +@acme\/needy 1\.2\.0/);
  await writeFile(config, '{ "plugins": [] }');
  t.match(await platen(folder, 'remove', '@acme/needy'), { code: 0, out: /Removed/ });
  await t.rejects(platen(folder, 'remove', '@acme/needy'), { message: /no added plugin/ });
  t.same(asked, []);
  t.same(await leftIn(folder), []);
});

t.test('a Node without npm, and none in PATH: added, listed, removed', async t => {
  const dir = join(root, 'bare');
  await mkdir(dir);
  const node = join(dir, process.platform === 'win32' ? 'node.exe' : 'node');
  await copyFile(process.execPath, node);
  const configFile = join(dir, 'platen.json');
  await writeFile(configFile, '{ "plugins": [{ "use": "@acme/bare" }] }', { mode: 0o600 });
  const env = {
    PATH: dir,
    PLATEN_CONFIG: configFile,
    PLATEN_DATA_DIR: join(dir, 'data'),
    PLATEN_PLUGINS_DIR: join(dir, 'p'),
  };
  const bare = (...args: string[]) =>
    promisify(execFile)(node, [platenProgram, 'plugins', ...args], { cwd: root, env });
  await written('@acme/bare', join(root, 'bare.tgz'));
  await t.rejects(bare('add', await packed('@acme/plain', plugin(1))), { message: /There is no npm/ });
  t.match(await bare('add', 'bare.tgz'), { stdout: /Added @acme\/bare 1\.0\.0/ });
  t.match(await bare('list'), { stdout: /^loaded +@acme\/bare 1\.0\.0/ });
  t.match(await bare('remove', '@acme/bare'), { stdout: /Removed @acme\/bare/ });
});

t.test('pack: wrong words, a folder, a package for one platform, a missing dependency', async t => {
  const out = ['--out', join(root, 'x.tgz')];
  for (const args of [
    ['@acme/a'],
    ['@acme/a', '--out', 'x.zip'],
    ['git+ssh://host/x', ...out],
    ['@platen/core', ...out],
    ['./nowhere', ...out],
    ['@acme/a', ...out, '--platform', 'beos-x64'],
  ])
    await t.rejects(platen(undefined, 'pack', ...args), { code: 'usage' }, args.join(' '));
  t.equal((await platen(undefined, 'pack', ...out)).code, 2);
  await t.rejects(platen(newFolder(), 'add', '@acme/a', '--out', 'x.tgz'), { code: 'usage' });
  await t.rejects(platen(undefined, 'pack', await needy(), ...out), { message: /ECONNRESET/ });

  await packed('@acme/own', plugin(1), { os: ['linux', 'win32'], files: ['i.js'] });
  const folder = join(root, 'sources/@acme/own/package');
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/x.ts'), '');
  const both = await platen(undefined, 'pack', folder, ...out, '--platform', 'win32-x64,linux-x64');
  t.match(both, { code: 0, out: /own 1\.2\.0, 1 package, .*for linux-x64, win32-x64\./ });
  await symlink('/etc/passwd', join(folder, 'i.link'));
  await writeFile(join(folder, 'prog'), Buffer.from('7f454c4602', 'hex'));
  await packed('@acme/own', plugin(1), { files: ['i.js', 'prog'] });
  const own = await platen(undefined, 'pack', folder, ...out, '--force');
  t.match(own.out, new RegExp(`for ${ownPlatform()}\\.`), 'a program is for one platform');
});

t.test('add: refusals change nothing', async t => {
  const folder = newFolder();
  const file = join(root, 'a.tgz');
  await platen(folder, 'add', await written('@acme/a', file));
  const files = { 'node_modules/@acme/a/i.js': '', 'node_modules/@acme/a/package.json': facts('@acme/a', '2.0.0') };
  const refuse = async (more: object, message: RegExp): Promise<void> => {
    await bundleOf(file, files, manifestFor(files, more));
    await t.rejects(platen(folder, 'add', file), { message });
    t.equal(await versionIn(folder, '@acme/a'), '1.0.0');
    t.same(await leftIn(folder), []);
  };
  await refuse({ platforms: ['linux-arm', 'win32-ia32'] }, /is for linux-arm, win32-ia32, and this computer is/);
  const provided = { name: 'sharp', version: '99.0.0', range: '^99.0.0', by: '@acme/a' };
  await refuse({ provided: [provided] }, /@acme\/a needs sharp \^99\.0\.0, and this installation has/);
  await refuse({ provided: [{ ...provided, name: 'no-such' }] }, /has none/);
  await bundleOf(file, { ...files, 'node_modules/@acme/a/i.js': '1' }, manifestFor(files));
  await t.rejects(platen(folder, 'add', file), { message: /not those that were packed/ });
  t.equal(await versionIn(folder, '@acme/a'), '1.0.0');
  await t.rejects(platen(folder, 'add', '@acme/x', '--offline'), { code: 'usage', message: /plugins pack @acme\/x/ });
  asked.length = 0;
  await t.rejects(platen(folder, 'add', await needy(), '--offline'), {
    message: /needs @acme\/part.*asks no registry/,
  });
  t.same(asked, []);
});

// Nobody makes folders in /sys, not even root.
const skip = process.platform !== 'linux' && 'there is no such folder';
t.test('add: a folder that this account cannot write', { skip }, async t => {
  const file = await written('@acme/a', join(root, 'w.tgz'));
  await t.rejects(platen('/sys/platen', 'add', file), { message: /cannot write to .*administrator rights/ });
});

t.test('add: one that does not load is withdrawn, and the version before is there again', async t => {
  const folder = newFolder();
  const file = join(root, 'v.tgz');
  const bad = await platen(folder, 'add', await written('@acme/v', file, '0.9.0', '7'));
  t.match(bad, { code: 1, err: /not a Platen plugin[^]*Removed @acme\/v again/ });
  await platen(folder, 'add', await written('@acme/v', file, '1.0.0'));
  const late = await platen(folder, 'add', await written('@acme/v', file, '2.0.0', plugin(2)));
  t.match(late, { code: 1, err: /api 2[^]*before is there again/ });
  t.equal(await versionIn(folder, '@acme/v'), '1.0.0');
  t.match(await openBundlesFolder(folder).records(), [{ file: 'v.tgz', plugins: [{ version: '1.0.0' }] }]);
  t.equal((await platen(folder, 'add', await written('@acme/v', file, '1.1.0'))).code, 0);
  t.equal(await versionIn(folder, '@acme/v'), '1.1.0');
  t.same(await leftIn(folder), []);
});

t.test('add: a failure between two packages, or an end of the process, restores what was there', async t => {
  const folder = newFolder();
  await platen(folder, 'add', await written('@acme/one', join(root, 'one.tgz')));
  const files = {
    'node_modules/@acme/one/i.js': '',
    'node_modules/@acme/one/package.json': facts('@acme/one', '2.0.0'),
    'node_modules/two/package.json': facts('two'),
  };
  const both = await bundleOf(join(root, 'both.tgz'), files);
  // A file where the folder of the second one's scope should be.
  const manifest = manifestFor({ ...files, 'node_modules/@b/two/package.json': facts('@b/two') });
  await bundleOf(both, { ...files, 'node_modules/@b/two/package.json': facts('@b/two') }, manifest);
  await writeFile(inside(folder, 'node_modules/@b'), '');
  await t.rejects(platen(folder, 'add', both));
  t.equal(await versionIn(folder, '@acme/one'), '1.0.0');
  t.match(await openBundlesFolder(folder).records(), [{ file: 'one.tgz' }]);
  await rm(inside(folder, 'node_modules/@b'));

  const staging = await openStaging(openBundlesFolder(folder));
  await staging.take('@acme/one');
  await mkdir(inside(folder, 'staging-1x-other'));
  await (await openStaging(openBundlesFolder(folder))).close();
  t.equal(await versionIn(folder, '@acme/one'), '1.0.0', 'the next command finds it');
  t.same(await leftIn(folder), ['staging-1x-other'], 'what is not its own stays');
});

t.test('npm beside bundles: it removes none of them, and what was added last holds', async t => {
  const folder = newFolder();
  await platen(folder, 'add', await written('@acme/b', join(root, 'b.tgz')));
  t.equal((await platen(folder, 'add', await packed('@acme/other', plugin(1)))).code, 0);
  t.equal(await versionIn(folder, '@acme/b'), '1.0.0', 'npm did not remove it');
  t.match(await platen(folder, 'add', await packed('@acme/b', '7')), { code: 1, err: /Removed @acme\/b again/ });
  t.equal(await versionIn(folder, '@acme/b'), '1.0.0', 'it is there again');
  t.match(await platen(folder, 'add', await packed('@acme/b', plugin(1))), {
    code: 0,
    out: /Added @acme\/b 1\.2\.0/,
    err: '',
  });
  await t.rejects(versionIn(folder, '@acme/b'), { code: 'ENOENT' }, "npm's replaced it");
  t.same(await openBundlesFolder(folder).records(), []);
  t.match(await platen(folder, 'add', join(root, 'b.tgz')), { code: 0, out: /1\.0\.0[^]*of npm.*no longer used/ });
  t.match(await platen(folder, 'remove', '@acme/b', '@acme/other'), { code: 0 });
  t.same(await listed(folder), [], 'both are gone');
  await t.rejects(versionIn(folder, '@acme/b'), { code: 'ENOENT' });
});

t.test('plugins.d: what is new is added once, in the order of versions; one that fails holds up no other', async t => {
  const folder = newFolder();
  t.match(await platen(folder, 'add', '--offline'), { code: 0, out: /no bundle in .*plugins\.d/ });
  t.equal((await platen(folder, 'add')).code, 2);
  const drop = join(folder, 'plugins.d');
  await mkdir(drop, { recursive: true, mode: 0o755 });
  await written('@acme/a', join(drop, 'a-1.10.0.tgz'), '1.10.0');
  await written('@acme/a', join(drop, 'a-1.9.0.tgz'), '1.9.0');
  await writeFile(join(drop, 'bad.tgz'), 'text');
  await written('deu', join(drop, 'c.tgz'));
  const both = await platen(folder, 'add', '--offline');
  t.match(both, { code: 1, out: /1\.9\.0[^]*1\.10\.0[^]*Added deu/, err: /bad\.tgz is not a bundle/ });
  await rm(join(drop, 'bad.tgz'));
  t.match(await platen(folder, 'add', '--offline'), { code: 0, out: /^All bundles/ });
  t.equal(await versionIn(folder, '@acme/a'), '1.10.0');
  t.match(await platen(folder, 'remove', 'deu'), { code: 0, err: /c\.tgz is still there/ });
  t.match(await platen(folder, 'add', '--offline'), { code: 0, out: /^Added deu/ });
});

t.test('plugins.d: a folder that others may write is refused', { skip: process.platform === 'win32' }, async t => {
  const folder = newFolder();
  const drop = join(folder, 'plugins.d');
  await mkdir(drop, { recursive: true });
  await written('@acme/a', join(drop, 'a.tgz'));
  await chmod(drop, 0o777);
  t.match(await platen(folder, 'add', '--offline'), { code: 1, err: /a\.tgz was refused: .*writable by other/ });
  await t.rejects(versionIn(folder, '@acme/a'), { code: 'ENOENT' });
});

t.test('data: not tried out, and the bundle says that it is data', async t => {
  const folder = newFolder();
  const bundle = join(root, 'deu-bundle.tgz');
  t.equal((await platen(undefined, 'pack', await packed('deu', '7'), '--out', bundle, '--data')).code, 0);
  t.match(await platen(folder, 'add', bundle), { code: 0, out: /Added deu 1\.2\.0.*Restart/ });
});
