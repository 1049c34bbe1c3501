/** `platen origins` as root: for the account that owns the data folder, with that account's rights. */
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { platen } from '../topology/platen.js';

const NOBODY = 65534;
const skip = process.getuid?.() !== 0 && 'only root can make another account’s folder';

/** A service's files as a package installs them. */
async function service(t: Test) {
  const root = await mkdtemp(join(tmpdir(), 'platen-origins-root-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  await chmod(root, 0o755);
  const config = join(root, 'platen.json');
  await writeFile(config, JSON.stringify({ security: { origins: 'ask' } }), { mode: 0o644 });
  const data = join(root, 'data');
  await mkdir(data, { mode: 0o700 });
  await chown(data, NOBODY, NOBODY);
  const env = { PLATEN_DATA_DIR: data, PLATEN_CONFIG: config };
  return { root, data, run: (...args: string[]) => platen(['origins', ...args], { env }).ended };
}

t.test("origins: root's grant belongs to the folder's owner", { skip }, async t => {
  const { data, run } = await service(t);
  t.match(await run('allow', 'https://a.example'), { code: 0 });
  const paths = ['', 'origins', 'audit.log', 'platen-data-folder'];
  const [grant = ''] = await readdir(join(data, 'origins'));
  for (const path of [...paths, join('origins', grant)]) {
    const { uid, gid, mode } = await stat(join(data, path));
    t.same([uid, gid, mode & 0o077], [NOBODY, NOBODY, 0], path);
  }
  t.match(await run('list', '--json'), { code: 0, out: /https:\/\/a\.example/ });
  t.match(await run('revoke', 'https://a.example'), { code: 0 });
  t.same(await readdir(join(data, 'origins')), []);
});

t.test('origins: links in the folder lead root nowhere', { skip }, async t => {
  const { root, data, run } = await service(t);
  const secret = join(root, 'secret');
  await mkdir(secret, { mode: 0o700 });
  const file = join(secret, 'file');
  await writeFile(file, 'as it was', { mode: 0o600 });

  await run('list');
  await symlink(secret, join(data, 'origins'));
  t.match(await run('allow', 'https://a.example'), { code: 3, log: /may not change the data folder/ });
  await rm(join(data, 'origins'));
  await symlink(file, join(data, 'audit.log'));
  t.match(await run('allow', 'https://b.example'), { code: 0, log: /audit\.log/ });
  t.same(await readdir(secret), ['file']);
  t.equal(await readFile(file, 'utf8'), 'as it was');
});
