/** What an installation of the server consists of, by the tree's package-lock.json: the versions that were tested. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../step.mjs';

/**
 * @typedef {object} Locked an entry of package-lock.json
 * @property {string} [version]
 * @property {string} [resolved]
 * @property {boolean} [link]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/** @returns {Record<string, Locked>} package-lock.json's entries by path */
export function locked() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
}

/**
 * @param {string} start a workspace's path
 * @param {Record<string, Locked>} [packages]
 * @param {ReadonlyMap<string, readonly string[]>} [bundled] by a workspace's path, the paths of what is in its code
 * @returns {Map<string, Locked>} the start, and all that it needs when it runs, on any platform, by path; a workspace's path is its folder
 * @throws {Error} if the lock lacks something that is needed
 */
export function closureOf(start, packages = locked(), bundled = new Map()) {
  const found = new Map();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const entry = packages[path];
    found.set(path, entry);
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = entry;
    // npm installs an optional peer only if someone else asks for it.
    const peers = Object.keys(peerDependencies).filter(name => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const at = resolve(packages, path, name);
      if (at === undefined) throw new Error(`package-lock.json: ${path} needs ${name}, which is not there.`);
      if (!bundled.get(path)?.includes(at)) waiting.push(at);
    }
  }
  return found;
}

/** @returns the path of a package as Node finds it from another, upwards; a workspace's own folder for a link */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = above(folder)) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return packages[path].link ? packages[path].resolved : path;
    if (folder === '') return undefined;
  }
}

/** The folder that holds the node_modules in which a package is. */
const above = path => path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
