/** The packages of this clone, and the removal of compiled files without a source. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './step.mjs';

/** @returns {string[]} the folders that the workspaces of a clone's package.json name */
export function packageFolders(clone = root) {
  const { workspaces } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  return workspaces
    .flatMap(pattern =>
      pattern.endsWith('/*') ? foldersIn(join(clone, pattern.slice(0, -2))) : [join(clone, pattern)],
    )
    .filter(folder => existsSync(join(folder, 'package.json')));
}

function foldersIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(each => each.isDirectory())
    .map(each => join(folder, each.name))
    .sort();
}

/** Removes compiled files whose source is gone: a compiled test would keep running. */
export function removeStale(folder) {
  const project = join(folder, 'tsconfig.json');
  if (!existsSync(project)) return;
  const { rootDir = '.', outDir = 'dist' } = JSON.parse(readFileSync(project, 'utf8')).compilerOptions ?? {};
  const out = join(folder, outDir);
  if (!existsSync(out)) {
    // By the compiler's record, everything would be up to date.
    for (const file of readdirSync(folder)) if (file.endsWith('.tsbuildinfo')) rmSync(join(folder, file));
    return;
  }
  for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    const compiled = /^(.+?)\.(?:d\.ts|js)(?:\.map)?$/.exec(file);
    const source = ending => existsSync(join(folder, rootDir, `${compiled?.[1]}${ending}`));
    if (compiled && !['.ts', '.js'].some(source)) rmSync(join(out, file));
  }
}
