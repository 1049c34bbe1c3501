/** A desk without tools: PATH has Node, npm and a shell; no compiler, no make, no Python. A home of its own. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StepError } from '../../step.mjs';
import { npm } from '../npm.mjs';

/** Files that node-gyp leaves where it compiled something. */
const tracesOfACompiler = /\/build\/(config\.gypi|Makefile)$|\.(o|obj|vcxproj)$/;

/**
 * @param {string} folder is created; the installation comes into it
 * @param {{ registry: string, cache: string }} options cache: npm's, may be shared among desks
 */
export function createDesk(folder, { registry, cache }) {
  const [bin, home, data] = ['bin', 'home', 'data'].map(name => join(folder, name));
  for (const each of [folder, bin, home, data]) mkdirSync(each, { recursive: true, mode: 0o700 });
  symlinkSync(process.execPath, join(bin, 'node'));
  symlinkSync('/bin/sh', join(bin, 'sh'));
  symlinkSync(npmProgram(), join(bin, 'npm'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name: 'a-desk', private: true })}\n`);
  const env = { PATH: bin, HOME: home, LANG: 'C.UTF-8', PLATEN_DATA_DIR: data, PLATEN_PORT: '0' };
  const modules = join(folder, 'node_modules');

  return {
    folder,
    data,
    modules,
    env,

    /**
     * As a person types it: install scripts run.
     * @param {...string} packages names with a version, or archives
     * @throws {StepError} with npm's own words
     */
    async install(...packages) {
      const flags = ['--registry', registry, '--cache', cache, '--no-audit', '--no-fund', '--loglevel=error'];
      const { code, output } = await program('npm', ['install', ...packages, ...flags]);
      if (code !== 0) throw new StepError(`npm install ${packages.join(' ')} failed (${code}):\n${output.trimEnd()}`);
    },

    /** @returns {Promise<{ code: number | string, output: string }>} */
    platen: (args, more) => program('node', [command(), ...args], more),

    /** @returns the running process of `platen serve`, or of another command that does not end by itself */
    start: (args, more) =>
      spawn(join(bin, 'node'), [command(), ...args], {
        cwd: folder,
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),

    /** @returns {{ packages: number, ours: number, megabytes: number, scripts: string[], compiled: string[] }} packages: of others */
    measure() {
      const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
      const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
      const bytes = files.reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0);
      const ours = Object.keys(packages).filter(path => /node_modules\/@platen\/[^/]+$/.test(path)).length;
      return {
        packages: Object.keys(packages).length - ours,
        ours,
        megabytes: bytes / 1e6,
        scripts: Object.keys(packages).filter(path => packages[path].hasInstallScript),
        compiled: files.map(each => join(each.parentPath, each.name)).filter(each => tracesOfACompiler.test(each)),
      };
    },
  };

  function command() {
    return join(modules, '@platen', 'server', 'bin', 'platen.cjs');
  }

  function program(name, args, more) {
    return new Promise((resolve, reject) => {
      const options = { cwd: folder, env: { ...env, ...more } };
      const child = spawn(join(bin, name), args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', text => (output += text));
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code: code ?? signal, output }));
    });
  }
}

/** @returns the file that the command `npm` is */
function npmProgram() {
  const [first, second] = npm();
  if (second) return second;
  for (const folder of (process.env.PATH ?? '').split(':')) {
    try {
      return realpathSync(join(folder, first));
    } catch {}
  }
  throw new StepError('npm is not in PATH.');
}
