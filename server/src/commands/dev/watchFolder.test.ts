import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { devFiles } from './files.js';
import { watchFolder, type Watch } from './watchFolder.js';

const folder = await mkdtemp(join(tmpdir(), 'platen-watch-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));

/** Whole at once: a look between the making of a file and its text would be another change. */
async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, '.draft'), text);
  await rename(join(folder, '.draft'), join(folder, path));
}

await write('src/plugin.ts', '1');
await write('dist/plugin.js', '1');
await write('node_modules/other/index.js', '1');

const { watches, isOutput } = devFiles({ folder, entry: join(folder, 'dist', 'plugin.js') }, join(folder, 'data'));

t.test('take: files that were changed, made and removed, each once', async t => {
  const watch = await watchFolder(folder, { watches, onChange: async () => undefined });
  t.same(await watch.take(), []);
  await write('src/plugin.ts', '22');
  await write('src/new/more.ts', '1');
  await rm(join(folder, 'dist'), { recursive: true });
  t.same(await watch.take(), ['dist/plugin.js', 'src/new/more.ts', 'src/plugin.ts']);
  t.same(await watch.take(), []);
  await write('dist/plugin.js', '1');
});

t.test('take: a file with a new time and the same text is not changed', async t => {
  const watch = await watchFolder(folder, { watches, onChange: async () => undefined });
  await utimes(join(folder, 'src/plugin.ts'), new Date(0), new Date(0));
  t.same(await watch.take(), []);
});

t.test('accept: what a build made is known, a source that was changed meanwhile is not', async t => {
  const watch = await watchFolder(folder, { watches, onChange: async () => undefined });
  await write('dist/plugin.js', '22');
  await write('dist/more.js', '1');
  await write('src/plugin.ts', '333');
  await watch.accept(isOutput);
  t.same(await watch.take(), ['src/plugin.ts']);
});

t.test('onChange: called once for files that stay as they are', async t => {
  let calls = 0;
  let told = (): void => undefined;
  const called = new Promise<void>(resolve => (told = resolve));
  const watch: Watch = await watchFolder(folder, {
    watches,
    periodMs: 5,
    async onChange() {
      calls++;
      t.same(await watch.take(), ['src/plugin.ts']);
      told();
    },
  });
  watch.start();
  await write('src/plugin.ts', '4444');
  await called;
  await watch.close();
  t.equal(calls, 1);
});

t.test(
  'what is watched: sources and what is built, not libraries, hidden files, the data folder or a lock',
  async t => {
    for (const path of ['src/a.ts', 'package.json', 'native/acme.c', 'dist/a.js', 'native/build/acme.node'])
      t.ok(watches(path, false), path);
    for (const path of ['README.md', '.tap/report.json', '.hidden.ts', 'package-lock.json', 'tsconfig.tsbuildinfo'])
      t.notOk(path.startsWith('.tap') ? watches('.tap', true) : watches(path, false), path);
    for (const path of ['node_modules', '.git', 'coverage', 'data']) t.notOk(watches(path, true), path);
  },
);

t.test('what a build makes: the folder of the entry, and build folders', async t => {
  for (const path of ['dist/a.js', 'native/build/acme.node', 'prebuilt/linux-x64/acme']) t.ok(isOutput(path), path);
  for (const path of ['src/a.ts', 'package.json', 'native/acme.c']) t.notOk(isOutput(path), path);
  const plain = devFiles({ folder, entry: join(folder, 'plugin.js') }, '/elsewhere');
  t.notOk(plain.isOutput('plugin.js'));
});
