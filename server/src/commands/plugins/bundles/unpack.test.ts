/** Unpacking a bundle: whatever is not as it was packed is refused with the reason, and nothing leads elsewhere. */
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { bundleOf, facts, manifestFor, tarOf } from './bundle.test.kit.js';
import { isPortable } from './bundleManifest.js';
import { isBundle, unpackBundle } from './unpack.js';

const good = {
  'node_modules/@acme/a/i.js': 'export default 1;',
  'node_modules/@acme/a/package.json': facts('@acme/a'),
  'node_modules/@acme/a/node_modules/part/i.js': 'export default 2;',
  'node_modules/@acme/a/node_modules/part/package.json': facts('part'),
};
const accept = async (): Promise<void> => undefined;

t.test('each fault, and its reason', async t => {
  const folder = t.testdir();
  const file = join(folder, 'a.tgz');
  let tries = 0;
  const refused = async (because: RegExp, what: string, limits?: Parameters<typeof unpackBundle>[3]): Promise<void> => {
    t.equal(await isBundle(file), true, `${what}: known as a bundle`);
    const into = join(folder, `into-${(tries += 1)}`);
    await t.rejects(unpackBundle(file, into, accept, limits), { message: because }, what);
  };
  /** The files with another manifest. */
  const wrong = async (more: object, because: RegExp, what: string): Promise<void> => {
    await bundleOf(file, good, manifestFor(good, more));
    await refused(because, what);
  };

  const changed = { ...good, 'node_modules/@acme/a/node_modules/part/i.js': 'export default 3;' };
  await bundleOf(file, changed, manifestFor(good));
  await refused(/files of part 1\.0\.0 in it are not those/, 'a changed byte');

  const { 'node_modules/@acme/a/i.js': _, ...fewer } = good;
  await bundleOf(file, fewer, manifestFor(good));
  await refused(/files of @acme\/a/, 'a missing file');

  const packages = (manifestFor(good) as { packages: { path: string; integrity: string }[] }).packages;
  await wrong({ packages: packages.map(({ integrity: _, ...rest }) => rest) }, /"packages"/, 'no hash');
  await wrong({ packages: packages.slice(1) }, /"plugins"/, 'a plugin without a hash');
  await bundleOf(file, { ...good, 'node_modules/b/i.js': '' }, manifestFor(good));
  await refused(/"node_modules\/b\/i\.js" in it is of a package without a hash/, 'a file of no package');
  await wrong({ format: 2 }, /format/, 'a later format');
  await wrong({ platforms: [] }, /"platforms"/, 'no platform');
  await wrong({ plugins: [{ name: '../x', version: '1' }] }, /"plugins"/, 'a name that leads elsewhere');
  await wrong(
    { packages: [{ ...packages[0], path: 'node_modules/../x' }] },
    /"packages"/,
    'a path that leads elsewhere',
  );
  const twice = { name: '@acme/a', version: '1.0.0' };
  await wrong({ plugins: [twice, twice] }, /"plugins"/, 'a plugin twice');
  await wrong({ plugins: 7 }, /"plugins"/, 'a number');

  const inA = 'node_modules/@acme/a';
  for (const path of [
    `${inA}/../../../../out`,
    `${inA}/a\\b`,
    `${inA}//x`,
    `${inA}/C:x`,
    `${inA}/nul.js`,
    `${inA}/x.`,
  ]) {
    await bundleOf(file, { ...good, [path]: 'x' }, manifestFor(good));
    await refused(/may lead out of its folder/, path);
  }
  await bundleOf(file, { ...good, '/etc/x': 'x' }, manifestFor(good));
  await refused(/may lead out of its folder/, 'an absolute path');
  await bundleOf(file, { ...good, [`${inA}/I.js`]: 'x' }, manifestFor(good));
  await refused(/is in it twice/, 'two names that Windows takes for one');
  await bundleOf(file, { ...good, [`${inA}/i.js/x`]: 'x' }, manifestFor(good));
  await refused(/one name/, 'a file that is a folder, too');

  const tar = await tarOf({ 'bundle.json': JSON.stringify(manifestFor(good)), ...good });
  const link = Buffer.from(tar);
  const at = link.indexOf(`${inA}/i.js`);
  link[at + 156] = '2'.charCodeAt(0);
  const sum = link.subarray(at, at + 512).reduce((all, byte, i) => all + (i >= 148 && i < 156 ? 32 : byte), 0);
  link.write(sum.toString(8).padStart(6, '0'), at + 148);
  await writeFile(file, gzipSync(link));
  await refused(/is a link/, 'a link');

  await bundleOf(file, good);
  await refused(/too large/, 'a large file', { total: 1e9, file: 10, files: 100 });
  await refused(/too many/, 'many files', { total: 1e9, file: 1e9, files: 2 });
  await refused(/ends too early/, 'it unpacks to much', { total: 4096, file: 1e9, files: 100 });
  const { size } = await stat(file);
  await truncate(file, size - 20);
  await refused(/torn/, 'a torn file');
  const bytes = gzipSync(tar);
  bytes.writeUInt32LE(7, bytes.length - 8);
  await writeFile(file, bytes);
  await t.rejects(unpackBundle(file, join(folder, 'sum'), accept), { message: /torn/ }, 'a wrong checksum');
  t.notOk((await readdir(folder)).includes('out'));
});

