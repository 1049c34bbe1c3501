import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { dataFolderSentence, prepareDataFolder } from './dataFolder.js';

const root = await mkdtemp(join(tmpdir(), 'platen-folder-'));
t.teardown(() => rm(root, { recursive: true, force: true }));
const posix = { skip: process.platform === 'win32' && 'no modes here' };
const modeOf = async (dir: string): Promise<number> => (await stat(dir)).mode & 0o777;

t.test('a file in its place, or on the way to it', async t => {
  const file = join(root, 'file');
  await writeFile(file, '');
  await t.rejects(prepareDataFolder(file), { name: 'ConfigError', message: `The data folder ${file} is not a folder.` });
  await t.rejects(prepareDataFolder(join(file, 'below')), { message: /is not a folder/ });
});

t.test('a folder that cannot be written to', posix, async t => {
  const dir = join(root, 'readonly');
  await mkdir(dir, { mode: 0o500 });
  // Root may write everywhere: for a moment the test is somebody else, to whom the folder belongs.
  if (process.getuid?.() === 0) {
    await chmod(root, 0o755);
    await chown(dir, 65534, 65534);
    process.seteuid?.(65534);
    t.teardown(() => process.seteuid?.(0));
  }
  await t.rejects(prepareDataFolder(dir), { message: /cannot be written to by this account.*PLATEN_DATA_DIR/ });
});

t.test("another account's folder", { skip: process.getuid?.() !== 0 && 'only root can make one' }, async t => {
  process.seteuid?.(0);
  const dir = join(root, 'theirs');
  await mkdir(dir, { mode: 0o700 });
  await chown(dir, 65534, 65534);
  await t.rejects(prepareDataFolder(dir), { message: /belongs to another account/ });
});

t.test('a folder that others use is neither taken nor closed to them', posix, async t => {
  const dir = join(root, 'shared');
  await mkdir(dir);
  await chmod(dir, 0o777);
  await writeFile(join(dir, 'theirs.txt'), '');
  await t.rejects(prepareDataFolder(dir), { message: /not Platen's.*chmod 700/ });
  t.equal(await modeOf(dir), 0o777);
});

t.test('a full disk', async t => {
  t.equal(dataFolderSentence('/d', Object.assign(new Error(), { code: 'ENOSPC' })), 'The disk of the data folder /d is full.');
});

t.test('makes a private folder and leaves nothing in it', async t => {
  const dir = join(root, 'a', 'b');
  await prepareDataFolder(dir);
  await prepareDataFolder(dir);
  t.same(await readdir(dir), []);
  if (process.platform !== 'win32') t.equal(await modeOf(dir), 0o700);
});

t.test('repairs the mode of a data folder', posix, async t => {
  const dir = join(root, 'wide');
  await mkdir(join(dir, 'trays'), { recursive: true });
  await chmod(dir, 0o755);
  await prepareDataFolder(dir);
  t.equal(await modeOf(dir), 0o700);
});
