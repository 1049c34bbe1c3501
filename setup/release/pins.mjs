/**
 * The versions of other people's packages that the published server asks for: those that were tested.
 *
 * Why not npm-shrinkwrap.json: see docs/decisions/0029-pins-of-the-server.md.
 */
import { closureOf } from './closure.mjs';

/** The path of a package in package-lock.json. */
const packagePath = /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;

/**
 * @param {ReturnType<typeof closureOf>} [closure] of the server
 * @returns {Record<string, string>} the exact version of each package that an installation has on every platform, by name.
 *   Packages for one platform are not among them: whoever needs one asks for its exact version.
 *   Of a package with several versions, it is the one that most dependents share; `npm` adds the others, newest that fit.
 */
export function pins(closure = closureOf('server')) {
  const found = {};
  for (const [name, entries] of versionsOf(closure)) {
    const shared = entries.find(({ path }) => path === `node_modules/${name}`) ?? entries[0];
    if (!shared.optional) found[name] = shared.version;
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @returns {Map<string, { path: string, version: string, optional?: boolean }[]>} other people's packages, by name */
export function versionsOf(closure) {
  const byName = new Map();
  for (const [path, entry] of closure) {
    const name = packagePath.exec(path)?.[1];
    if (name === undefined) continue;
    byName.set(name, [...(byName.get(name) ?? []), { path, ...entry }]);
  }
  return byName;
}
