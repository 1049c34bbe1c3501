/** What a vendor has: npm with a registry that has our packages, and an empty folder outside the repository. */
import { exec, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadParts } from '../tools/releaseParts.js';

interface Teardown {
  teardown(work: () => unknown): void;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
}

export interface Shell {
  /** Where the next command runs. */
  readonly folder: string;
  /** Types a command: `cd` changes the folder. Both outputs are in `out`. */
  run(command: string): Promise<Ran>;
  /** Starts a command that does not end by itself; it is ended after the test. */
  start(command: string): ChildProcess;
}

export interface Desk {
  /** Empty at first. */
  readonly folder: string;
  shell(folder: string, env?: NodeJS.ProcessEnv): Shell;
}

/** Publishes our packages to a registry on loopback, as `npm create @platen/driver` finds them. */
export async function openDesk(t: Teardown): Promise<Desk> {
  const { ensureRelease, startRegistry, npmEnv } = await loadParts();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'platen-desk-')));
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { tarballs } = await ensureRelease();
  const registry = await startRegistry({ folder: join(folder, '.registry') });
  t.teardown(() => registry.stop());
  for (const { file } of tarballs) await registry.publish(file);
  const settings = {
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, '.npm'),
    // As a person who answers "Ok to proceed?" with y.
    npm_config_yes: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  return {
    folder,
    shell: (where, env = {}) => createShell(t, where, npmEnv({ ...settings, ...env }) as NodeJS.ProcessEnv),
  };
}

function createShell(t: Teardown, start: string, env: NodeJS.ProcessEnv): Shell {
  let cwd = start;
  return {
    get folder() {
      return cwd;
    },
    async run(command) {
      const [, to] = /^cd (\S+)$/.exec(command) ?? [];
      if (to !== undefined) {
        cwd = resolve(cwd, to);
        return { code: 0, out: '' };
      }
      return new Promise(done => {
        exec(command, { cwd, env, maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
          done({ code: error ? Number(error.code ?? 1) : 0, out: stdout + stderr }),
        ).stdin?.end();
      });
    },
    start(command) {
      // A group of its own: npm starts a shell that starts the program.
      const child = spawn(command, { cwd, env, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = new Promise(over => child.once('close', over));
      t.teardown(async () => {
        if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
          process.kill(-child.pid, 'SIGTERM');
          await ended;
        }
      });
      return child;
    },
  };
}
