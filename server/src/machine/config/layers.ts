/**
 * A configuration is made of files: what it extends, the file itself, and those of the folder beside it, in this order.
 * Objects are merged key by key and plugins by name; of all other values the last one counts.
 */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Step } from '../json.js';
import { ConfigError, systemCode } from '../configError.js';
import { serverFolder } from '../packageFolders.js';
import { layerIn, readLayer, type Layer } from './readLayer.js';

/** Where a value is from. */
export interface Source {
  readonly file: string;
  readonly line: number | undefined;
  readonly isFixed?: true;
}

export interface Merged {
  readonly value: unknown;
  /**
   * @param exactly not that of the nearest object or list around it, if the value has no source of its own
   * @returns undefined for a default
   */
  sourceOf(path: readonly Step[], exactly?: boolean): Source | undefined;
}

export interface LayersPlace {
  /** Absolute: the configuration that a flag, a variable or the installation names. */
  readonly file: string;
  /** What `"extends": "shipped"` means, absolute. */
  readonly shipped: string;
  /** Whose files ending in `.json` come after it; undefined: there is none. */
  readonly folder: string | undefined;
  /** A file of that folder that would be written, with what would be in it. */
  readonly proposed?: Proposed | undefined;
}

export interface Proposed {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/** A configuration extends others over as many files at most. */
const DEEPEST = 8;

/**
 * The folder of files that add to a configuration. A file of the installation's package has it in the data folder,
 * because an update replaces the package.
 * @param name `conf.d`; of the desktop application `host.d`
 */
export function addedFolder(file: string, dataDir: string | undefined, name: string): string | undefined {
  if (dirname(resolve(file)) !== join(serverFolder, 'config')) return join(dirname(resolve(file)), name);
  return dataDir === undefined ? undefined : join(dataDir, name);
}

/** @throws {ConfigError} that names the file, and the line */
export async function readLayers({ file, shipped, folder, proposed }: LayersPlace): Promise<readonly Layer[]> {
  const layers: Layer[] = [];
  const extended = async (each: string, seen: readonly string[]): Promise<void> => {
    const layer = await readLayer(each);
    const base = extendedBy(layer, shipped);
    if (base !== undefined) {
      const line = layer.lineOf(['extends']);
      if (base === each || seen.includes(base))
        throw new ConfigError(
          `The configuration ${each}, line ${line}: ${base} extends it in turn. Name another file.`,
        );
      if (seen.length >= DEEPEST)
        throw new ConfigError(
          `The configuration ${each}, line ${line}: more than ${DEEPEST} files extend one another. Name the first of them.`,
        );
      await extended(base, [...seen, each]);
    }
    layers.push(layer);
  };
  await extended(file, []);
  for (const each of inOrder([...(await addedFiles(folder)), ...(proposed ? [proposed.file] : [])])) {
    const layer = each === proposed?.file ? layerIn(each, proposed.text) : await readLayer(each);
    if (extendedBy(layer, shipped) !== undefined)
      throw new ConfigError(
        `The configuration ${each}, line ${layer.lineOf(['extends'])}: a file of ${basename(dirname(each))} extends no other. Remove "extends"; it adds to ${file}.`,
      );
    layers.push(layer);
  }
  return layers;
}

/** Their order is that of their names' characters, the same in every language. */
const inOrder = (files: readonly string[]): readonly string[] => [...new Set(files)].sort((a, b) => (a < b ? -1 : 1));

async function addedFiles(folder: string | undefined): Promise<readonly string[]> {
  if (folder === undefined) return [];
  try {
    const names = (await readdir(folder)).filter(name => name.endsWith('.json') && !name.startsWith('.'));
    return names.map(name => join(folder, name));
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new ConfigError(`The folder ${folder} cannot be read: the operating system's error is ${code}.`, {
      cause: error,
    });
  }
}

/** @returns absolute; undefined for a file that extends none. The schema refuses what is not a string */
function extendedBy({ file, value }: Layer, shipped: string): string | undefined {
  const named = isObject(value) ? value['extends'] : undefined;
  if (typeof named !== 'string' || named === '') return undefined;
  return named === 'shipped' ? shipped : resolve(dirname(file), named);
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param layers at least one; the last one counts most. Values of wrong types pass, for the schema to refuse
 * @param main the file from whose folder the paths of plugins start in the result; in a file, they start at its own
 */
export function mergeLayers(layers: readonly Layer[], main: string): Merged {
  const sources = new Map<string, Source>();
  let value: unknown;
  for (const layer of layers) {
    const note = (path: readonly Step[], own: readonly Step[]): void =>
      void sources.set(JSON.stringify(path), {
        ...{ file: layer.file, line: layer.lineOf(own) },
        ...(layer.isFixed ? { isFixed: true } : {}),
      });
    const put = (before: unknown, next: unknown, path: readonly Step[], own: readonly Step[]): unknown => {
      if (path.length === 1 && path[0] === 'plugins' && Array.isArray(next))
        return putPlugins(Array.isArray(before) ? before : [], next);
      note(path, own);
      if (!isObject(next)) return next;
      const result: Json = isObject(before) ? before : {};
      for (const [key, inner] of Object.entries(next)) {
        if (path.length === 0 && ofFiles.has(key)) continue;
        const each = put(Object.hasOwn(result, key) ? result[key] : undefined, inner, [...path, key], [...own, key]);
        // An assignment to `__proto__` would be none.
        Object.defineProperty(result, key, { value: each, writable: true, enumerable: true, configurable: true });
      }
      return result;
    };
    const putPlugins = (before: unknown[], entries: readonly unknown[]): unknown[] => {
      if (before.length === 0) note(['plugins'], ['plugins']);
      // Of a plugin that one file lists twice, the loader says so.
      const names = before.map(each => nameIn(each, main));
      entries.forEach((entry, at) => {
        const name = nameIn(entry, layer.file);
        const place = name === undefined ? -1 : names.indexOf(name);
        const index = place < 0 ? before.length : place;
        const use = (place < 0 ? spelled(entry, layer.file, main) : before[index]) as Json;
        const next = name === undefined ? entry : { ...(entry as Json), use: use['use'] };
        before[index] = put(before[index], next, ['plugins', index], ['plugins', at]);
      });
      return before;
    };
    value = put(value, structuredClone(layer.value), [], []);
  }
  return {
    value,
    sourceOf(path, exactly = false) {
      for (let { length } = path; length > (exactly ? path.length - 1 : 0); length--) {
        const found = sources.get(JSON.stringify(path.slice(0, length)));
        if (found) return found;
      }
      return undefined;
    },
  };
}

/** Keys that are about a file, and not about the service. */
const ofFiles: ReadonlySet<string> = new Set(['extends', '$schema']);

/** A plugin's name or absolute path; undefined for what is no entry. */
function nameIn(entry: unknown, file: string): string | undefined {
  const use = isObject(entry) ? entry['use'] : undefined;
  if (typeof use !== 'string') return undefined;
  return isRelative(use) ? resolve(dirname(file), use) : use;
}

/** As its path is spelled in the configuration's own folder. */
function spelled(entry: unknown, file: string, main: string): unknown {
  return dirname(file) === dirname(main) || !isObject(entry) ? entry : { use: nameIn(entry, file) ?? entry['use'] };
}

const isRelative = (use: string): boolean => /^\.\.?([/\\]|$)/.test(use);
