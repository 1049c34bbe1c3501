/** Runs `platen` as a user does: as a separate process, observed by its output and its exit code. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeIdleConnections } from './client.js';
import { runFolder } from './runFolder.js';
import { bundleFlags } from './serviceBundle.js';

export interface Exit {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly log: string;
}

export interface Platen {
  readonly pid: number;
  out(): string;
  log(): string;
  signal(signal: NodeJS.Signals): void;
  /** Writes to its standard input, which has to be open. @param text null: nothing more comes */
  type(text: string | null): void;
  readonly ended: Promise<Exit>;
}

/** The service ended before it listened. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
  readonly exit: Exit;

  constructor(exit: Exit) {
    super(`platen ended with ${exit.code}: ${exit.log}${exit.out}`);
    this.exit = exit;
  }
}

const program = fileURLToPath(new URL('bin/platen.cjs', import.meta.resolve('@platen/server/package.json')));

/** The service inherits neither the test runner's variables nor the settings of the person who runs the tests. */
const notOurs = /^(NODE_OPTIONS|NODE_V8_COVERAGE|NODE_EXTRA_CA_CERTS|GLIBC_TUNABLES|_?TAP|PLATEN_)/i;
export const inherited: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !notOurs.test(name)),
);

const { tunables } = createRequire(program)('./glibc.cjs') as { readonly tunables: string };

/** What the service's unit of systemd sets for glibc, and `npm start`: without it, the program starts itself once more. */
export const unitMemory: Readonly<Record<string, string>> = { GLIBC_TUNABLES: tunables };

const folderOfRun = process.env[runFolder];
/** The code that V8 compiled for the first service of a run is there for the others. Node 20 does not know it. */
const compiled = folderOfRun === undefined ? {} : { NODE_COMPILE_CACHE: join(folderOfRun, 'compiled') };

const running = new Set<() => void>();
process.on('exit', () => running.forEach(kill => kill()));

export interface PlatenOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node's own. */
  readonly node?: readonly string[];
  readonly cwd?: string;
  /** Its standard input is a pipe; otherwise the null device, which is at its end. */
  readonly isTyped?: boolean;
  /** Starts Node with these arguments; Node itself when absent. */
  readonly starter?: string;
  /**
   * Runs the compiled files, as they are published, and as somebody types it; otherwise the clone's bundle, which starts in
   * half the time, with what a start of the system prepares.
   */
  readonly asPublished?: boolean;
}

export function platen(
  args: readonly string[],
  { env = {}, node = [], cwd, isTyped = false, starter = process.execPath, asPublished = false }: PlatenOptions = {},
): Platen {
  const child = spawn(starter, [...(asPublished ? [] : bundleFlags()), ...node, program, ...args], {
    env: { ...inherited, ...(asPublished ? {} : { ...unitMemory, ...compiled }), ...env },
    stdio: [isTyped ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const kill = (): void => void child.kill('SIGKILL');
  running.add(kill);
  let out = '';
  let log = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => {
      running.delete(kill);
      closeIdleConnections();
      resolve({ code, out, log });
    });
  });
  return {
    pid: child.pid ?? 0,
    out: () => out,
    log: () => log,
    signal: signal => void child.kill(signal),
    type: text => void (text === null ? child.stdin?.end() : child.stdin?.write(text)),
    ended,
  };
}

/** Starts `platen serve` and waits for the line that says where it listens. @throws NotStarted */
export async function serve(
  args: readonly string[],
  options: PlatenOptions,
): Promise<Platen & { readonly port: number }> {
  const service = platen(['serve', ...args], options);
  let look: NodeJS.Timeout | undefined;
  const listening = new Promise<number>(resolve => {
    let logged: number | undefined;
    look = setInterval(() => {
      const found = /https:\/\/localhost:(\d+)/.exec(service.out());
      if (!found) return;
      // Earlier log lines are already in the pipe: they have been read one event loop turn later.
      if (logged === service.log().length) resolve(Number(found[1]));
      logged = service.log().length;
    }, 10);
  });
  try {
    const first = await Promise.race([listening, service.ended]);
    if (typeof first !== 'number') throw new NotStarted(first);
    return { ...service, port: first };
  } finally {
    clearInterval(look);
  }
}
