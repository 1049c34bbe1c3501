/** How a published package's code is bundled: setup/release/bundle.mjs, tried on core. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { clone } from './clone.js';

const run = promisify(execFile);

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const { bundlePackage } = (await import(pathToFileURL(join(clone, 'setup/release/bundle.mjs')).href)) as {
  bundlePackage(options: {
    source: string;
    staged: string;
    manifest: Manifest;
  }): Promise<{ manifest: Manifest; libraries: string[] }>;
};

const source = join(clone, 'core');
const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Manifest;
const isTest = /[.]test[.]|[.]map$/;

const files = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter(each => each.isFile())
    .map(each => join(each.parentPath, each.name).slice(folder.length + 1));

/** Core's files before they are bundled. */
async function copy(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bundled-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await cp(join(source, 'dist'), join(folder, 'dist'), { recursive: true, filter: path => !isTest.test(path) });
  // As the staged one: without the clone's bundle.
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

t.test('bundled code: few files, one module for all entries, workers found, no library left to install', async t => {
  const staged = await copy(t);
  const before = (await files(join(staged, 'dist'))).filter(file => file.endsWith('.js'));
  const bundled = await bundlePackage({ source, staged, manifest });
  const after = await files(join(staged, 'dist'));
  t.ok(after.filter(file => file.endsWith('.js')).length < before.length / 5);
  t.equal(bundled.manifest.dependencies, undefined);
  t.match(bundled.libraries, ['node_modules/ajv']);
  t.match(await readFile(join(staged, 'THIRD-PARTY-NOTICES.txt'), 'utf8'), /^ajv \S+ \(MIT\)\n\nThe MIT License/m);
  t.ok(
    after.includes('contract/driver.d.ts') && !after.includes('images/imageThread.d.ts'),
    'types that exports reach',
  );
  const scripts = await Promise.all(
    after.map(async file => {
      const text = await readFile(join(staged, 'dist', file), 'utf8');
      const [, script, place] = /new URL\("([^"]+)", new URL\("([^"]+)", import\.meta\.url\)/.exec(text) ?? [];
      return script && new URL(script, new URL(place ?? '', pathToFileURL(join(staged, 'dist', file)))).href;
    }),
  );
  t.same(
    scripts.filter(script => script !== undefined),
    [pathToFileURL(join(staged, 'dist/images/imageThread.js')).href],
  );
  const program = `
    const [plugin, server] = await Promise.all(['plugin', 'server'].map(name => import('./dist/' + name + '.js')));
    const shared = Object.keys(plugin).filter(name => name in server);
    console.log(JSON.stringify({ shared: shared.length, same: shared.every(name => plugin[name] === server[name]) }));`;
  await writeFile(join(staged, 'try.mjs'), program);
  const { stdout } = await run(process.execPath, [join(staged, 'try.mjs')]);
  t.match(JSON.parse(stdout), { same: true });
  t.ok((JSON.parse(stdout) as { shared: number }).shared > 0);
});

t.test('bundled code: an exported type that needs a bundled library is refused', async t => {
  const staged = await copy(t);
  await mkdir(join(staged, 'dist', 'more'));
  await writeFile(join(staged, 'dist', 'more', 'it.d.ts'), "import type { Ajv } from 'ajv';\nexport type It = Ajv;\n");
  const exports = { ...manifest.exports, './it': { types: './dist/more/it.d.ts' } };
  await t.rejects(bundlePackage({ source, staged, manifest: { ...manifest, exports } }), {
    message: /dist\/more\/it\.d\.ts.* ajv/,
  });
});
