/** npm, as vendors and integrators use it: pack a package, install it elsewhere. */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Removes the variables of an npm that runs these tests, which describe its own project. */
const kept = /^npm_config_(registry|cache|userconfig|globalconfig|https?_proxy|noproxy|cafile)$/i;
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS|_?TAP)/i.test(name) || kept.test(name)),
);

async function npm(cwd: string, ...args: string[]): Promise<void> {
  const { npm_execpath: script } = process.env;
  const [program, ...first] = script === undefined ? ['npm'] : [process.execPath, script];
  await run(program ?? 'npm', [...first, ...args], { cwd, env });
}

/** @returns the path of the package's archive in the folder */
export const pack = async (packageDir: string, folder: string): Promise<string> =>
  (await packAll([packageDir], folder))[0]!;

/** @returns the paths of the packages' archives in the folder, by one npm */
export async function packAll(packageDirs: readonly string[], folder: string): Promise<string[]> {
  const before = new Set(await readdir(folder));
  await npm(folder, 'pack', ...packageDirs, '--ignore-scripts', '--pack-destination', folder);
  const made = (await readdir(folder)).filter(name => name.endsWith('.tgz') && !before.has(name));
  if (made.length !== packageDirs.length)
    throw new Error(`npm pack created ${made.join(', ')} of ${packageDirs.join(', ')}`);
  return made.map(name => join(folder, name));
}

/** Packages of this clone are then as they are published: without its bundle. */
export async function install(folder: string, archives: readonly string[]): Promise<void> {
  await npm(folder, 'install', ...archives, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts');
  const ours = join(folder, 'node_modules', '@platen');
  for (const name of await readdir(ours)) {
    const manifest = join(ours, name, 'package.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replaceAll(/"platen-bundle": *"[^"]*", */g, ''));
  }
}
