/**
 * A network namespace with loopback only, for tests of the shipped configuration, which discovers scanners in the
 * network.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs, type NeedyTest } from '@platen/conformance';

/** Loopback has multicast only if it is enabled. */
const begin = 'ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo && exec "$0" "$@"';
const LIMIT_MS = 240_000;

/** Whether this computer has the necessary programs (Linux: util-linux, iproute2). */
export const needsOwnNetwork = (t: NeedyTest): boolean => ['unshare', 'ip'].every(program => needs(t, program));

/**
 * Runs a module and all its child processes in a separate network.
 * @returns its output, parsed as JSON
 * @throws if it fails
 */
export async function inOwnNetwork<T>(module: URL, args: readonly string[] = []): Promise<T> {
  const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const command = [
    '--net',
    ...user,
    '--kill-child',
    '--',
    'sh',
    '-c',
    begin,
    process.execPath,
    '--enable-source-maps',
    fileURLToPath(module),
    ...args,
  ];
  const { stdout } = await promisify(execFile)('unshare', command, {
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as T;
}
