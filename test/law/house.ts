/** The whole house as the laws see it: every source file, and what each package.json names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importLaws } from './imports.js';
import { judge, type Law, type Manifests } from './law.js';
import { packageOf } from './rooms.js';
import { readSource } from './source.js';
import { wordLaws } from './words.js';

export const laws: readonly Law[] = [...importLaws, ...wordLaws];

/** The clone, from the compiled file. */
export const clone = fileURLToPath(new URL('../../..', import.meta.url));

/** Made by others or by machines; fixtures break laws on purpose. */
const outside = new Set(['node_modules', 'dist', 'build', 'fixtures', '.git', '.tap', '.nx']);

/** @returns the paths of all sources, relative to the root, with slashes */
export function sourcesOf(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !outside.has(name))
    .flatMap(entry => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return sourcesOf(root, path);
      return /\.(?:ts|mts|cts|mjs|cjs|js)$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
    });
}

/** @returns a line for each breach, in the order of the files */
export function judgeHouse(root: string): { sources: number; breaches: string[] } {
  const paths = sourcesOf(root).sort();
  const manifests = manifestsOf(root, paths);
  return {
    sources: paths.length,
    breaches: paths.flatMap(path => judge(readSource(path, readFileSync(join(root, path), 'utf8')), laws, manifests)),
  };
}

function manifestsOf(root: string, paths: readonly string[]): Manifests {
  const folders = new Set(['', ...paths.map(packageOf)]);
  return new Map([...folders].flatMap(folder => {
    const file = join(root, folder, 'package.json');
    if (!existsSync(file)) return [];
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> & { name: string };
    const fields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
    return [[folder, new Set([manifest.name, ...fields.flatMap(field => Object.keys(manifest[field] ?? {}))])] as const];
  }));
}
