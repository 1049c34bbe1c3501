import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { checkDataFolder, dataFolderSentence, prepareDataFolder } from './dataFolder.js';

const root = await mkdtemp(join(tmpdir(), 'platen-folder-'));
t.teardown(() => rm(root, { recursive: true, force: true }));
const posix = { skip: process.platform === 'win32' && 'no modes here' };
const modeOf = async (dir: string): Promise<number> => (await stat(dir)).mode & 0o777;

t.test('data folder: the path, or a part of it, is a file', async t => {
  const file = join(root, 'file');
  await writeFile(file, '');
  await t.rejects(prepareDataFolder(file), {
    name: 'ConfigError',
    message: `The data folder ${file} is not a folder.`,
  });
  await t.rejects(prepareDataFolder(join(file, 'below')), { message: /is not a folder/ });
});

t.test('data folder: not writable', posix, async t => {
  const dir = join(root, 'readonly');
  await mkdir(dir, { mode: 0o500 });
  // Root may write everywhere, so the test briefly becomes another account, which owns the folder.
  if (process.getuid?.() === 0) {
    await chmod(root, 0o755);
    await chown(dir, 65534, 65534);
    process.seteuid?.(65534);
    t.teardown(() => process.seteuid?.(0));
  }
  await t.rejects(prepareDataFolder(dir), { message: /cannot write to the data folder.*PLATEN_DATA_DIR/ });
});

t.test("data folder: another account's", { skip: process.getuid?.() !== 0 && 'only root can make one' }, async t => {
  process.seteuid?.(0);
  const dir = join(root, 'theirs');
  await mkdir(dir, { mode: 0o700 });
  await chown(dir, 65534, 65534);
  await t.rejects(prepareDataFolder(dir), { message: /belongs to another account/ });
});

t.test('data folder: a shared folder is rejected, and its mode is unchanged', posix, async t => {
  const dir = join(root, 'shared');
  await mkdir(dir);
  await chmod(dir, 0o777);
  await t.rejects(prepareDataFolder(dir), { message: /is writable by other accounts.*chmod 700/ }, 'empty');
  await writeFile(join(dir, 'theirs.txt'), '');
  await t.rejects(prepareDataFolder(dir), { message: /is writable by other accounts.*chmod 700/ });
  t.equal(await modeOf(dir), 0o777);
  t.same(await readdir(dir), ['theirs.txt']);
});

t.test('data folder: a folder with foreign files is rejected and left unchanged, private or not', async t => {
  for (const [name, mode, entries] of [
    ['home', 0o700, ['thesis.odt', 'spool']],
    ['var', 0o755, ['spool', 'lib', 'log']],
    ['open', 0o755, ['spool', 'trays']],
    ['certificates', 0o700, ['certificate', 'thesis.odt']],
  ] as const) {
    const dir = join(root, name);
    for (const entry of entries) await mkdir(join(dir, entry), { recursive: true });
    await chmod(dir, mode);
    await t.rejects(
      prepareDataFolder(dir),
      {
        name: 'ConfigError',
        code: 'configuration',
        message: /not Platen's.*PLATEN_DATA_DIR.*named platen-data-folder/,
      },
      name,
    );
    await t.rejects(checkDataFolder(dir), { message: /not Platen's/ }, `${name}: nothing is removed from it`);
    t.same((await readdir(dir)).sort(), [...entries].sort(), name);
    if (process.platform !== 'win32') t.equal(await modeOf(dir), mode, name);
  }
  await writeFile(join(root, 'home', 'platen-data-folder'), '');
  await prepareDataFolder(join(root, 'home'));
  t.ok(
    (await readdir(join(root, 'home'))).includes('thesis.odt'),
    'whoever says that it is Platen’s all the same, is believed',
  );
  await checkDataFolder(join(root, 'nowhere'));
});

t.test("data folder: neither a link nor another account's file is a marker", posix, async t => {
  const dir = join(root, 'linked');
  await mkdir(dir, { mode: 0o700 });
  await writeFile(join(root, 'elsewhere'), '');
  await symlink(join(root, 'elsewhere'), join(dir, 'platen-data-folder'));
  await t.rejects(prepareDataFolder(dir), { message: /not Platen's/ });
  if (process.getuid?.() !== 0) return;
  await rm(join(dir, 'platen-data-folder'));
  await writeFile(join(dir, 'platen-data-folder'), '');
  await chown(join(dir, 'platen-data-folder'), 65534, 65534);
  await t.rejects(prepareDataFolder(dir), { message: /not Platen's/ });
});

t.test('data folder: a folder that was prepared is accepted', async t => {
  const plain = join(root, 'before');
  for (const entry of ['spool', 'trays', 'ocr', 'escl']) await mkdir(join(plain, entry), { recursive: true });
  for (const entry of ['channel.secret', 'trust.json', '.DS_Store']) await writeFile(join(plain, entry), '');
  await chmod(plain, 0o700);
  await prepareDataFolder(plain);
  t.ok((await readdir(plain)).includes('platen-data-folder'));

  const linked = join(root, 'before-linked');
  await mkdir(linked, { mode: 0o700 });
  await symlink(plain, join(linked, 'spool'));
  await t.rejects(prepareDataFolder(linked), { message: /not Platen's/ }, 'a link among it was not made by us');
});

t.test('data folder: a full disk', async t => {
  t.equal(
    dataFolderSentence('/d', Object.assign(new Error(), { code: 'ENOSPC' })),
    'The disk of the data folder /d is full.',
  );
});

t.test('data folder: creates a private folder with a marker', async t => {
  const dir = join(root, 'a', 'b');
  await Promise.all([prepareDataFolder(dir), prepareDataFolder(dir)]);
  await prepareDataFolder(dir);
  t.same(await readdir(dir), ['platen-data-folder']);
  if (process.platform !== 'win32') t.equal(await modeOf(dir), 0o700);
});

t.test('data folder: fixes the mode', posix, async t => {
  const dir = join(root, 'wide');
  await mkdir(dir);
  await chmod(dir, 0o755);
  await prepareDataFolder(dir);
  t.equal(await modeOf(dir), 0o700, 'of an empty one');
  await chmod(dir, 0o755);
  await prepareDataFolder(dir);
  t.equal(await modeOf(dir), 0o700, 'of a marked one');
});

const asRoot = ['unshare', ['--mount', 'true']] as const;
const hasMounts = process.geteuid?.() === 0 && process.platform === 'linux' && spawnSync(...asRoot).status === 0;
t.test(
  'a folder on a read-only file system: the sentence says so, whether the folder exists or not',
  { skip: !hasMounts && 'only root of Linux can mount one' },
  async t => {
    const dir = await realpath(t.testdir());
    const module = JSON.stringify(new URL('./dataFolder.js', import.meta.url));
    const script = `const { prepareDataFolder } = await import(${module});
      for (const folder of ['there', 'gone', 'gone/below'])
        await prepareDataFolder('${dir}/' + folder).catch(error => console.log(error.cause.code, error.message));`;
    const mount = 'mount -t tmpfs none "$0" && mkdir "$0/there" && mount -o remount,ro "$0" && exec "$@"';
    const args = ['--mount', 'sh', '-c', mount, dir, process.execPath, '--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    t.match(stdout, /^(?:EROFS .*read-only.*\n){3}$/, stderr);
  },
);
