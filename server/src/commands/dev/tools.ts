/** The programs that `platen dev` runs beside its service: the build, the suite and a scan. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startChild, type ChildEnd } from '@platen/core';
import { ask } from '../../machine/ask.js';
import { installationPrefix, platenProgram } from '../../machine/packageFolders.js';
import { findNpm } from '../plugins/npm.js';
import type { DevPackage } from './devPackage.js';

const SUITE = 'platen-conformance';

/** Its output is this process's. @returns how it ended */
export interface Tool {
  readonly ended: Promise<ChildEnd>;
  kill(): void;
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const run = ({ command, args, cwd, env }: Program): Tool =>
  startChild({ command, args, cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });

/** @throws Error if there is no npm */
export async function runBuild({ folder }: DevPackage, env: NodeJS.ProcessEnv): Promise<Tool> {
  const npm = await findNpm(installationPrefix(), env);
  if (!npm) throw new Error('npm was not found, which runs the script "build": install Node with its npm.');
  return run({ command: npm.command, args: [...npm.args, 'run', '--silent', 'build'], cwd: folder, env });
}

/** @throws Error if the package has no suite installed */
export async function runSuite({ folder, name }: DevPackage, env: NodeJS.ProcessEnv): Promise<Tool> {
  const program = await suiteProgram(folder);
  if (program === undefined)
    throw new Error(`${SUITE} is not installed for ${name}. Run: npm install --save-dev @platen/conformance.`);
  return run({ command: process.execPath, args: ['--enable-source-maps', program, folder], cwd: folder, env });
}

async function suiteProgram(folder: string): Promise<string | undefined> {
  try {
    const manifest = createRequire(join(folder, 'package.json')).resolve('@platen/conformance/package.json');
    const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin?: string | Record<string, string> };
    const file = typeof bin === 'string' ? bin : bin?.[SUITE];
    return file === undefined ? undefined : join(dirname(manifest), file);
  } catch {
    return undefined;
  }
}

/** One page of the first scanner that is online, through the service of the data folder at the port. */
export async function runScan(
  { dataDir, port }: { readonly dataDir: string; readonly port: number },
  cwd: string,
  { PLATEN_CONFIG: _, ...env }: NodeJS.ProcessEnv,
): Promise<Tool> {
  const { json } = await ask({ port, host: 'localhost', path: '/api/twain/scanners' });
  const { scanners = [] } = (json ?? {}) as { scanners?: readonly { name: string; isOnline: boolean }[] };
  const scanner = scanners.find(({ isOnline }) => isOnline);
  return run({
    command: process.execPath,
    args: [
      ...[platenProgram, 'scan', '--sheets', '1', '--force', '--out', join(dataDir, 'scan-%d.png')],
      ...(scanner ? ['--scanner', scanner.name] : []),
    ],
    cwd,
    env: { ...env, PLATEN_DATA_DIR: dataDir },
  });
}
