/** The packages of a `node_modules` that npm made, and what of it goes into a bundle. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestOf, type Manifest } from '../folder.js';
import { isPackageName } from '../packageName.js';
import type { NamedVersion, Provided } from './bundleManifest.js';
import { fits } from './versions.js';

export interface TreePackage extends NamedVersion {
  readonly manifest: Manifest;
  /** Absolute. */
  readonly folder: string;
}

/** By path: `node_modules/@acme/driver/node_modules/part`. */
export type Tree = ReadonlyMap<string, TreePackage>;

/** @param names of packages at the top; all that is in their own `node_modules` comes with them */
export async function readTree(folder: string, names: readonly string[]): Promise<Tree> {
  const tree = new Map<string, TreePackage>();
  const add = async (path: string): Promise<void> => {
    const own = join(folder, path);
    const manifest = await manifestOf(own);
    if (manifest?.name === undefined || manifest.version === undefined)
      throw new Error(`${path} has no package.json with a name and a version. Ask its vendor for a right one.`);
    tree.set(path, { name: manifest.name, version: manifest.version, manifest, folder: own });
    for (const name of await namesIn(join(own, 'node_modules'))) await add(`${path}/node_modules/${name}`);
  };
  for (const name of names) await add(`node_modules/${name}`);
  return tree;
}

async function namesIn(modules: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(modules).catch(() => []))
    if (!name.startsWith('@')) names.push(name);
    else for (const each of await readdir(join(modules, name))) names.push(`${name}/${each}`);
  return names.filter(isPackageName).sort();
}

interface Edge {
  readonly name: string;
  readonly range: string;
  readonly isRequired: boolean;
}

/** Peers of the plugin itself are linked when it is added, as for every plugin. */
function edgesOf({ manifest }: TreePackage, isTop: boolean): readonly Edge[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, bundleDependencies } = manifest;
  const edges = (list: Readonly<Record<string, string>>, isRequired: boolean): Edge[] =>
    Object.entries(list).map(([name, range]) => ({ name, range, isRequired }));
  const bundled = Array.isArray(bundleDependencies) ? (bundleDependencies as string[]) : [];
  return [
    ...edges(dependencies, true).filter(({ name }) => !Object.hasOwn(optionalDependencies, name)),
    ...edges(optionalDependencies, false),
    ...(isTop ? [] : edges(peerDependencies, false)),
    ...bundled.map(name => ({ name, range: '*', isRequired: false })),
  ];
}

/** Where Node finds the package, from the path of its dependent. */
function found(tree: Tree, from: string, name: string): string | undefined {
  for (let at = from; at !== ''; at = outerOf(at))
    if (tree.has(`${at}/node_modules/${name}`)) return `${at}/node_modules/${name}`;
  return tree.has(`node_modules/${name}`) ? `node_modules/${name}` : undefined;
}

const outerOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
const isTop = (path: string): boolean => outerOf(path) === '';
const topOf = (path: string): string => (isTop(path) ? path : topOf(outerOf(path)));

/**
 * Puts a package that others of the bundle need into each of these, so that each plugin has all that it needs.
 * @returns the same tree if there is none
 */
export function nestParts(tree: Tree): Tree {
  const nested = new Map(tree);
  const parts = new Set<string>();
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const [path, each] of [...nested])
      for (const { name } of edgesOf(each, isTop(path))) {
        const part = found(nested, path, name);
        const top = topOf(path);
        if (part === undefined || topOf(part) === top) continue;
        parts.add(part);
        for (const [inner, copied] of [...nested])
          if (inner === part || inner.startsWith(`${part}/`)) nested.set(`${top}/${inner}`, copied);
        isDone = false;
      }
  }
  for (const path of nested.keys()) if (parts.has(topOf(path))) nested.delete(path);
  return nested;
}

export interface Needs {
  /** What the bundle has. */
  readonly tree: Tree;
  readonly provided: readonly Provided[];
  /** Whether an optional dependency is missing: one for another platform, mostly. */
  readonly lacksOptional: boolean;
}

/**
 * What the packages at the top need, without what the installation has in a version that fits.
 * @param shared versions of the installation's packages, by name
 * @throws Error that names a dependency which is in neither
 */
export function needsOf(tree: Tree, shared: ReadonlyMap<string, string>): Needs {
  const kept = new Map<string, TreePackage>();
  const provided = new Map<string, Provided>();
  let lacksOptional = false;
  const visit = (path: string): void => {
    const own = tree.get(path);
    if (!own || kept.has(path)) return;
    kept.set(path, own);
    for (const { name, range, isRequired } of edgesOf(own, isTop(path))) {
      const version = shared.get(name);
      const inside = found(tree, path, name);
      const isFit = version !== undefined && fits(version, range);
      // npm itself accepts a range that is not known here.
      if (version !== undefined && (isFit === true || (inside === undefined && isFit === undefined))) {
        provided.set(`${name} ${range}`, { name, version, range, by: own.name });
        continue;
      }
      if (inside !== undefined) visit(inside);
      else if (isRequired)
        throw new Error(
          `${own.name} ${own.version} needs ${name} ${range}, and npm did not install it. If its "bundleDependencies" names ${name}, its vendor must pack it inside; a file of ${name} in the same command helps, too.`,
        );
      else lacksOptional = true;
    }
  };
  for (const path of tree.keys()) if (isTop(path)) visit(path);
  return { tree: kept, provided: [...provided.values()], lacksOptional };
}
