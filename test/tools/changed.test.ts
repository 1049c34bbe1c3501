/** `npm test -- --changed`: tests that import a changed file in any number of steps, or name one, and no others. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { changedFiles, compiledOf, concerned } from './changed.js';
import { sourceOf } from './report.js';

/** @param files by path, their texts @returns the folder */
function clone(t: Test, files: Readonly<Record<string, string>>): string {
  const root = t.testdir();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const files = {
  'core/package.json':
    '{"name": "@platen/core", "exports": {".": {"default": "./dist/index.js"}, "./plugin": "./dist/plugin.js"}}',
  'core/dist/index.js': "export * from './plan.js';",
  'core/dist/plugin.js': '',
  'core/dist/plan.js': "import { one } from './one.js';",
  'core/dist/one.js': '',
  'core/dist/plan.test.js': "import t from 'tap'; import './plan.js';",
  'core/dist/other.test.js': "await import('./other.js'); readFileSync('fixtures/a.json');",
  'core/dist/other.js': '',
  'server/package.json': '{"name": "@platen/server"}',
  'server/dist/main.js': "import { plan } from '@platen/core'; import.meta.resolve('@platen/web/package.json');",
  'web/package.json':
    '{"name": "@platen/web", "exports": {"./desk": "./build/desk.js", "./package.json": "./package.json"}}',
  'web/dist/desk.js': '',
  'plugins/png/package.json': '{"name": "@platen/png", "exports": {".": {"default": "./dist/plugin.js"}}}',
  'plugins/png/dist/plugin.js': "import '@platen/core/plugin';",
  'test/dist/start.js': "new URL('bin/platen.cjs', at)",
  'test/dist/house.test.js': "import './start.js'; const config = { use: '@platen/png' };",
};
const tests = Object.keys(files).filter(file => file.endsWith('.test.js'));
const workspaces = ['core', 'server', 'plugins/png', 'test', 'web'];

for (const [changed, expected] of [
  ['core/src/one.ts', ['core/dist/plan.test.js', 'test/dist/house.test.js']],
  ['core/src/plan.test.ts', ['core/dist/plan.test.js']],
  ['core/src/other.ts', ['core/dist/other.test.js']],
  ['core/src/plugin.ts', ['test/dist/house.test.js']],
  ['plugins/png/src/plugin.ts', ['test/dist/house.test.js']],
  ['test/start.ts', ['test/dist/house.test.js']],
  ['core/fixtures/a.json', ['core/dist/other.test.js']],
  ['core/native/helper.c', ['core/dist/plan.test.js', 'core/dist/other.test.js']],
  ['web/src/desk.ts', ['test/dist/house.test.js']],
  ['docs/guide.md', []],
  ['core/src/nobody.ts', []],
] as const) {
  t.test(`changed: ${changed}`, async t => {
    t.same(concerned(clone(t, files), workspaces, tests, [changed]), expected);
  });
}

t.test('changed: a compiled file is its source’s', async t => {
  for (const file of [
    'core/dist/a/b.test.js',
    'test/dist/doctor/doctor.test.js',
    'test/conformance/dist/a.js',
    'server/web/dist/app/a.js',
  ])
    t.equal(compiledOf(sourceOf(file)), file);
});

t.test(
  'changed: what is not committed, and new files; with a branch that is followed, also what was committed since',
  async t => {
    const root = clone(t, { 'a.ts': '1', 'b.ts': '1' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
        cwd: root,
        stdio: 'pipe',
      });
    git('init', '--initial-branch', 'main');
    git('add', '.');
    git('commit', '--message', 'one');
    writeFileSync(join(root, 'c.ts'), '1');
    writeFileSync(join(root, 'a.ts'), '2');
    t.same(changedFiles(root).files, ['a.ts', 'c.ts']);
    git('switch', '--create', 'work', '--track', 'main');
    git('commit', '--all', '--message', 'two');
    writeFileSync(join(root, 'b.ts'), '2');
    t.same(changedFiles(root).files, ['a.ts', 'b.ts', 'c.ts']);
  },
);
