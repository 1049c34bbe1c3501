/** Commands that root runs for the service of another account: on its files, and with its rights where they write. */
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { platen } from '../topology/platen.js';

const NOBODY = 65534;
const skip = process.getuid?.() !== 0 && 'only root can make another account’s folder';

/** A service's files as a package installs them, with a certificate of its own. */
async function service(t: Test) {
  const root = await mkdtemp(join(tmpdir(), 'platen-root-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  await chmod(root, 0o755);
  const config = join(root, 'platen.json');
  const plugins = [
    { use: '@platen/driver-virtual', options: { scanners: [{ name: 'Feeder', feeder: true }] } },
    { use: '@platen/format-png' },
    { use: '@platen/document-pdf' },
  ];
  await writeFile(config, JSON.stringify({ plugins }), { mode: 0o644 });
  const data = join(root, 'data');
  const env = { PLATEN_DATA_DIR: data, PLATEN_CONFIG: config, PLATEN_PORT: '1', HOME: root };
  const run = (...args: string[]) => platen(args, { env, cwd: root }).ended;
  t.match(await run('cert', 'install', '--no-trust'), { code: 0 });
  for (const path of [data, ...(await pathsIn(data))]) await chown(path, NOBODY, NOBODY);
  const foreign = async (): Promise<string[]> => {
    const paths = await pathsIn(data);
    const owners = await Promise.all(paths.map(async path => (await lstat(path)).uid));
    return paths.filter((_, at) => owners[at] !== NOBODY);
  };
  return { root, data, env, run, foreign };
}

const pathsIn = async (dir: string): Promise<string[]> =>
  (await readdir(dir, { recursive: true })).map(path => join(dir, path));

/** Each test leaves it as it was. */
const shared = skip ? undefined : service(t);

interface Diagnosis {
  readonly findings: readonly { readonly id: string; readonly state: string; readonly sentence: string }[];
}

t.test("root: every other command leaves the service's folder to its account", { skip }, async t => {
  const { root, run, foreign } = await shared!;
  t.match(await run('config', 'check'), { code: 0 });
  t.match(await run('plugins', 'list'), { code: 0, out: /loaded +@platen\/driver-virtual/ });
  const { code, out } = await run('cert', 'status', '--json');
  t.equal(code, 0);
  t.notMatch(out, /Chromium|Firefox/);
  for (const args of [
    ['scan', '--list'],
    ['trace', '--out', 'trace.jsonl'],
    ['cert', 'install', '--no-trust'],
    ['serve'],
  ])
    t.match(await run(...args), { code: 3, log: /another account/ }, args.join(' '));
  t.same(await foreign(), []);
  t.same((await readdir(root)).sort(), ['data', 'platen.json']);
});

t.test("root: the doctor examines the service's folder, and no browser of its account", { skip }, async t => {
  const { run, foreign } = await shared!;
  const { out } = await run('doctor', '--json');
  const { findings } = JSON.parse(out) as Diagnosis;
  const of = (id: string) => findings.find(each => each.id === id);
  for (const id of ['configuration', 'dataFolder', 'certificate', 'plugins']) t.match(of(id), { state: 'ok' }, id);
  t.notMatch(of('trust')?.sentence, /Chromium|Firefox/);
  t.same(await foreign(), []);
});

t.test("root: the support file is root's, what it learns is the service's", { skip }, async t => {
  const { root, run, env, foreign } = await shared!;
  const own = join(root, 'private');
  await mkdir(own, { mode: 0o700 });
  const file = join(own, 'platen.txt');
  t.match(await run('support', '--out', file), { code: 0 });
  t.match(await readFile(file, 'utf8'), /^ok +Data folder: /m);
  const { uid, mode } = await stat(file);
  t.same([uid, mode & 0o777], [0, 0o600]);
  await writeFile(file, 'as it was');
  t.match(await run('support', '--out', file), { code: 2 });
  t.equal(await readFile(file, 'utf8'), 'as it was');
  t.match(await run('support', '--out', file, '--force'), { code: 0 });
  t.match(await readFile(file, 'utf8'), /^Platen support file/);
  const { SUDO_UID, SUDO_GID } = { SUDO_UID: '1234', SUDO_GID: '1235' };
  const asked = platen(['support', '--out', join(own, 'sudo.txt')], { env: { ...env, SUDO_UID, SUDO_GID }, cwd: root });
  t.match(await asked.ended, { code: 0 });
  t.match(await stat(join(own, 'sudo.txt')), { uid: 1234, gid: 1235 }, 'with sudo it is the person’s');
  t.same(await foreign(), []);
});

t.test("root: a configuration that the service's account may not read, with the command", { skip }, async t => {
  const { root, run } = await shared!;
  await chmod(join(root, 'platen.json'), 0o600);
  t.match(await run('doctor'), { code: 1, out: /✗ Configuration .*\n.*sudo chmod a\+r ".*platen\.json"/ });
  await chmod(join(root, 'platen.json'), 0o644);
});

t.test('root: with sudo and without a service, no second data folder is recommended', { skip }, async t => {
  const { root } = await shared!;
  const env = { PLATEN_DATA_DIR: join(root, 'none'), PLATEN_CONFIG: join(root, 'platen.json'), HOME: root };
  const { out } = await platen(['doctor'], { env: { ...env, SUDO_USER: 'alice' } }).ended;
  t.match(out, /✗ Data folder .*\n +→ .*without sudo/);
  t.notMatch(out, /platen cert install/);
});

t.test('root: a separator sheet is written where only root may write', { skip }, async t => {
  const { root, run, foreign } = await shared!;
  const own = join(root, 'private');
  await mkdir(own, { mode: 0o700, recursive: true });
  t.match(await run('separator', '--out', join(own, 'sheet.pdf')), { code: 0 });
  t.equal((await readFile(join(own, 'sheet.pdf'))).subarray(0, 5).toString(), '%PDF-');
  t.same(await foreign(), []);
});
