/** The loop of `platen dev`: builds, starts the service, and does it again at each change or key. */
import { messageOf } from '@platen/core';
import type { DevPackage } from './devPackage.js';
import { readDevPackage } from './devPackage.js';
import { devFiles } from './files.js';
import type { DevKey } from './keys.js';
import type { DevSetUp } from './messages.js';
import { startServiceProcess, type ServiceProcess } from './serviceProcess.js';
import { runBuild, runScan, runSuite, type Tool } from './tools.js';
import { watchFolder, type Watch } from './watchFolder.js';

export interface DevLoopOptions {
  readonly io: {
    out(line: string): void;
    err(line: string): void;
    readonly env: NodeJS.ProcessEnv;
    readonly cwd: string;
  };
  readonly found: DevPackage;
  readonly dataDir: string;
  readonly port: number;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly licence?: string | undefined;
}

export interface DevLoop {
  /** False: the package is not a plugin, and its author has been told. */
  readonly started: Promise<boolean>;
  press(key: Exclude<DevKey, 'q'>): void;
  close(): Promise<void>;
}

export function startDevLoop({ io, found: first, dataDir, port: wanted, ...given }: DevLoopOptions): DevLoop {
  let found = first;
  let port = wanted;
  let service: ServiceProcess | undefined;
  let watch: Watch | undefined;
  let tool: Tool | undefined;
  let closed = false;
  const tell = startsTold(io, dataDir);
  /** One thing at a time. */
  let turn: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T | undefined> => {
    const next = turn.then(() => (closed ? undefined : work()));
    turn = next.catch((error: unknown) => io.err(`platen dev: ${messageOf(error)}`));
    return turn as Promise<T | undefined>;
  };

  const use = async (make: Tool | Promise<Tool>): Promise<boolean> => {
    tool = await make;
    const { code } = await tool.ended;
    tool = undefined;
    return code === 0;
  };

  async function build(): Promise<boolean> {
    if (!found.builds) return true;
    io.out(`Building ${found.name} …`);
    const isBuilt = await use(runBuild(found, io.env));
    await watch?.accept(files.isOutput);
    if (isBuilt) return true;
    if (!closed)
      io.err(`The build failed.${service ? ' The service goes on with the build before.' : ''} Waiting for a change.`);
    return false;
  }

  /** @returns whether the package is a plugin */
  async function restart(): Promise<boolean> {
    const before = service;
    service = undefined;
    await before?.stop();
    found = await readDevPackage(found.folder);
    if (closed) return true;
    const { folder, name, entry, devModule } = found;
    const setUp: DevSetUp = { folder, name, entry, devModule, dataDir, port, ...given };
    const started = startServiceProcess(setUp, io.env);
    service = started;
    const answer = await started.answer;
    if (answer && 'port' in answer) {
      ({ port } = answer);
      tell(`${name} (${answer.provides.join(', ')}) runs: https://localhost:${port}/app/`);
      void started.ended.then(how => {
        if (service !== started || closed) return;
        service = undefined;
        io.err(`The service ${how}. It starts again at the next change, or with r.`);
      });
      return true;
    }
    await started.stop();
    service = undefined;
    if (!answer?.isPlugin && answer) return false;
    io.err(`${found.name} did not start. Waiting for a change.`);
    return true;
  }

  const files = devFiles(first, dataDir);

  async function onChange(): Promise<void> {
    const paths = (await watch?.take()) ?? [];
    const [path] = paths;
    if (path === undefined) return;
    io.out(`Changed: ${path}${paths.length > 1 ? ` and ${paths.length - 1} more` : ''}.`);
    if (paths.every(files.isOutput) || (await build())) await restart();
  }

  async function begin(): Promise<boolean> {
    watch = await watchFolder(first.folder, {
      watches: files.watches,
      onChange: async () => void (await inTurn(onChange)),
    });
    const isPlugin = (await build()) ? await restart() : true;
    watch.start();
    return isPlugin;
  }

  const actions: Record<Exclude<DevKey, 'q'>, () => Promise<unknown>> = {
    async c() {
      const passed = await use(runSuite(found, io.env));
      if (!closed) io.out(passed ? 'The suite passed.' : 'The suite failed.');
    },
    async r() {
      if (await build()) await restart();
    },
    async s() {
      if (!service) throw new Error('The service does not run: there is nothing to scan with.');
      await use(runScan({ dataDir, port }, io.cwd, io.env));
    },
  };

  const started = begin();
  turn = started.catch(() => undefined);
  return {
    started,
    press: key => void inTurn(actions[key]),
    async close() {
      closed = true;
      tool?.kill();
      await turn.catch(() => undefined);
      await watch?.close();
      await service?.stop();
    },
  };
}

/** @returns says that the service runs; the first time, also what its user must know */
function startsTold(io: DevLoopOptions['io'], dataDir: string): (sentence: string) => void {
  let said = false;
  return sentence => {
    io.out(sentence);
    if (said) return;
    said = true;
    io.out(
      'The browser says that the connection is not private, because nothing on this computer trusts the certificate of platen dev. Choose "Advanced" and continue to localhost.',
    );
    io.out(`Data folder: ${dataDir}`);
  };
}
