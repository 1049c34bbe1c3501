/** Which compiled tests a person means who names sources, folders or compiled files. */
import { isAbsolute, posix, relative, sep } from 'node:path';
import { sourceOf } from './report.js';

/**
 * @param compiled all compiled tests, relative to the clone, with slashes
 * @param names as typed: files or folders, sources or compiled; relative to the clone or absolute
 * @param parts of tests, which only their whole names mean
 * @returns the tests, and the names that mean none
 */
export function select(
  compiled: readonly string[],
  names: readonly string[],
  root: string,
  parts: readonly string[] = [],
): { tests: string[]; unknown: string[] } {
  const chosen = new Set<string>();
  const unknown: string[] = [];
  for (const name of names) {
    const path = posix
      .normalize((isAbsolute(name) ? relative(root, name) : name).split(sep).join('/'))
      .replace(/\/$/, '');
    const whole = compiled.filter(file =>
      [file, sourceOf(file)].some(each => path === '.' || each === path || each.startsWith(`${path}/`)),
    );
    const found = whole.length > 0 ? whole : parts.filter(part => [part, sourceOf(part)].includes(path));
    if (found.length === 0) unknown.push(name);
    for (const file of found) chosen.add(file);
  }
  return { tests: [...chosen].sort(), unknown };
}

/** Tests that run where they are named, and with `--long`: minutes each, or what other tests mostly cover. */
export const isLong = (compiled: string): boolean => /\.long(\.test\.js)?$/.test(compiled);
