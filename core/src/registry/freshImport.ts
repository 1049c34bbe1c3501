/**
 * Imports a plugin's code again after its files were changed. Node keeps a module for as long as the process runs, so the
 * changed one gets another address: a query, which a hook of Node passes on to the modules of the same package.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { refused } from './entry.js';
import type { Resolved } from './resolve.js';

/** Of a plugin's files: differs when they were changed or replaced. */
export async function stampOf({ files }: Resolved): Promise<string> {
  const seen = await Promise.all(files.map(file => stat(file).catch(() => undefined)));
  const text = JSON.stringify(seen.map(each => each && [each.size, each.mtimeMs, each.ctimeMs, each.ino]));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** By address: the stamp with which it was imported first. */
const imported = new Map<string, string>();

/**
 * @returns what to import
 * @throws LeftOut `restart` where Node cannot import changed files
 */
export function freshUrl({ url }: Resolved, stamp: string, use: string): string {
  const first = imported.get(url) ?? stamp;
  imported.set(url, first);
  if (first === stamp) return url;
  if (!hook())
    throw refused(
      'restart',
      `The plugin "${use}" was changed, and this version of Node cannot load it again: run "platen service restart".`,
    );
  return `${url}?${QUERY}=${stamp}`;
}

const QUERY = 'platen';

/** Node's from 22.15 on. */
interface Hooks {
  registerHooks?(hooks: {
    resolve(specifier: string, context: { readonly parentURL?: string }, next: Next): { url: string };
  }): unknown;
}
type Next = (specifier: string, context: object) => { url: string };

let isHooked = false;

/** @returns whether modules of a package can be told from those that were imported before */
function hook(): boolean {
  const { registerHooks } = nodeModule as Hooks;
  if (!registerHooks) return false;
  if (isHooked) return true;
  isHooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const query = /^file:.*\?(platen=[0-9a-f]+)$/.exec(context.parentURL ?? '')?.[1];
      const isOwn = /^(?:\.|#)/.test(specifier) && found.url.startsWith('file:') && !found.url.includes('?');
      return query !== undefined && isOwn ? { ...found, url: `${found.url}?${query}` } : found;
    },
  });
  return true;
}
