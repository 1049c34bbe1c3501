import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { devPlanOf } from './devModule.js';
import { readDevPackage } from './devPackage.js';

const root = await mkdtemp(join(tmpdir(), 'platen-dev-'));
t.teardown(() => rm(root, { recursive: true, force: true }));
let count = 0;

async function folderWith(manifest?: unknown, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = join(root, String(count++));
  await mkdir(folder);
  if (manifest !== undefined)
    await writeFile(join(folder, 'package.json'), typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

t.test('a package: its name, its entry, its build and its development module', async t => {
  const folder = await folderWith({
    name: '@acme/f100',
    exports: { '.': { types: './dist/plugin.d.ts', default: './dist/plugin.js' } },
    scripts: { build: 'tsc' },
    platen: { dev: './dist/dev.js' },
  });
  t.same(await readDevPackage(folder), {
    folder,
    name: '@acme/f100',
    entry: join(folder, 'dist', 'plugin.js'),
    builds: true,
    devModule: join(folder, 'dist', 'dev.js'),
  });
});

t.test('refused, wrong usage, one sentence that names the fault', async t => {
  const name = '@acme/f100';
  const exports = './plugin.js';
  const files = { 'plugin.js': '' };
  for (const [manifest, more, what] of [
    [undefined, {}, /has no package\.json/],
    ['{', {}, /not valid JSON/],
    ['7', {}, /not valid JSON/],
    [{ exports }, files, /no "name"/],
    [{ name }, files, /no "exports"/],

    [{ name, exports: '../plugin.js' }, files, /no entry "\."/],
    [{ name, exports }, {}, /plugin\.js does not exist.*no script "build"/],
    [{ name, exports, platen: { dev: '../dev.js' } }, files, /platen\.dev/],
    [{ name, exports, platen: { dev: 7 } }, files, /platen\.dev/],
  ] as const) {
    const folder = await folderWith(manifest, more);
    await t.rejects(readDevPackage(folder), { code: 'usage', message: what }, String(what));
  }
  await t.rejects(readDevPackage(join(root, 'none')), { code: 'usage', message: /has no package\.json/ });
});

t.test('a development module: what it returns, and what is wrong with it', async t => {
  const folder = await folderWith(
    { type: 'module' },
    {
      'good.js': 'export default async () => ({ options: { port: 7 }, close() {} })',
      'none.js': 'export const a = 1',
      'text.js': 'export default () => "text"',
      'options.js': 'export default () => ({ options: [] })',
      'licence.js': 'export default () => ({ licence: 7 })',
      'close.js': 'export default () => ({ close: true })',
    },
  );
  t.match(await devPlanOf(join(folder, 'good.js')), { options: { port: 7 }, close: Function });
  for (const [file, what] of [
    ['none.js', /not a function/],
    ['text.js', /no object/],
    ['options.js', /"options"/],
    ['licence.js', /"licence"/],
    ['close.js', /"close"/],
  ] as const)
    await t.rejects(devPlanOf(join(folder, file)), { message: what }, file);
});
