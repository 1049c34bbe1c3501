/** npm, to add and remove packages: the installation's own, Node's, or the one in PATH. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { platform } from '../../machine/platform.js';
import { systemTools, type Ran } from '../../machine/tls/trust/tool.js';
import { cannotWrite, type PluginsFolder } from './folder.js';

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
  constructor(message: string, npmCode?: string, options?: ErrorOptions) {
    super(message, options);
    this.npmCode = npmCode;
  }

  get isUnreachable(): boolean {
    return unreachable.has(this.npmCode);
  }
}

/** The oldest npm that is used: the one of the oldest Node that runs Platen. */
const LEAST_NPM = 10;

/** Nothing but packages: no reports, no scripts of packages, and no second copy of our packages as peers. */
const quiet = ['--omit=dev', '--legacy-peer-deps', '--no-audit', '--no-fund', '--no-update-notifier', '--json'];

/**
 * npm prepares a package from git, also one that a dependency names, with a second npm in its clone. That one reads the
 * clone's `.npmrc`, whose `git` is a program that it runs, whether or not scripts do. So nothing comes from git, nor
 * from an address. An npm before 11.10 does not know the first two; no npm can start the null device, and the second
 * npm inherits it.
 */
export const noForeignCode = ['--allow-git=none', '--allow-remote=none', `--git=${devNull}`] as const;
/** Codes of a registry that does not answer. */
const unreachable: ReadonlySet<string | undefined> = new Set([
  ...['ENOTFOUND', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'],
  'ERR_SOCKET_TIMEOUT',
  // With --offline.
  'ENOTCACHED',
]);

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
  /** Names, names with versions, or names with absolute paths of tarballs. */
  readonly packages: readonly string[];
  /** Whether install scripts of packages run. */
  readonly scripts?: boolean;
  /** All packages are files, so a registry that does not answer is asked once. */
  readonly areFiles?: boolean;
  /** No registry is asked: there are the files, and npm's cache. */
  readonly offline?: boolean;
  /** More of npm's flags. */
  readonly flags?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** @throws {NpmError} */
export async function runNpm({
  npm,
  folder,
  verb,
  packages,
  scripts = false,
  areFiles = false,
  offline = false,
  flags = [],
  env,
}: NpmCall): Promise<void> {
  const where = folder.isGlobal ? ['--global', '--prefix', folder.npmPrefix] : ['--prefix', folder.npmPrefix];
  const run = async (...args: string[]): Promise<Ran> => {
    const ran = await systemTools(env).run(npm.command, [...npm.args, ...args]);
    if (ran) return ran;
    throw new NpmError(`npm (${npm.command}) cannot be started. Install Node again, with its npm.`);
  };
  const version = (await versionBeside(npm)) ?? (await run('--version', ...where)).said;
  if (!(Number.parseInt(version, 10) >= LEAST_NPM))
    throw new NpmError(
      `npm ${LEAST_NPM} or later is needed, and ${[npm.command, ...npm.args].join(' ')} is npm ${version.slice(0, 50)}. Install a current Node, with its npm.`,
    );
  const own = [
    ...quiet,
    ...noForeignCode,
    ...(scripts ? [] : ['--ignore-scripts']),
    ...(areFiles ? ['--fetch-retries=0', '--prefer-offline'] : []),
    ...(offline ? ['--offline'] : []),
    ...flags,
  ];
  const { code, said } = await run(verb, ...where, ...own, '--', ...packages);
  if (code !== 0) throw faultIn(said, packages.join(' '), folder.path);
}

/** npm's manifest says its version sooner than npm, which takes a sixth of a second. @returns undefined: ask npm */
async function versionBeside({ args: [script] }: Npm): Promise<string | undefined> {
  if (script === undefined || basename(script) !== 'npm-cli.js') return undefined;
  try {
    const manifest = await readFile(join(dirname(dirname(script)), 'package.json'), 'utf8');
    const { name, version } = JSON.parse(manifest) as { name?: unknown; version?: unknown };
    return name === 'npm' && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

function faultIn(said: string, packages: string, path: string): NpmError {
  const { code, summary = said, detail = '' } = errorIn(said);
  const words = summary.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
  // Without git, an npm before 11.10 reports why the null device does not start.
  if (code === 'EALLOWGIT' || code === 'EALLOWREMOTE' || /git (?:error|dep)/.test(summary)) {
    const wanted = /"([^"]{1,200})"/.exec(detail)?.[1];
    return new NpmError(
      `A package depends on ${wanted ?? 'another one'} from git or from an address. Plugins come from npm's registry and from files only: npm would run code of a package from git. Ask its vendor for a version without that dependency.`,
      code,
    );
  }
  if (code === 'E404') {
    const wanted = /'([^']{1,200})' is not in/.exec(detail)?.[1] ?? packages;
    return new NpmError(`npm's registry has no package ${wanted}. Check its name.`, code);
  }
  if (code === 'ETARGET') return new NpmError(`npm's registry has no such version of ${packages}: ${words}`, code);
  if (unreachable.has(code))
    return new NpmError(
      `npm cannot reach its registry (${code}). Check the network and "npm config get registry", or pass the package as a file (FILE.tgz), which "platen plugins pack" makes on a computer with a network.`,
      code,
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return new NpmError(cannotWrite(path), code);
  return new NpmError(`npm failed${code === undefined ? '' : ` with ${code}`}: ${words}`, code);
}

/** npm's output as JSON ends with a brace on a line of its own; its warnings follow. */
function errorIn(said: string): { readonly code?: string; readonly summary?: string; readonly detail?: string } {
  try {
    const { error } = JSON.parse(said.slice(said.indexOf('{'), said.indexOf('\n}') + 2)) as {
      error?: { code?: string; summary?: string; detail?: string };
    };
    return error ?? {};
  } catch {
    return {};
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}
