/** `platen plugins pack`: plugins and all that they need in one file, for computers without a network. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { exitCodes } from '../../../machine/exitCodes.js';
import type { Io } from '../../../machine/io.js';
import { installationPrefix, serverFolder } from '../../../machine/packageFolders.js';
import { printable } from '../../../machine/printable.js';
import { refuse, usage } from '../../parts/newFile.js';
import { installedPackage, manifestOf } from '../folder.js';
import { findNpm, runNpm } from '../npm.js';
import { isPackageName } from '../packageName.js';
import { packageSpec } from '../packageSpec.js';
import { integrityOf, isPortable, MANIFEST, type BundleManifest, type HashedFile } from './bundleManifest.js';
import { ANY, npmFlags, platformsIn } from './platformName.js';
import { writeTar, type FileToPack } from './tar.js';
import { needsOf, nestParts, readTree, type Needs, type Tree, type TreePackage } from './tree.js';

export interface PackFlags {
  readonly out: string | undefined;
  /** `linux-x64,win32-x64` */
  readonly platform: string | undefined;
  /** They are data for plugins, such as a language, and not plugins. */
  readonly data: boolean;
  /** Overwrites a file that exists. */
  readonly force: boolean;
}

/** @throws {ConfigError} for wrong words; Error with the fix */
export async function packPlugins(names: readonly string[], flags: PackFlags, io: Io): Promise<number> {
  if (flags.out === undefined || !/\.(?:tgz|tar\.gz)$/.test(flags.out))
    throw usage('--out takes the name of the file to make, which ends with .tgz.');
  const out = resolve(io.cwd, flags.out);
  const platforms = platformsIn(flags.platform);
  const sources = await Promise.all(names.map(name => sourceOf(name, io.cwd)));
  const shared = await sharedPackages();
  for (const { name } of sources)
    if (shared.has(name)) throw usage(`${name} is part of every installation: it needs no bundle.`);
  if (!flags.force && (await stat(out).catch(() => undefined))) refuse(out)({ code: 'EEXIST' });
  // Windows may give it in its short form, and npm compares paths.
  const work = await realpath(await mkdtemp(join(tmpdir(), 'platen-pack-')));
  try {
    const trees: Tree[] = [];
    for (const platform of platforms) trees.push(await install(sources, shared, { work, platform, env: io.env }));
    const needs = needsOf(merged(trees), shared);
    const { manifest, files } = await contentOf(needs, platforms, flags.data);
    await write(out, files);
    const { size } = await stat(out);
    const inside = manifest.plugins.map(({ name, version }) => `${name} ${version}`).join(', ');
    io.out(
      printable(
        `Wrote ${out}: ${inside}, ${amountOf(manifest.packages.length, size)}, for ${manifest.platforms.includes(ANY) ? 'every platform' : manifest.platforms.join(', ')}.`,
      ),
    );
    for (const note of notesOn(manifest, needs)) io.out(printable(note));
    io.out(`To install it, without npm and without a network: platen plugins add ${basename(out)}`);
    return exitCodes.ok;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function amountOf(packages: number, bytes: number): string {
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `${packages} package${packages === 1 ? '' : 's'}, ${size}`;
}

interface Source {
  readonly name: string;
  /** For npm. */
  readonly spec: string;
}

/** A name, a packed package, or a folder with a package. */
async function sourceOf(text: string, cwd: string): Promise<Source> {
  const isPath = isAbsolute(text) || /^\.{1,2}(?:[/\\]|$)/.test(text);
  if (!isPath || /\.(?:tgz|tar\.gz)$/.test(text)) return packageSpec(text, cwd);
  const folder = resolve(cwd, text);
  const name = (await manifestOf(folder))?.name;
  if (name === undefined || !isPackageName(name))
    throw usage(`${folder} has no package.json with the name of a package.`);
  return { name, spec: `${name}@${folder}` };
}

/** What every installation has, and promises to have: Platen's own packages, and sharp. @returns versions by name */
async function sharedPackages(): Promise<ReadonlyMap<string, string>> {
  const manifest = await manifestOf(serverFolder);
  const own = Object.keys(manifest?.dependencies ?? {}).filter(name => name.startsWith('@platen/'));
  const versions = new Map<string, string>();
  for (const name of ['@platen/server', ...own, 'sharp']) {
    const folder = name === '@platen/server' ? serverFolder : await installedPackage(name);
    const version = folder === undefined ? undefined : (await manifestOf(folder))?.version;
    if (version !== undefined) versions.set(name, version);
  }
  return versions;
}

interface Bench {
  /** An empty folder of its own. */
  readonly work: string;
  readonly platform: string;
  readonly env: NodeJS.ProcessEnv;
}

/** npm sees what the installation has as packages of the same versions, and installs no second one where they fit. */
async function install(
  sources: readonly Source[],
  shared: ReadonlyMap<string, string>,
  { work, platform, env }: Bench,
): Promise<Tree> {
  const npm = await findNpm(installationPrefix(), env);
  if (!npm)
    throw new Error(
      `There is no npm: neither beside Node (${process.execPath}) nor in PATH. Pack on a computer that has one.`,
    );
  const path = join(work, platform);
  await mkdir(path);
  await writeFile(join(path, 'package.json'), '{ "name": "platen-bundle", "private": true }');
  const stubs: string[] = [];
  for (const [name, version] of shared) {
    const stub = join(work, 'shared', name);
    await mkdir(stub, { recursive: true });
    await writeFile(join(stub, 'package.json'), JSON.stringify({ name, version }));
    stubs.push(`${name}@${stub}`);
  }
  await runNpm({
    npm,
    folder: { path, npmPrefix: path, isGlobal: false },
    verb: 'install',
    packages: [...stubs, ...sources.map(({ spec }) => spec)],
    // Each plugin has its own dependencies inside, so that plugins of several bundles do not meet.
    flags: ['--install-strategy=shallow', '--install-links', ...npmFlags(platform)],
    env,
  });
  return nestParts(await readTree(path, [...new Set(sources.map(({ name }) => name))]));
}

/** @throws Error if a package has another version on another platform */
function merged(trees: readonly Tree[]): Tree {
  const all = new Map<string, TreePackage>();
  for (const tree of trees)
    for (const [path, each] of tree) {
      const other = all.get(path);
      if (other === undefined) all.set(path, each);
      else if (other.name !== each.name || other.version !== each.version)
        throw new Error(
          `npm chose ${other.name} ${other.version} for one platform and ${each.name} ${each.version} for another, at ${path}. Make a bundle for each of these platforms.`,
        );
    }
  return all;
}

interface Content {
  readonly manifest: BundleManifest;
  /** The manifest's own first, then in the order of their paths. */
  readonly files: readonly FileToPack[];
}

async function contentOf(
  { tree, provided, lacksOptional }: Needs,
  platforms: readonly string[],
  data: boolean,
): Promise<Content> {
  const plugins = [...tree].filter(([path, { name }]) => path === `node_modules/${name}`).map(([, each]) => each);
  if (plugins.length === 0) throw usage('Each of these packages needs another one of them. Make a bundle for each.');
  const packages: BundleManifest['packages'][number][] = [];
  const files: FileToPack[] = [];
  let isNative = false;
  for (const [path, { name, version, folder, manifest }] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const own: HashedFile[] = [];
    for (const each of await filesIn(folder)) {
      const file = `${path}/${each}`;
      if (!isPortable(file))
        throw new Error(`${file} has a name that not every system can have. Ask its vendor to rename it.`);
      const from = join(folder, each);
      const kind = await kindOf(from);
      isNative ||= kind === 'program';
      const { size } = await stat(from);
      const hash = createHash('sha512');
      for await (const part of createReadStream(from)) hash.update(part as Buffer);
      const isExecutable = kind !== 'other';
      own.push({ path: each, isExecutable, digest: hash.digest() });
      files.push({ path: file, size, isExecutable, from });
    }
    isNative ||= [manifest.os, manifest.cpu, manifest.libc].some(field => field !== undefined);
    packages.push({ path, name, version, integrity: integrityOf(own) });
  }
  const manifest: BundleManifest = {
    format: 1,
    data,
    plugins: plugins.map(({ name, version }) => ({ name, version })),
    platforms: isNative || lacksOptional ? platforms : [ANY],
    provided,
    packages,
  };
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { manifest, files: [{ path: MANIFEST, size: text.length, isExecutable: false, from: text }, ...files] };
}

/** Relative, with `/`; without the packages inside. @throws Error for a link */
async function filesIn(folder: string, under = ''): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(folder, under), { withFileTypes: true })) {
    const path = `${under}${entry.name}`;
    if (path === 'node_modules') continue;
    if (entry.isDirectory()) files.push(...(await filesIn(folder, `${path}/`)));
    else if (entry.isFile()) files.push(path);
    else
      throw new Error(
        `${join(folder, path)} is a link or a device: a bundle has files only. Ask its vendor to leave it out.`,
      );
  }
  return files;
}

