/** Builds the native programs of the prebuilt packages: `npm run helpers`. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolders } from '../projects.mjs';
import { root, run, StepError } from '../step.mjs';
import { flagsOf, missing, toolchains, versionOf } from './toolchains.mjs';

/**
 * A program of a prebuilt package, in `platen.builds` of its package.json. Paths are relative to the package's folder.
 * @typedef {object} Build
 * @property {string} program the file in `bin`
 * @property {string} toolchain one of toolchains.mjs
 * @property {string[]} sources files, or all of one kind in a folder: `../../native/*.c`; `.rc` for Windows' resources
 * @property {string[]} [includes] folders of headers
 * @property {string[]} [flags]
 * @property {string[]} [libraries] `-lole32`
 */

/**
 * @typedef {object} Prebuilt
 * @property {string} folder the package's source
 * @property {string} parent the folder of the package that depends on it
 * @property {any} manifest
 * @property {string} short the name without @platen/
 * @property {string[]} keys the platforms: `${process.platform}-${process.arch}`
 */

/** @returns {Prebuilt[]} the packages of native programs: `prebuilt/*` of each workspace */
export function prebuiltPackages(parents = packageFolders()) {
  return parents.flatMap(parent =>
    listed(join(parent, 'prebuilt')).flatMap(name => {
      const folder = join(parent, 'prebuilt', name);
      if (!existsSync(join(folder, 'package.json'))) return [];
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const keys = manifest.os.flatMap(os => manifest.cpu.map(cpu => `${os}-${cpu}`));
      return [{ folder, parent, manifest, short: manifest.name.replace(/^@platen\//, ''), keys }];
    }),
  );
}

/**
 * Builds what this computer can; keeps what is up to date. The same sources and compilers give the same bytes.
 * @param {string} out gets `<package name without @platen/>/bin/*`
 * @returns {Promise<{ built: string[], skipped: { name: string, why: string }[] }>}
 * @throws {StepError} for sources that do not compile
 */
export async function buildHelpers(out, packages = prebuiltPackages()) {
  const built = [];
  const skipped = [];
  for (const each of packages) {
    const why = each.manifest.platen.builds.map(({ toolchain }) => missing(toolchain)).find(Boolean);
    if (why) skipped.push({ name: each.short, why });
    else built.push(await buildPackage(each, out));
  }
  return { built, skipped };
}

/** What its programs are made from but for the compilers, which only the computer that builds them has. */
export function sourcesOf({ folder, manifest: { platen } }) {
  const builds = platen?.builds ?? [];
  return hashOf([
    JSON.stringify(builds),
    ...['helpers.mjs', 'toolchains.mjs', 'sysroot.mjs'].map(name => readFileSync(join(import.meta.dirname, name))),
    ...builds.flatMap(build => inputsOf(build, folder).map(file => readFileSync(file))),
  ]);
}

/** @returns whether `out` has the package's programs, built here or elsewhere from these sources */
export function isCurrent(prebuilt, out) {
  const stamp = join(out, prebuilt.manifest.name.replace('@platen/', ''), 'made-from');
  return existsSync(stamp) && readFileSync(stamp, 'utf8').split('\n')[0] === sourcesOf(prebuilt);
}

/** @returns {Promise<string>} the package's short name */
async function buildPackage(prebuilt, out) {
  const { folder, manifest, short } = prebuilt;
  const { builds } = manifest.platen;
  const target = join(out, short);
  const stamp = join(target, 'made-from');
  const compilers = hashOf(builds.map(({ toolchain }) => versionOf(toolchain)));
  const hash = `${sourcesOf(prebuilt)}\n${compilers}`;
  const upToDate = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (upToDate && builds.every(({ program }) => existsSync(join(target, 'bin', program)))) return short;
  const fresh = `${target}.${process.pid}`;
  try {
    mkdirSync(join(fresh, 'bin'), { recursive: true });
    for (const build of builds) await compile(build, folder, join(fresh, 'bin', build.program), short);
    writeFileSync(join(fresh, 'made-from'), hash);
    rmSync(target, { recursive: true, force: true });
    // Another process that builds the same may be faster.
    if (!existsSync(target)) renameSync(fresh, target);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return short;
}

async function compile({ program, toolchain, sources, includes = [], flags = [], libraries = [] }, folder, to, name) {
  const { c, cxx, rc } = toolchains[toolchain];
  const files = sources.flatMap(source => expand(source, folder)).map(file => relative(root, file));
  const resources = files.filter(file => extname(file) === '.rc');
  const code = files.filter(file => extname(file) !== '.rc');
  const objects = [];
  for (const file of resources) {
    const object = `${to}.${basename(file)}.o`;
    await run(`Compiling ${file}`, [rc, '-I', dirname(file), file, object]);
    objects.push(object);
  }
  const folders = includes.map(include => `-I${relative(root, join(folder, include))}`);
  const compiler = code.some(file => ['.cpp', '.cc', '.mm'].includes(extname(file))) ? cxx : c;
  await run(`Compiling ${program} (${name})`, [
    compiler,
    ...(await flagsOf(toolchain)),
    ...folders,
    ...flags,
    ...code,
    ...objects,
    ...['-o', to],
    ...libraries,
  ]);
  for (const object of objects) rmSync(object);
  chmodSync(to, 0o755);
}

/** @returns {string[]} the absolute paths of `../../native/*.c`, sorted, or of one file */
function expand(source, folder) {
  const path = join(folder, source);
  if (!basename(path).startsWith('*')) return [path];
  const ending = basename(path).slice(1);
  const found = listed(dirname(path)).filter(name => name.endsWith(ending));
  if (found.length === 0) throw new StepError(`${relative(root, folder)}/package.json: no file is ${source}.`);
  return found.map(name => join(dirname(path), name));
}

/** The sources, and every file beside them and in the folders of headers. */
function inputsOf({ sources, includes = [] }, folder) {
  const folders = [
    ...sources.map(source => dirname(join(folder, source))),
    ...includes.map(path => join(folder, path)),
  ];
  return [...new Set(folders)].flatMap(path =>
    listed(path)
      .map(name => join(path, name))
      .filter(file => statSync(file).isFile()),
  );
}

function listed(folder) {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function hashOf(contents) {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex');
}

/**
 * Where `npm run helpers` puts them. `npm run helpers -- FOLDER NAME…` builds these packages, or those of these toolchains,
 * into that folder.
 */
export const helpersFolder = join(root, 'node_modules', '.cache', 'platen-helpers');

/** @returns {Prebuilt[]} the packages, or the programs of a toolchain, with these names */
function chosen(all, names) {
  const known = [...all.map(({ short }) => short), ...Object.keys(toolchains)];
  const unknown = names.find(name => !known.includes(name));
  if (unknown) throw new StepError(`There is no package or toolchain "${unknown}"; there are ${known.join(', ')}.`);
  return all.flatMap(each => {
    const { platen } = each.manifest;
    const builds = platen.builds.filter(build => names.includes(each.short) || names.includes(build.toolchain));
    return builds.length === 0 ? [] : [{ ...each, manifest: { ...each.manifest, platen: { ...platen, builds } } }];
  });
}

async function main([out = helpersFolder, ...names]) {
  const all = prebuiltPackages();
  const wanted = names.length === 0 ? all : chosen(all, names);
  const { built, skipped } = await buildHelpers(resolve(out), wanted);
  for (const name of built) console.log(`${name}: ${join(out, name, 'bin')}`);
  for (const { name, why } of skipped) console.log(`${name} was not built: ${why}.`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(process.argv.slice(2)).catch(error => {
    if (!(error instanceof StepError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
}
