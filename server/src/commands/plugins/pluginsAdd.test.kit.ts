/** `platen plugins` with the real npm on packed packages of a test's own, in private folders. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import type { CheckAccount } from './checkAccount.js';
import { plugins } from '../plugins.js';

export const run = promisify(execFile);

export const plugin = (api: number, setup = '() => ({})'): string => `{ name: 'x', api: ${api}, setup: ${setup} }`;

export const listed = async (folder: string): Promise<string[]> =>
  Object.keys(
    (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { dependencies?: object }).dependencies ?? {},
  );

/** @param more variables of the commands' environment */
export async function addKit(t: Pick<Test, 'teardown'>, more: Readonly<Record<string, string>> = {}) {
  // Everything in /tmp that others may write is refused, so the folder is private.
  const root = await realpath(await mkdtemp(join(tmpdir(), 'platen-add-')));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const config = join(root, 'platen.json');
  await writeFile(config, '{ "plugins": [] }', { mode: 0o600 });
  let folders = 0;

  /** A packed package. @param code its default export */
  async function packed(name: string, code: string, manifest: object = {}): Promise<string> {
    const folder = join(root, 'sources', name, 'package');
    await mkdir(folder, { recursive: true });
    const facts = { name, version: '1.2.0', type: 'module', exports: './i.js', ...manifest };
    await writeFile(join(folder, 'package.json'), JSON.stringify(facts));
    await writeFile(join(folder, 'i.js'), `export default ${code};`);
    const file = join(root, `${name.replaceAll(/[@/]/g, '')}.tgz`);
    await run('tar', ['-czf', file, '-C', join(folder, '..'), 'package']);
    return file;
  }

  /** @param account with whose rights plugins are tried out */
  async function platenAs(account: CheckAccount, folder: string | undefined, ...args: string[]) {
    const [out, err]: string[][] = [[], []];
    const env = { ...process.env, ...more, PLATEN_CONFIG: config, PLATEN_DATA_DIR: join(root, 'data') };
    const settings = folder === undefined ? env : { ...env, PLATEN_PLUGINS_DIR: folder };
    const io = { out: (l: string) => out!.push(l), err: (l: string) => err!.push(l), env: settings, cwd: root };
    const code = await plugins(args, io, async () => account);
    return { code, out: out!.join('\n'), err: err!.join('\n') };
  }

  return {
    root,
    config,
    packed,
    platenAs,
    /** A command, and what it printed. @param folder of plugins; undefined: there is none */
    platen: (folder: string | undefined, ...args: string[]) => platenAs('own', folder, ...args),
    newFolder: (): string => join(root, `plugins-${(folders += 1)}`),
  };
}
