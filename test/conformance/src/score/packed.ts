/** What npm packs of a package: asked of npm itself. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;
const TIMEOUT_MS = 60_000;

/** Of an npm that runs this program: they describe its own project. */
const inherited = /^npm_(config_(workspaces?|prefix|local_prefix|include_workspace_root)|package_|lifecycle_)/i;

/**
 * @param folder of the package, absolute
 * @returns the files, relative, with `/`
 * @throws Error if npm cannot say
 */
export async function packedFiles(folder: string): Promise<readonly string[]> {
  const { npm_execpath: script } = process.env;
  // npx is another script of the same npm.
  const npm = script?.replace(/npx-cli\.js$/, 'npm-cli.js');
  const isScript = npm?.endsWith('npm-cli.js') ?? false;
  const args = ['pack', folder, '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const { stdout } = await execute(isScript ? process.execPath : 'npm', isScript ? [npm ?? '', ...args] : args, {
    cwd: folder,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name))),
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: TIMEOUT_MS,
    // npm is a batch file on Windows.
    shell: !isScript && process.platform === 'win32',
  });
  const [report] = JSON.parse(stdout) as readonly { readonly files: readonly { readonly path: string }[] }[];
  if (!report) throw new Error('npm pack says nothing of the package');
  return report.files.map(each => each.path.replaceAll('\\', '/')).sort();
}
