/**
 * The fixture on Windows: the service and the desktop application, both in Windows' Node under Wine, with simulated
 * TWAIN sources of both bitnesses.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceName, startWine, type Wine } from '@platen/driver-twain-windows/wine';
import { until } from '../spec/calls.js';
import { request, type Answer } from '../topology/client.js';
import { untilFound } from '../topology/desktopHost.js';
import { openEvents, type EventStream } from '../topology/events.js';
import { inherited } from '../topology/platen.js';
import { checkAnswer } from '../topology/shapes.js';

/** A Windows program. Its output is a file: Windows' Node does not accept a Linux pipe. */
export interface Program {
  said(): Promise<string>;
  /** Kills it, like the task manager. */
  kill(): Promise<void>;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** Whether it runs, or with what it ended. */
  state(): string;
}

export interface Windows {
  readonly port: number;
  /** Whether both programs run, and their output, for a failing test. */
  said(): Promise<string>;
  /** @param more environment variables */
  platen(args: readonly string[], more?: NodeJS.ProcessEnv): Promise<Program>;
  /** Installs another data source, in both bitnesses. */
  addSource(name: string): Promise<void>;
  /** Removes a program of Windows. */
  removeProgram(name: string): Promise<void>;
  /** Starts the desktop application again after it was killed. */
  readonly host: Program;
  startHost(): Promise<void>;
  /** @throws if the answer does not match the interface's schemas */
  request(method: string, path: string, body?: object): Promise<Answer>;
  events(): Promise<EventStream>;
  /** Sets the state of the sources: `sheets` in the feeder, faults, quirks. */
  set(state: Readonly<Record<string, string | number>>): Promise<void>;
  /** Every triplet that the sources received. */
  triplets(): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

interface Plugin {
  readonly use: string;
}

/** Writes a shipped configuration with other plugins. */
async function configure(file: string, name: string, change = (plugin: Plugin): object => plugin): Promise<void> {
  const shipped = fileURLToPath(new URL(`config/${name}.json`, import.meta.resolve('@platen/server/package.json')));
  const { $schema: _, ...config } = JSON.parse(await readFile(shipped, 'utf8')) as {
    $schema: string;
    plugins: Plugin[];
  };
  await writeFile(file, JSON.stringify({ ...config, plugins: config.plugins.map(change) }), { mode: 0o600 });
}

/**
 * Waits until the service has connected to the desktop application and lists the sources: on a busy machine Wine takes
 * longer to start their helpers than a list or a scan waits.
 */
export async function untilListed(port: number): Promise<void> {
  await untilFound(port);
  await until(async () => {
    const { text } = await request(port, 'GET', '/api/twain/scanners');
    return ([64, 32] as const).every(bits => text.includes(sourceName(bits)));
  });
}

const program = fileURLToPath(new URL('bin/platen.cjs', import.meta.resolve('@platen/server/package.json')));

export async function startWindows(): Promise<Windows> {
  const own = await mkdtemp(join(tmpdir(), 'platen-windows-'));
  const wine = await startWine(inherited);
  const dispose = async (): Promise<void> => {
    await wine.dispose();
    await rm(own, { recursive: true, force: true });
  };
  try {
    return { ...(await startIn(own, wine)), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function startIn(own: string, wine: Wine): Promise<Omit<Windows, 'dispose'>> {
  const at = (name: string): string => wine.path(join(own, name));
  const env = { ...wine.env, PLATEN_DATA_DIR: at('data'), PLATEN_PORT: '0', PLATEN_TWAIN_STATE: at('state') };
  let started = 0;

  async function platen(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Program> {
    const file = join(own, `${started++}.txt`);
    const output = await open(file, 'w');
    // Otherwise the test runner loads this machine's modules into every Node that a test starts.
    const child = spawn('env', ['-u', 'NODE_OPTIONS', 'wine', wine.node, wine.path(program), ...args], {
      env: { ...env, ...more },
      stdio: ['ignore', output.fd, output.fd],
    });
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    await output.close();
    return {
      ended,
      state: () =>
        child.exitCode === null && child.signalCode === null
          ? 'running'
          : `ended with ${child.signalCode ?? child.exitCode}`,
      said: () => readFile(file, 'utf8'),
      async kill() {
        child.kill('SIGKILL');
        await ended;
      },
    };
  }

  /** The line that the program prints when it is ready. @throws if it ends instead */
  async function saying(running: Program, sentence: RegExp): Promise<RegExpExecArray> {
    let found: RegExpExecArray | null = null;
    let over = false;
    void running.ended.then(() => (over = true));
    await until(async () => over || (found = sentence.exec(await running.said())) !== null);
    if (!found) throw new Error(`platen ended with ${await running.ended}: ${await running.said()}`);
    return found;
  }

  const said = async (): Promise<string> =>
    `The service (${service.state()}):\n${await service.said()}\nThe desktop application (${host.state()}):\n${await host.said()}`;

  const set: Windows['set'] = async state => {
    const lines = Object.entries({ log: at('triplets'), ...state }).map(([key, value]) => `${key}=${value}\n`);
    await writeFile(join(own, 'state.fresh'), lines.join(''));
    await rename(join(own, 'state.fresh'), join(own, 'state'));
  };

  await mkdir(join(own, 'data'), { mode: 0o700 });
  await set({});
  await configure(join(own, 'host.json'), 'host');
  // As for "npm start", with virtual scanners in their own process.
  await configure(join(own, 'service.json'), 'try', plugin =>
    plugin.use === '@platen/driver-virtual' ? { ...plugin, isolate: true } : plugin,
  );
  const certificate = await platen(['cert', 'install', '--no-trust']);
  if ((await certificate.ended) !== 0) throw new Error(`platen cert install: ${await certificate.said()}`);

  const [service, firstHost] = await Promise.all([
    platen(['serve', '--config', at('service.json')]),
    platen(['host', '--config', at('host.json')]),
  ]);
  let host = firstHost;
  await saying(host, / on the channel /);
  const port = Number((await saying(service, /https:\/\/localhost:(\d+)/))[1]);
  await untilListed(port);
  return {
    port,
    platen,
    set,
    addSource: wine.addSource,
    removeProgram: wine.removeProgram,
    get host() {
      return host;
    },
    async startHost() {
      host = await platen(['host', '--config', at('host.json')]);
      await saying(host, / on the channel /);
      await untilListed(port);
    },
    said,
    async request(method, path, body) {
      const answer = await request(port, method, path, body ? { body } : {}).catch(async (error: unknown) => {
        throw new Error(`${method} ${path}: ${String(error)}\n${await said()}`, { cause: error });
      });
      checkAnswer(method, path, answer.status, answer.json);
      return answer;
    },
    events: () => openEvents(port),
    triplets: async () => (await readFile(join(own, 'triplets'), 'utf8')).split(/\r?\n/).filter(line => line !== ''),
  };
}
