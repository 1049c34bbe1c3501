/** The installation folder that every installer carries: the packages of a release, with a Node and an npm of its own. */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run, StepError } from '../step.mjs';
import { fetchPackage, nodePackages, npmPackage } from './node.mjs';

/**
 * Makes `out/{node | node.exe, NODE-LICENSE, npm/, package.json, node_modules/}`, for this computer or another. The same
 * packages give the same files.
 * @param {object} options
 * @param {string} options.out emptied first
 * @param {NodeJS.Platform} [options.platform]
 * @param {string} [options.arch] as Node names it
 * @param {string} options.version of `@platen/server`
 * @param {string} [options.registryUrl] where `@platen/*` come from; absent: the registry that npm is configured with
 * @param {readonly string[]} [options.tarballs] instead of a registry: files of all packages that it needs
 * @throws {StepError} with what failed
 */
export async function makeTree({
  out,
  platform = process.platform,
  arch = process.arch,
  version,
  registryUrl,
  tarballs,
}) {
  const node = nodePackages[`${platform}-${arch}`];
  if (!node) {
    throw new StepError(`No Node is pinned for ${platform}-${arch}, only for ${Object.keys(nodePackages).join(', ')}.`);
  }
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, 'npm'), { recursive: true });
  await unpack(await fetchPackage(npmPackage), join(out, 'npm'));
  await unpackNode(await fetchPackage(node), out, platform === 'win32' ? 'node.exe' : 'node');
  await unpackLicence(await fetchPackage(platform === 'win32' ? nodePackages['linux-x64'] : node), out);

  const manifest = sources => JSON.stringify({ private: true, dependencies: sources }, undefined, 2);
  const packages = tarballs ? Object.fromEntries(tarballs.map(fileDependency)) : { '@platen/server': version };
  writeFileSync(join(out, 'package.json'), manifest(packages));
  await run(
    `Installing the packages for ${platform}-${arch}`,
    [
      process.execPath,
      join(out, 'npm', 'bin', 'npm-cli.js'),
      ...['install', '--prefix', out, '--omit=dev', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'],
      ...[`--os=${platform}`, `--cpu=${arch}`, ...(platform === 'linux' ? ['--libc=glibc'] : [])],
      ...(registryUrl ? [`--registry=${registryUrl}`] : []),
    ],
    { cwd: out },
  );
  // What says where the packages came from: it would differ with each registry.
  rmSync(join(out, 'node_modules', '.package-lock.json'), { force: true });
  writeFileSync(join(out, 'package.json'), `${manifest({ '@platen/server': version })}\n`);
  removeLeftovers(out);
  checkTree({ out, version, platform, arch });
}

/** @returns {[string, string]} an entry of `dependencies` for a packed package */
function fileDependency(file) {
  const [, name] = /^platen-(.+)-\d+\.\d+\.\d+.*\.tgz$/.exec(basename(file)) ?? [];
  if (!name) throw new StepError(`${file} is not the tarball of one of Platen's packages.`);
  return [`@platen/${name}`, `file:${file}`];
}

const unpack = (file, out, ...paths) =>
  run(`Unpacking into ${out}`, [
    'tar',
    ...['-x', '-z', '-f', file, '-C', out, '--strip-components=1', '--no-same-owner', ...paths],
  ]);

/** Only the program: the headers and manuals are three times npm's size. */
async function unpackNode(file, out, program) {
  await unpack(file, out, `package/bin/${program}`);
  renameSync(join(out, 'bin', program), join(out, program));
  rmSync(join(out, 'bin'), { recursive: true });
}

/** Windows' package has none, and every system's Node has the same. */
async function unpackLicence(file, out) {
  await unpack(file, out, 'package/LICENSE');
  renameSync(join(out, 'LICENSE'), join(out, 'NODE-LICENSE'));
}

/** What packages publish by mistake: compiled Python of another computer, and settings of git and eslint. */
function removeLeftovers(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (/^(__pycache__|\.git(attributes|ignore|keep)|\.eslintrc(\..+)?)$/.test(entry.name))
      rmSync(path, { recursive: true });
    else if (entry.isDirectory()) removeLeftovers(path);
  }
}

/** npm leaves out an optional package that it cannot have, and says nothing. */
function checkTree({ out, version, platform, arch }) {
  const scope = join(out, 'node_modules', '@platen');
  const read = name => {
    const file = join(scope, name, 'package.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  };
  const found = read('server')?.version;
  if (found !== version)
    throw new StepError(`The installation has @platen/server ${found ?? 'of no version'}, not ${version}.`);
  for (const name of readdirSync(scope)) {
    const prebuilt = read(name)?.platen?.prebuilt?.[`${platform}-${arch}`]?.package;
    if (prebuilt && !read(prebuilt.replace('@platen/', '')))
      throw new StepError(`The installation lacks ${prebuilt}, the helper of @platen/${name}.`);
  }
}
