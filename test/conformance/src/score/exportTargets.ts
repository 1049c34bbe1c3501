/** The files that a package.json names as its entry points. */
import type { Manifest } from './findPackage.js';

/** All files of `exports`, `main`, `types` and `bin`, types too; relative, without `./`. Patterns have their `*`. */
export function allTargets({ exports, main, types, bin }: Manifest): readonly string[] {
  const all = [exports, main, types, bin].flatMap(leaves).map(each => each.replace(/^\.\//, ''));
  return [...new Set(all)];
}

function leaves(field: unknown): string[] {
  if (typeof field === 'string') return [field];
  return typeof field === 'object' && field !== null ? Object.values(field).flatMap(leaves) : [];
}
