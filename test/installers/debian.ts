/**
 * A bare Debian for tests of installers: made once per clone by mmdebstrap, unpacked for each test, run in namespaces of
 * its own, with systemd as its first process if wanted.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { needs, type NeedyTest } from '@platen/conformance';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'platen-debian');
const bootScript = fileURLToPath(new URL('../../installers/boot.sh', import.meta.url));
const suite = 'bookworm';
const LIMIT_MS = 240_000;

export interface Debian {
  /** Its files, seen from outside. */
  readonly folder: string;
  /** Runs a command in it, with this computer's network, without systemd. Standard input is empty: nobody answers. */
  run(...command: string[]): Promise<string>;
  /** Starts systemd, without a network but loopback. */
  boot(): Promise<Booted>;
  remove(): Promise<void>;
}

export interface Booted {
  /** Runs a command in it. */
  run(...command: string[]): Promise<string>;
  /** Runs a program of this computer in its network. */
  visit(...command: string[]): Promise<string>;
  /** Ends every process in it. */
  stop(): Promise<void>;
}

/** Whether this computer can: namespaces with mounts take root. */
export function needsDebian(t: NeedyTest): boolean {
  if (!['mmdebstrap', 'unshare', 'nsenter', 'ip'].every(program => needs(t, program))) return false;
  if (process.getuid?.() === 0) return true;
  t.skip('only root may run a Debian of its own', () => undefined);
  return false;
}

export async function unpackDebian(): Promise<Debian> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-debian-'));
  await call('tar', ['-x', '-f', await base(), '-C', folder]);
  // For the archive's hosts.
  await cp('/etc/resolv.conf', join(folder, 'etc', 'resolv.conf'), { dereference: true });
  return {
    folder,
    run: async (...command) =>
      call('unshare', ['--mount', '--pid', '--fork', '--kill-child', '--', 'sh', bootScript, folder, ...command]),
    boot: () => boot(folder),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** @returns the tarball of a Debian with what every installation of it has: apt, certificates, systemd */
async function base(): Promise<string> {
  const file = join(cache, `${suite}.tar`);
  if (existsSync(file)) return file;
  await mkdir(cache, { recursive: true });
  // mmdebstrap takes the format from the ending.
  const own = join(cache, `${suite}-${process.pid}.tar`);
  await call('mmdebstrap', [
    '--quiet',
    '--mode=root',
    '--variant=minbase',
    '--include=ca-certificates,systemd-sysv',
    suite,
    own,
  ]);
  await rename(own, file);
  return file;
}

async function boot(folder: string): Promise<Booted> {
  const namespaces = ['--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup'];
  const command = [...namespaces, '--fork', '--kill-child', '--', 'sh', bootScript, folder, '/lib/systemd/systemd'];
  const child = spawn('unshare', command, { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  try {
    const pid = await firstProcess(child);
    const inside = (...command: string[]): Promise<string> =>
      call('nsenter', [
        '--target',
        String(pid),
        '--all',
        '--',
        'env',
        '-i',
        'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
        ...command,
      ]);
    // systemd answers as soon as it is the first process and listens.
    await until(() => inside('systemctl', 'list-units'));
    return {
      run: inside,
      visit: (...command) => call('nsenter', ['--target', String(pid), '--net', '--', ...command]),
      stop: async () => {
        process.off('exit', kill);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @returns the id, outside, of the namespace's first process, once it is systemd */
async function firstProcess(child: ChildProcess): Promise<number> {
  return until(async () => {
    const pid = Number((await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).trim());
    if (!(await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('systemd')) throw new Error('not yet');
    return pid;
  });
}

/** Tries again until it succeeds. @throws its last error */
export async function until<T>(attempt: () => Promise<T>, limitMs = 60_000): Promise<T> {
  for (const end = Date.now() + limitMs; ; await pause(50)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** @returns its output @throws with what it printed */
async function call(program: string, args: readonly string[]): Promise<string> {
  const child = promisify(execFile)(program, args, { timeout: LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: 64 << 20 });
  child.child.stdin?.end();
  try {
    return (await child).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}:\n${stdout}\n${stderr}`, { cause: error });
  }
}
