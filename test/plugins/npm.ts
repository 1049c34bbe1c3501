/** npm, as vendors and integrators use it: pack a package, install it elsewhere. */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
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
export async function pack(packageDir: string, folder: string): Promise<string> {
  const before = new Set(await readdir(folder));
  await npm(packageDir, 'pack', '--ignore-scripts', '--pack-destination', folder);
  const made = (await readdir(folder)).find(name => name.endsWith('.tgz') && !before.has(name));
  if (made === undefined) throw new Error(`npm pack created nothing for ${packageDir}`);
  return join(folder, made);
}

export async function install(folder: string, archives: readonly string[]): Promise<void> {
  await npm(folder, 'install', ...archives, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts');
}
