/** The package that is scored: its folder, its package.json and its suites. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PackageSuite, suiteKinds } from '../packageCases.js';
import { Refusal } from './refusal.js';

/** A package.json, whose fields may have any value. */
export type Manifest = Readonly<Record<string, unknown>>;

export interface FoundPackage {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** As package.json names them. */
  readonly name: string;
  readonly version: string;
}

/** @param asked a folder, or the name of an installed package. @throws Refusal */
export async function findPackage(asked: string, cwd: string): Promise<FoundPackage> {
  const folder = (await folderOf(asked, cwd)) ?? noPackage(asked);
  const file = join(folder, 'package.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Refusal(`${folder} has no package.json. Give the folder of a package, or the name of one.`);
  });
  const manifest = parsed(text, file);
  const { name = folder, version = 'without a version' } = manifest;
  return { folder, manifest, name: String(name), version: String(version) };
}

async function folderOf(asked: string, cwd: string): Promise<string | undefined> {
  if (await isFolder(resolve(cwd, asked))) return resolve(cwd, asked);
  if (/^[./\\]/.test(asked)) return undefined;
  for (let from = resolve(cwd); ; from = dirname(from)) {
    const installed = join(from, 'node_modules', asked);
    if (await isFolder(installed)) return installed;
    if (from === dirname(from)) return undefined;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

function noPackage(asked: string): never {
  throw new Refusal(
    `There is no folder and no installed package "${asked}". Give the folder of a package; without one, it is the current folder.`,
  );
}

function parsed(text: string, file: string): Manifest {
  try {
    return JSON.parse(text) as Manifest;
  } catch (error) {
    throw new Refusal(`${file} is not JSON: ${(error as Error).message}.`);
  }
}

/** What the module that `platen.conformance` names exports. */
export interface SuitesModule {
  readonly suites: readonly PackageSuite[];
  /** Its export `options`, for a plugin that cannot be loaded without: as a configuration has them. */
  readonly options?: Record<string, unknown>;
}

/** Imports the module that `platen.conformance` names. @throws Refusal */
export async function suitesOf({ folder, manifest, name }: FoundPackage): Promise<SuitesModule> {
  const { conformance: path } = (manifest['platen'] ?? {}) as { readonly conformance?: unknown };
  if (typeof path !== 'string') {
    throw new Refusal(
      `${name} names no suites: write "platen": { "conformance": "./dist/conformance.js" } into its package.json, the module ` +
        'whose default export is defineSuites([…]) of @platen/conformance. An installed package often has no such module: run this in its source folder.',
    );
  }
  const file = resolve(folder, path);
  if (!(await stat(file).catch(() => undefined))?.isFile()) {
    throw new Refusal(
      `platen.conformance in the package.json of ${name} names ${path}, which does not exist. Build the package (npm run build), or correct the path. ` +
        'An installed package often has no such module: run this in its source folder.',
    );
  }
  const importing = import(pathToFileURL(file).href) as Promise<{
    default?: unknown;
    options?: SuitesModule['options'];
  }>;
  const { default: suites, options } = await importing.catch((error: unknown) => {
    throw new Refusal(`${path} of ${name} could not be imported: ${(error as Error)?.stack ?? String(error)}`);
  });
  return { suites: checked(suites, path), ...(options && { options }) };
}

function checked(suites: unknown, path: string): readonly PackageSuite[] {
  if (!Array.isArray(suites) || suites.length === 0) {
    throw new Refusal(
      `The default export of ${path} is not a list of suites: write export default defineSuites([{ kind, name, features, make }]).`,
    );
  }
  for (const [index, suite] of suites.entries()) {
    const fault = suiteFault(suite);
    if (fault !== undefined) throw new Refusal(`Suite ${index + 1} of ${path} ${fault}.`);
  }
  const names = (suites as PackageSuite[]).map(each => each.name);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) throw new Refusal(`${path} has two suites with the name "${twice}". Give each its own.`);
  return suites;
}

function suiteFault(suite: unknown): string | undefined {
  const { kind, name, make, features } = (suite ?? {}) as Partial<Record<keyof PackageSuite, unknown>>;
  if (!(suiteKinds as readonly unknown[]).includes(kind))
    return `has the kind ${JSON.stringify(kind)}; it takes ${suiteKinds.join(', ')}`;
  if (typeof name !== 'string' || name.trim() === '') return 'has no name: say what is tested, "Acme F100 (simulated)"';
  if (typeof make !== 'function') return `("${name}") has no make: a function that returns a new rig`;
  if (typeof features !== 'object' || features === null) return `("${name}") has no features`;
  return undefined;
}
