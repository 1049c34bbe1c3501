/**
 * A network namespace with loopback only, for tests of the shipped configuration, which discovers scanners in the
 * network.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs, type NeedyTest } from '@platen/conformance';
import { isPermitted } from './permitted.js';

/** Loopback has multicast only if it is enabled. */
const begin = 'ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo && exec "$0" "$@"';
const LIMIT_MS = 240_000;

/** Without root's rights, a user namespace gives them. */
const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];

/** Whether this computer has the necessary programs (Linux: util-linux, iproute2), and this account may use them so. */
export const needsOwnNetwork = (t: NeedyTest): boolean =>
  ['unshare', 'ip'].every(program => needs(t, program)) &&
  isPermitted(t, 'have a network of its own', ['unshare', '--net', ...user, '--', 'sh', '-c', begin, 'true']);

export interface OwnNetworkOptions {
  /** Milliseconds until it is killed; four minutes when absent. */
  readonly limitMs?: number;
  /** Gets its standard error while it runs. */
  say?(text: string): void;
}

/**
 * Runs a module and all its child processes in a separate network.
 * @returns its output, parsed as JSON
 * @throws if it fails
 */
export async function inOwnNetwork<T>(
  module: URL,
  args: readonly string[] = [],
  { limitMs = LIMIT_MS, say }: OwnNetworkOptions = {},
): Promise<T> {
  const command = [
    '--net',
    ...user,
    '--kill-child',
    '--',
    'sh',
    '-c',
    begin,
    process.execPath,
    fileURLToPath(module),
    ...args,
  ];
  const running = promisify(execFile)('unshare', command, {
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (say) running.child.stderr?.setEncoding('utf8').on('data', say);
  const { stdout } = await running;
  return JSON.parse(stdout) as T;
}
