/** What of npm's `node_modules` goes into a bundle: all that is needed, and nothing that the installation has. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { needsOf, nestParts, readTree, type Tree } from './tree.js';

/** @param packages manifests by path, without `node_modules` at the start; `>` stands for a `node_modules` inside */
async function treeOf(folder: string, packages: Readonly<Record<string, object>>): Promise<Tree> {
  const tops: string[] = [];
  for (const [short, more] of Object.entries(packages)) {
    const path = `node_modules/${short.replaceAll('>', '/node_modules/')}`;
    const name = short.split('>').at(-1)!;
    if (!short.includes('>')) tops.push(name);
    await mkdir(join(folder, path), { recursive: true });
    await writeFile(join(folder, path, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...more }));
  }
  return readTree(folder, tops);
}

const short = (tree: Tree): string[] =>
  [...tree.keys()].map(path => path.replace('node_modules/', '').replaceAll('/node_modules/', '>')).sort();

t.test('what the installation has is left out where it fits, with what only it needed', async t => {
  const tree = await treeOf(t.testdir(), {
    a: { dependencies: { sharp: '^0.35.0', b: '1' }, bundleDependencies: true },
    'a>b': { peerDependencies: { sharp: '*', '@platen/core': '*' } },
    'a>sharp': { version: '0.35.2', dependencies: { detect: '1' } },
    'a>detect': {},
  });
  const needs = needsOf(tree, new Map([['sharp', '0.35.5']]));
  t.same(short(needs.tree), ['a', 'a>b']);
  t.match(needs.provided, [
    { name: 'sharp', version: '0.35.5', range: '^0.35.0', by: 'a' },
    { name: 'sharp', range: '*', by: 'b' },
  ]);
  const other = needsOf(tree, new Map([['sharp', '0.36.0']]));
  t.ok(
    short(other.tree).includes('a>sharp') && short(other.tree).includes('a>detect'),
    'its own, if that does not fit',
  );
});

t.test('a dependency that is missing; an optional one', async t => {
  const tree = await treeOf(t.testdir(), { a: { dependencies: { b: '^2' } } });
  t.throws(() => needsOf(tree, new Map()), { message: /a 1\.0\.0 needs b \^2/ });
  t.throws(() => needsOf(tree, new Map([['b', '1.0.0']])), { message: /needs b/ }, 'the installation has another');
  const optional = { dependencies: { c: '1' }, optionalDependencies: { c: '1' } };
  t.match(needsOf(await treeOf(t.testdir(), { a: optional }), new Map()), { lacksOptional: true });
});

t.test('a package that another one needs goes into it, also through a third', async t => {
  const tree = await treeOf(t.testdir(), {
    a: { dependencies: { x: '1' } },
    'a>x': { dependencies: { '@acme/b': '1' } },
    '@acme/b': { dependencies: { c: '1', y: '1' } },
    '@acme/b>y': {},
    c: {},
    alone: {},
  });
  const nested = nestParts(tree);
  t.same(short(nested), ['a', 'a>@acme/b', 'a>@acme/b>y', 'a>c', 'a>x', 'alone']);
  t.same(short(needsOf(nested, new Map()).tree), short(nested));
});

t.test('packages that need each other leave none at the top', async t => {
  const tree = await treeOf(t.testdir(), { a: { dependencies: { b: '1' } }, b: { dependencies: { a: '1' } } });
  t.same(short(nestParts(tree)), []);
});