/** Windows does not know what is executable, so the content says it: a program, or a script with its interpreter. */
async function kindOf(file: string): Promise<'program' | 'script' | 'other'> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer.toString('latin1', 0, 2) === '#!') return 'script';
    const isProgram =
      buffer.toString('latin1', 0, 2) === 'MZ' ||
      ['7f454c46', 'cffaedfe', 'cefaedfe', 'cafebabe'].includes(buffer.toString('hex'));
    return isProgram ? 'program' : 'other';
  } finally {
    await handle.close();
  }
}

/** The file is there as a whole, or not at all. */
async function write(out: string, files: readonly FileToPack[]): Promise<void> {
  const part = join(dirname(out), `.${basename(out)}.${process.pid}`);
  try {
    await pipeline(writeTar(files), createGzip({ level: 9 }), createWriteStream(part)).catch(refuse(out));
    await rename(part, out).catch(refuse(out));
  } finally {
    await rm(part, { force: true });
  }
}

function* notesOn({ provided }: BundleManifest, { tree }: Needs): Generator<string> {
  const others = [
    ...new Set(
      provided.filter(({ name }) => !name.startsWith('@platen/')).map(({ name, version }) => `${name} ${version}`),
    ),
  ];
  if (others.length > 0) yield `Not inside, because every installation has it: ${others.join(', ')}.`;
  const scripts = [...tree.values()].filter(({ manifest }) =>
    ['preinstall', 'install', 'postinstall'].some(script => manifest.scripts?.[script] !== undefined),
  );
  if (scripts.length > 0)
    yield `Install scripts did not run, of ${scripts.map(({ name }) => name).join(', ')}: try the bundle on a computer like those that get it.`;
}
