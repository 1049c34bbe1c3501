/** Which files of a package `platen dev` looks at, and which of them a build makes. */
import { relative, sep } from 'node:path';
import type { DevPackage } from './devPackage.js';
import { isInside } from './devPackage.js';

export interface DevFiles {
  watches(path: string, isFolder: boolean): boolean;
  /** Whether a build makes it: its change restarts the service, and starts no build. */
  isOutput(path: string): boolean;
}

const sources = /\.(?:[cm]?[jt]sx?|json|c|cc|cpp|cxx|h|hpp|m|mm|gypi?|node|wasm)$/;
const made = /(?:^|\/)(?:build|prebuilds?|prebuilt)\//;
const ignoredFolders = new Set(['node_modules', 'coverage']);
const ignoredFiles = /(?:\.tsbuildinfo|(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json)$/;

/** Paths have slashes and are relative to the package's folder. @param dataDir is not looked at */
export function devFiles({ folder, entry }: Pick<DevPackage, 'folder' | 'entry'>, dataDir: string): DevFiles {
  const [top = '', ...rest] = relative(folder, entry).split(sep);
  const outputFolder = rest.length > 0 && top !== 'src' ? `${top}/` : undefined;
  const data = isInside(folder, dataDir) ? relative(folder, dataDir).split(sep).join('/') : undefined;
  const isOutput = (path: string): boolean =>
    made.test(path) || (outputFolder !== undefined && path.startsWith(outputFolder));
  return {
    isOutput,
    watches(path, isFolder) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (name.startsWith('.') || path === data) return false;
      if (isFolder) return !ignoredFolders.has(name);
      return sources.test(path) && !ignoredFiles.test(path);
    },
  };
}
