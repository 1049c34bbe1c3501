/** The file of conf.d that Platen writes: what is in it, and who may read it. */
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { isRoot, platform } from '../platform.js';
import { ownEntries, ownName, ownText, readOwn, writeOwn } from './ownFile.js';

async function begin(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-own-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const conf = join(folder, 'conf.d');
  return { folder, dataDir, conf, file: join(conf, '80-plugins.json') };
}

t.test('own file: what was written is read again, without what says nothing', async t => {
  const { file, dataDir, conf } = await begin(t);
  t.equal(await readOwn(file), undefined);
  t.strictSame([...ownEntries(undefined, file)], []);
  const entries = new Map([
    ['a', { enabled: false }],
    ['b', { options: { x: [1] } }],
    ['c', { options: {} }],
  ]);
  await writeOwn(file, ownText(entries), { dataDir });
  t.strictSame([...ownEntries(await readOwn(file), file)], [...entries].slice(0, 2));
  t.strictSame(await readdir(conf), ['80-plugins.json'], 'nothing else is left');
});

t.test('own file: a path is that of the configuration, wherever the file is', async t => {
  const { folder } = await begin(t);
  t.equal(ownName('./acme.mjs', join(folder, 'platen.json')), join(folder, 'acme.mjs'));
  t.equal(ownName('@acme/reader', join(folder, 'platen.json')), '@acme/reader');
});

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;
const skip = platform === 'win32' && 'Windows has no modes';

t.test('own file: with a secret, no other account reads it, and it stays so', { skip }, async t => {
  const { file, dataDir } = await begin(t);
  await writeOwn(file, '{}', { dataDir });
  t.equal(await modeOf(file), 0o644);
  await writeOwn(file, '{}', { dataDir, isSecret: true });
  t.equal((await modeOf(file)) % 8, 0);
  await writeOwn(file, '{"plugins":[]}', { dataDir });
  t.equal((await modeOf(file)) % 8, 0, 'a command that knows of no secret keeps it closed');
  t.equal(await readFile(file, 'utf8'), '{"plugins":[]}');
});

const notRoot = !isRoot() && 'only root writes for another account';
t.test("own file: root's, with a secret, for the account of the service to read", { skip: notRoot }, async t => {
  const { file, dataDir } = await begin(t);
  await chown(dataDir, 12_345, 23_456);
  await writeOwn(file, '{}', { dataDir, isSecret: true });
  const { uid, gid } = await stat(file);
  t.strictSame([uid, gid, await modeOf(file)], [0, 23_456, 0o640]);
  await chown(dataDir, 12_345, 0);
  await t.rejects(writeOwn(file, '{"x":1}', { dataDir, isSecret: true }), /group/, 'nobody but root could read it');
  t.equal(await readFile(file, 'utf8'), '{}');
});

t.test(
  'own file: where it may not be written, the fix is named',
  { skip: skip || (isRoot() && 'root may') },
  async t => {
    const { conf, file, dataDir } = await begin(t);
    await mkdir(conf);
    await writeFile(file, '{}');
    await chmod(conf, 0o500);
    await t.rejects(writeOwn(file, '[]', { dataDir }), /Run the command with sudo/);
    await chmod(conf, 0o700);
  },
);
