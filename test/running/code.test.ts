/** Whose code a service runs: files of another account, wherever they were put, are not imported. */
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { platen, type Exit } from '../topology/platen.js';

const NOBODY = 65534;
const skip = process.getuid?.() !== 0 && 'only root can make another account’s files';

interface Place {
  readonly root: string;
  readonly config: string;
  /** What planted code writes to. */
  readonly ran: string;
  run(...args: readonly string[]): Promise<Exit>;
}

/**
 * A configuration that root owns, in its own folder below one that everyone may write to, like the temporary folder.
 */
async function place(t: Test, uses: readonly string[]): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'platen-planted-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  await chmod(root, 0o1777);
  const own = join(root, 'own');
  await mkdir(own, { mode: 0o755 });
  const config = join(own, 'platen.json');
  await writeFile(
    config,
    JSON.stringify({
      plugins: uses.map(use => ({
        use,
        ...(use.includes('virtual') ? { options: { scanners: [{ name: 'Feeder' }] } } : {}),
      })),
    }),
    { mode: 0o644 },
  );
  const env = { PLATEN_DATA_DIR: join(root, 'data') };
  return {
    root,
    config,
    ran: join(root, 'ran'),
    run: (...args) => platen([...args, '--config', config], { env: { ...env, PLATEN_CONFIG: config } }).ended,
  };
}

/** Puts a package of the account into the folder's `node_modules`. */
async function plant(folder: string, name: string, ran: string, account = NOBODY): Promise<void> {
  const dir = join(folder, 'node_modules', name);
  await mkdir(dir, { recursive: true });
  await writeFile(
    join(dir, 'package.json'),
    JSON.stringify({ name, version: '9.9.9', type: 'module', exports: './index.js' }),
  );
  await writeFile(
    join(dir, 'index.js'),
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(ran)}, ${JSON.stringify(name)}); export default { name: ${JSON.stringify(name)}, api: 1, setup: () => ({}) };`,
  );
  await chown(join(folder, 'node_modules'), account, account);
  for (const each of await readdir(join(folder, 'node_modules'), { recursive: true }))
    await chown(join(folder, 'node_modules', each), account, account);
}

const reports = ({
  out,
}: Exit): readonly {
  readonly use: string;
  readonly state: string;
  readonly version?: string;
  readonly sentence?: string;
}[] => JSON.parse(out) as never;

t.test('code: configuration of another account or in a folder that others can write, refused', { skip }, async t => {
  const { config, root, run } = await place(t, ['@platen/driver-virtual']);
  t.match(await run('plugins', 'list'), { code: 0 });
  await chown(config, NOBODY, NOBODY);
  for (const command of [['plugins', 'list'], ['serve'], ['scan', '--list']])
    t.match(await run(...command), { code: 3, log: /platen\.json belongs to another account/ });
  await chown(config, 0, 0);
  await chmod(join(root, 'own'), 0o1777);
  for (const command of [['plugins', 'list'], ['serve'], ['host']])
    t.match(await run(...command), { code: 3, log: /own is writable by other accounts.*chmod go-w/ });
});

t.test('code: our packages, loaded from the installation, never from above the configuration', { skip }, async t => {
  const { root, ran, run } = await place(t, ['@platen/driver-virtual', '@acme/driver']);
  await mkdir(join(root, 'own', 'node_modules'), { mode: 0o755 });
  await plant(root, '@acme/driver', ran, 0);
  await plant(join(root, 'own'), '@platen/driver-virtual', ran, 0);
  const [ours, acme] = reports(await run('plugins', 'list', '--json'));
  t.match(ours, { state: 'loaded', version: /^(?!9)/ });
  t.match(acme, { state: 'refused', sentence: /not installed/ });
  await t.rejects(lstat(ran));
});

t.test(
  'code: package that another account can write, named and left out, isolated or not; the rest runs',
  { skip },
  async t => {
    const { config, root, ran, run } = await place(t, ['@acme/driver', '@platen/format-png']);
    const own = join(root, 'own');
    const vendor = join(own, 'node_modules', '@acme', 'driver');
    await plant(own, '@acme/driver', ran, 0);
    t.match(reports(await run('plugins', 'list', '--json')), [
      { state: 'loaded', version: '9.9.9' },
      { state: 'loaded' },
    ]);
    t.equal(await readFile(ran, 'utf8'), '@acme/driver', 'the control: it is good code');
    await rm(ran);
    await chown(join(vendor, 'index.js'), NOBODY, NOBODY);
    t.match(reports(await run('plugins', 'list', '--json')), [
      { state: 'refused', sentence: /"@acme\/driver" is not loaded: .*index\.js belongs to another account/ },
      { state: 'loaded' },
    ]);
    await chown(join(vendor, 'index.js'), 0, 0);
    await chmod(join(own, 'node_modules'), 0o777);
    t.match(reports(await run('plugins', 'list', '--json')), [
      { state: 'refused', sentence: /node_modules is writable by other accounts.*chmod go-w/ },
      { state: 'loaded' },
    ]);
    await writeFile(config, JSON.stringify({ plugins: [{ use: '@acme/driver', isolate: true }] }));
    t.match(reports(await run('plugins', 'list', '--json')), [
      { state: 'refused', sentence: /node_modules is writable/ },
    ]);
    await chmod(join(own, 'node_modules'), 0o755);
    await plant(root, '@platen/core', ran);
    t.match(
      await run('plugins', 'list', '--json'),
      { code: 3, log: /node_modules belongs to another account/ },
      'nor where Node would find packages of theirs for what it imports',
    );
    await t.rejects(lstat(ran));
  },
);