t.test('a good one; one that is not accepted is not unpacked', async t => {
  const folder = t.testdir();
  const file = await bundleOf(join(folder, 'a.tgz'), good);
  const { manifest, sha512 } = await unpackBundle(file, join(folder, 'into'), accept);
  t.match(manifest, { data: false, plugins: [{ name: '@acme/a', version: '1.0.0' }] });
  t.match(sha512, /^[0-9a-f]{128}$/);
  t.equal(await readFile(join(folder, 'into/node_modules/@acme/a/i.js'), 'utf8'), 'export default 1;');
  const no = async (): Promise<void> => {
    throw new Error('not here');
  };
  await t.rejects(unpackBundle(file, join(folder, 'not'), no), { message: 'not here' });
  await t.rejects(stat(join(folder, 'not')), { code: 'ENOENT' });
});

t.test('what is not a bundle', async t => {
  const folder = t.testdir({ 'd.tgz': {}, 'text.tgz': 'text' });
  await writeFile(join(folder, 'p.tgz'), gzipSync(await tarOf({ 'package/package.json': facts('a') })));
  for (const name of ['d.tgz', 'text.tgz', 'p.tgz', 'none.tgz'])
    t.equal(await isBundle(join(folder, name)), false, name);
});

t.test('two hundred damaged bundles: none is unpacked as a good one', async t => {
  const folder = t.testdir();
  const file = await bundleOf(join(folder, 'a.tgz'), good);
  const tar = gunzipSync(await readFile(file));
  // Behind bundle.json: its own words are not hashed, and whoever changes them can change the hashes, too.
  const from = tar.indexOf('node_modules/@acme/a/i.js\0');
  let seed = 11;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 200; round += 1) {
    const damaged = Buffer.from(tar);
    const at = from + random(damaged.length - from - 1024);
    damaged[at] = damaged[at]! ^ (1 << random(8));
    await writeFile(file, gzipSync(damaged));
    const into = join(folder, `into-${round}`);
    const unpacked = await unpackBundle(file, into, accept).catch((error: Error) => error.message);
    // The padding, the time and the account of an entry are read by nobody.
    if (typeof unpacked === 'string') t.match(unpacked, /refused, and nothing was changed/);
    else t.equal(await readFile(join(into, 'node_modules/@acme/a/i.js'), 'utf8'), 'export default 1;');
  }
});

t.test('paths that mean the same on every system', async t => {
  for (const path of ['node_modules/@a/b/.x', 'a/b-c_d.e', 'a/ä']) t.equal(isPortable(path), true, path);
  for (const path of [
    '',
    '/a',
    'a/',
    'a//b',
    '.',
    'a/../b',
    'a/.',
    'a\\b',
    'C:/a',
    'a/con',
    'a/Aux.js',
    'a/b ',
    'a\u0001b',
  ])
    t.equal(isPortable(path), false, path);
});
