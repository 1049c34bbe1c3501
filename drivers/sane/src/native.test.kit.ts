/** The helper executable, used frame by frame, with SANE's `test` backend. */
import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '@platen/conformance';
import { readFrames, type Frame } from '@platen/driver-kit';
import type { Test } from 'tap';

export const helper = fileURLToPath(new URL('../native/build/Release/platen-sane-helper', import.meta.url));

/** Whether this machine can run the suites. If not, they are skipped, and fail in CI. */
export function needsSane(t: Test): boolean {
  return needs(t, 'scanimage') && needs(t, helper);
}

/** The environment in which libsane knows only the `test` backend. */
export function testBackend(t: Test): NodeJS.ProcessEnv {
  const folder = t.testdir({ 'dll.conf': 'test\n', 'test.conf': 'geometry_max 300\n' });
  return { ...process.env, SANE_CONFIG_DIR: folder };
}

/**
 * The output of scanimage with these arguments. It has none of the helper's care for readers (`native/cancel.c`): with the
 * `test` backend it hangs once in some 2,500 runs, and is run again.
 */
export async function scanimage(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Buffer> {
  const all = ['-d', 'test:0', '--format=pnm', ...args];
  const limits = { maxBuffer: 1 << 28, timeout: 60_000, killSignal: 'SIGKILL' } as const;
  for (;;) {
    try {
      return (await promisify(execFile)('scanimage', all, { env, encoding: 'buffer', ...limits })).stdout;
    } catch (error) {
      if ((error as { readonly killed?: boolean }).killed) continue;
      throw new Error(`scanimage ${args.join(' ')}: ${String((error as { stderr?: Buffer }).stderr)}`, {
        cause: error,
      });
    }
  }
}

/** An option as the helper describes it. */
export interface Described {
  readonly index: number;
  readonly name: string;
  readonly type: string;
  readonly count: number;
  readonly active: boolean;
  readonly constraint: unknown;
  readonly [key: string]: unknown;
}

export interface Answer {
  readonly header: Frame['header'];
  /** The error's status; undefined on success. */
  readonly status: string | undefined;
  readonly message: string;
  /** The data of all frames, concatenated. */
  readonly data: Buffer;
  /** The data length of each frame, in order. */
  readonly bands: readonly number[];
  /** Headers of the frames before the last. */
  readonly more: readonly Frame['header'][];
}

export interface Native {
  readonly child: ChildProcessWithoutNullStreams;
  readonly hello: Promise<unknown>;
  call(verb: string, args?: object): Promise<Answer>;
  /** Sends a request. @returns the promises of its answer and of its first band */
  begin(verb: string, args?: object): { readonly answer: Promise<Answer>; readonly firstBand: Promise<void> };
  /** `options`, by name. */
  options(): Promise<ReadonlyMap<string, Described>>;
  /** Sets options by name; re-reads them if the backend requires it, and fails on a refusal. */
  set(values: Readonly<Record<string, unknown>>): Promise<void>;
  stderr(): string;
  /** Ends stdin; resolves when the process has ended and all its output has arrived. */
  end(): Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

interface Waiting {
  readonly frames: Frame[];
  onBand(): void;
  done(answer: Answer): void;
}

export function startNative(t: Test, env: NodeJS.ProcessEnv): Native {
  const child = spawn(helper, [], { env, stdio: 'pipe' });
  t.teardown(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  let errors = '';
  let id = 0;
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  const waiting = new Map<unknown, Waiting>();
  let greet = (_hello: unknown): void => undefined;
  const hello = new Promise<unknown>(resolve => {
    greet = resolve;
  });

  async function listen(): Promise<void> {
    for await (const frame of readFrames(child.stdout)) {
      if ('hello' in frame.header) greet(frame.header['hello']);
      const call = waiting.get(frame.header['id']);
      call?.frames.push(frame);
      if (frame.data.length > 0) call?.onBand();
      if (!call || frame.header['more'] === true) continue;
      waiting.delete(frame.header['id']);
      call.done(answerOf(call.frames));
    }
  }
  const listening = listen();

  function begin(verb: string, args: object = {}): ReturnType<Native['begin']> {
    id++;
    let onBand = (): void => undefined;
    const firstBand = new Promise<void>(resolve => {
      onBand = resolve;
    });
    const answer = new Promise<Answer>(done => {
      waiting.set(id, { frames: [], onBand, done });
    });
    child.stdin.write(`${JSON.stringify({ id, verb, args })}\n`);
    return { answer, firstBand };
  }

  const call: Native['call'] = (verb, args) => begin(verb, args).answer;

  async function options(): Promise<ReadonlyMap<string, Described>> {
    const list = JSON.parse((await call('options')).data.toString()) as Described[];
    return new Map(list.map(each => [each.name, each]));
  }

  return {
    child,
    hello,
    begin,
    call,
    options,
    stderr: () => errors,
    async set(values) {
      let known = await options();
      for (const [name, value] of Object.entries(values)) {
        const answer = await call('set', { index: known.get(name)?.index, value });
        if (answer.status !== undefined) throw new Error(`${name}: ${answer.message}`);
        if (answer.header['reloadOptions'] === true) known = await options();
      }
    },
    async end() {
      child.stdin.end();
      const [code, signal] = await closed;
      await listening;
      return { code, signal };
    },
  };
}

/** A helper with the device open. */
export async function openNative(t: Test, env: NodeJS.ProcessEnv): Promise<Native> {
  const native = startNative(t, env);
  for (const [verb, args] of [
    ['init', {}],
    ['open', { device: 'test:0' }],
  ] as const) {
    const answer = await native.call(verb, args);
    if (answer.status !== undefined) throw new Error(`${verb}: ${answer.message}`);
  }
  return native;
}

function answerOf(frames: readonly Frame[]): Answer {
  const header = frames.at(-1)?.header ?? {};
  const error = header['error'] as { status: string; message: string } | undefined;
  return {
    header,
    status: error?.status,
    message: error?.message ?? '',
    data: Buffer.concat(frames.map(each => each.data)),
    bands: frames.filter(each => each.data.length > 0).map(each => each.data.length),
    more: frames.slice(0, -1).map(each => each.header),
  };
}
