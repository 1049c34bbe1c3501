/** npm, to add and remove packages: the installation's own, Node's, or the one in PATH. */
import { realpath, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { platform } from '../config/platform.js';
import { systemTools } from '../tls/trust/tool.js';
import type { PluginsFolder } from './folder.js';

export interface Npm {
  readonly command: string;
  /** Before npm's own arguments. */
  readonly args: readonly string[];
}

export class NpmError extends Error {
  override readonly name = 'NpmError';
  /** npm's own code, such as `E404`; undefined if npm said nothing that can be read. */
  readonly npmCode: string | undefined;

  /** @param message one sentence, with the fix */
  constructor(message: string, npmCode?: string) {
    super(message);
    this.npmCode = npmCode;
  }
}

/** Nothing but packages: no reports, no scripts of packages, and no second copy of our packages as peers. */
const quiet = ['--omit=dev', '--legacy-peer-deps', '--no-audit', '--no-fund', '--no-update-notifier', '--json'];
/** Codes of a registry that does not answer. */
const unreachable = new Set(['ENOTFOUND', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EAI_AGAIN', 'ENETUNREACH']);

/** @param prefix the installation's folder, which an installer gives its own `npm/` */
export async function findNpm(
  prefix: string | undefined,
  env: NodeJS.ProcessEnv,
  execPath: string = process.execPath,
): Promise<Npm | undefined> {
  const beside = dirname(execPath);
  const scripts = [
    ...(prefix === undefined ? [] : [join(prefix, 'npm')]),
    join(beside, 'npm'),
    join(beside, 'node_modules', 'npm'),
    join(dirname(beside), 'lib', 'node_modules', 'npm'),
  ].map(folder => join(folder, 'bin', 'npm-cli.js'));
  for (const script of scripts) if (await isFile(script)) return { command: execPath, args: [script] };
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(each => each !== '')) {
    // Windows starts a .cmd only through a shell.
    const script =
      platform === 'win32' ? join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js') : join(folder, 'npm');
    if (!(await isFile(script))) continue;
    const file = await realpath(script);
    return basename(file) === 'npm-cli.js' ? { command: execPath, args: [file] } : { command: file, args: [] };
  }
  return undefined;
}

export interface NpmCall {
  readonly npm: Npm;
  readonly folder: PluginsFolder;
  readonly verb: 'install' | 'uninstall';
  /** Names, names with versions, or absolute paths of tarballs. */
  readonly packages: readonly string[];
  /** Whether install scripts of packages run. */
  readonly scripts: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** @throws {NpmError} */
export async function runNpm({ npm, folder, verb, packages, scripts, env }: NpmCall): Promise<void> {
  const where = folder.isGlobal ? ['--global', '--prefix', folder.npmPrefix] : ['--prefix', folder.npmPrefix];
  const args = [...npm.args, verb, ...where, ...quiet, ...(scripts ? [] : ['--ignore-scripts']), '--', ...packages];
  const ran = await systemTools(env).run(npm.command, args);
  if (ran?.code === 0) return;
  throw ran === undefined
    ? new NpmError(`npm (${npm.command}) cannot be started. Install Node again, with its npm.`)
    : faultIn(ran.said, packages.join(' '), folder.path);
}

function faultIn(said: string, packages: string, path: string): NpmError {
  const { code, summary = said } = errorIn(said);
  const words = summary.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
  if (code === 'E404') return new NpmError(`npm's registry has no package ${packages}. Check its name.`, code);
  if (code === 'ETARGET') return new NpmError(`npm's registry has no such version of ${packages}: ${words}`, code);
  if (code !== undefined && unreachable.has(code))
    return new NpmError(
      `npm cannot reach its registry (${code}). Check the network and "npm config get registry", or pass the package as a file (FILE.tgz).`,
      code,
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return new NpmError(cannotWrite(path), code);
  return new NpmError(`npm failed${code === undefined ? '' : ` with ${code}`}: ${words}`, code);
}

export const cannotWrite = (path: string): string =>
  `This account cannot write to ${path}. Run the command with administrator rights${platform === 'win32' ? '' : ' (sudo)'}.`;

/** npm's output as JSON ends with a brace on a line of its own; its warnings follow. */
function errorIn(said: string): { readonly code?: string; readonly summary?: string } {
  try {
    const { error } = JSON.parse(said.slice(said.indexOf('{'), said.indexOf('\n}') + 2)) as {
      error?: { code?: string; summary?: string };
    };
    return error ?? {};
  } catch {
    return {};
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}
