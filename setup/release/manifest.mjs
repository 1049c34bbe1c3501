/** The package.json of a published package. */
import { relative, sep } from 'node:path';
import { condition } from '../serviceBundle.mjs';
import { root } from '../step.mjs';
import { isBundled } from './bundle.mjs';
import { author, gitUrl, webUrl } from './repository.mjs';

/** What a person reads first stands first. */
const order = [
  ...['name', 'version', 'description', 'keywords', 'license', 'author', 'homepage', 'bugs', 'repository'],
  ...['type', 'engines', 'os', 'cpu', 'libc', 'bin', 'imports', 'exports', 'publishConfig', 'platen'],
  ...['dependencies', 'optionalDependencies', 'peerDependencies', 'peerDependenciesMeta'],
];

/** Exports of files that only Platen's own tests use, in a package that is not bundled. They are not packed. */
const testExport = /[.]test[.]/;

/**
 * @param {object} options
 * @param {Record<string, any>} options.manifest package.json of the tree
 * @param {string} options.folder of the package
 * @param {string[]} options.files that are packed
 * @param {string} options.version of all our packages
 * @returns {Record<string, any>} package.json as it is published: without scripts, devDependencies, test exports and the bundle
 * @throws {Error} if an export or a bin is not packed, or a field is missing
 */
export function publishedManifest({ manifest, folder, files, version }) {
  const path = relative(root, folder).split(sep).join('/');
  const { scripts: _, devDependencies: __, files: ___, ...rest } = manifest;
  const complete = {
    ...rest,
    version,
    author,
    homepage: `${webUrl}/tree/v${version}/${path}#readme`,
    bugs: `${webUrl}/issues`,
    repository: { type: 'git', url: gitUrl, directory: path },
    ...(rest.imports && { imports: withoutBundle(rest.imports) }),
    ...(rest.exports && { exports: publishedExports(manifest) }),
    ...ours('dependencies', manifest, () => version),
    ...ours('peerDependencies', manifest, () => peerRange(version)),
  };
  for (const file of [complete.imports, complete.exports, complete.bin].flatMap(targets)) {
    if (!files.includes(file.replace(/^\.\//, ''))) {
      throw new Error(
        `${manifest.name}: package.json names ${file}, which is not packed. Build first (npm run build).`,
      );
    }
  }
  for (const field of ['name', 'description', 'keywords', 'license', 'engines', 'publishConfig']) {
    if (complete[field] === undefined) throw new Error(`${manifest.name}: package.json has no "${field}".`);
  }
  return ordered(complete);
}

/** @returns {Record<string, any>} with the fields in one order in all packages */
export function ordered(manifest) {
  const rest = Object.keys(manifest).filter(field => !order.includes(field));
  return Object.fromEntries(
    [...order, ...rest].filter(field => field in manifest).map(field => [field, manifest[field]]),
  );
}

/**
 * Our packages of one release belong together, so they depend on each other by the exact version. A peer is a range: what
 * is installed beside a newer core keeps its place, and the plugin api decides whether it fits.
 * @returns {string} every version that semantic versioning calls compatible with this one: 0.2.3 gives ^0.2.0
 */
export function peerRange(version) {
  const [major, minor] = version.split('.');
  return version.includes('-') ? `^${version}` : `^${major}.${minor}.0`;
}

function ours(field, manifest, range) {
  if (manifest[field] === undefined) return {};
  const entries = Object.entries(manifest[field]);
  return {
    [field]: Object.fromEntries(entries.map(([name, as]) => [name, name.startsWith('@platen/') ? range() : as])),
  };
}

/** What a bundled package exports outside its bundle is for Platen's own tests, too. */
function publishedExports(manifest) {
  const isForTests = isBundled(manifest)
    ? target => typeof target === 'object' && target[condition] === undefined
    : target => testExport.test(JSON.stringify(target));
  const entries = Object.entries(manifest.exports).filter(([, target]) => !isForTests(target));
  return withoutBundle(Object.fromEntries(entries));
}

/** @returns an `imports` or `exports` field without the files that only a clone has */
function withoutBundle(field) {
  if (typeof field !== 'object' || field === null) return field;
  const entries = Object.entries(field).filter(([name]) => name !== condition);
  return Object.fromEntries(entries.map(([name, target]) => [name, withoutBundle(target)]));
}

/** @returns {string[]} the files that an `imports`, an `exports` or a `bin` field names */
function targets(field) {
  if (field === undefined || field === null) return [];
  return typeof field === 'string' ? [field] : Object.values(field).flatMap(targets);
}
