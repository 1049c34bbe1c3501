/** The documents of the clone, and what is in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const clone = fileURLToPath(new URL('../../..', import.meta.url));
const skipped = new Set(['node_modules', 'dist', 'build', '.git', '.tap']);

/** Documents below a folder, relative to the clone. */
function documentsIn(folder: string): string[] {
  return readdirSync(join(clone, folder), { withFileTypes: true }).flatMap(entry => {
    if (skipped.has(entry.name)) return [];
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? documentsIn(path) : entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Their paths, relative to the clone, with `/`. */
export const pages: readonly string[] = documentsIn('.');

export const read = (path: string): string => readFileSync(join(clone, path), 'utf8');

const fence = /^ *```(\w*)\n([\s\S]*?)^ *```/gm;

/** The blocks of code in this language. */
export const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(fence)].filter(([, found]) => found === language).map(([, , code = '']) => code);

export const withoutBlocks = (text: string): string => text.replaceAll(fence, '');
