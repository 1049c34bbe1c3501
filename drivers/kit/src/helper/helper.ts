/** A supervised native helper: started when needed, killed when it hangs, replaced after a crash. */
import { settledWithin, unlessAborted } from '@platen/core/plugin';
import { helperCalls, type HelperCalls } from './helperCalls.js';
import { HelperFailure } from './helperFailure.js';
import { type HelperProcess, startHelper } from './helperProcess.js';
import type { Helper, HelperOptions } from './helperTypes.js';
import { tracedHelper } from './tracedHelper.js';

interface Running {
  readonly program: HelperProcess;
  readonly calls: HelperCalls;
}

export function createHelper(options: HelperOptions): Helper {
  const { name, log, exitMs = 2_000 } = options;
  const listeners = new Set<() => void>();
  let generation = 0;
  let current: Running | undefined;
  let ending: Promise<void> | undefined; // of the last process; undefined once it has ended
  let closing: Promise<void> | undefined;

  const fault = (sentence: string) => new HelperFailure(name, sentence);

  function start(): Running {
    const calls = helperCalls(name, sentence => started.program.kill(fault(sentence)));
    const program = startHelper(options, {
      place: calls.place,
      frame: calls.take,
      broken(why) {
        if (current === started) current = undefined;
        calls.end(why);
      },
    });
    const started = { program, calls };
    const gone = program.gone.then(() => {
      if (ending === gone) ending = undefined;
      for (const listener of listeners) listener();
    });
    ending = gone;
    generation++;
    return started;
  }

  /** Never runs two processes at a time: a dying process still holds the scanner. */
  async function running(): Promise<Running> {
    while (!current && ending) await patience(ending);
    if (closing) throw fault('is closed');
    const mine = (current ??= start());
    await mine.program.ready;
    return mine;
  }

  /** A process blocked in the kernel cannot be killed; the next one may still find its device free. */
  async function patience(end: Promise<void>): Promise<void> {
    if ((await settledWithin(end, exitMs)) || ending !== end) return;
    ending = undefined;
    log.warn(`the helper "${name}" was killed but does not end. Continuing without it.`);
  }

  async function close(): Promise<void> {
    const end = ending;
    current?.program.leave(fault('is closed'));
    current?.calls.end(fault('is closed'));
    if (end && !(await settledWithin(end, exitMs))) await patience(end);
  }

  const helper: Helper = {
    async call(verb, args, call) {
      if (closing) throw fault('is closed');
      call.signal?.throwIfAborted();
      if (call.generation !== undefined && (call.generation !== generation || !current))
        throw fault('was replaced after this call began');
      const { program, calls } = await unlessAborted(running(), call.signal);
      const { id, answer } = calls.begin(verb, call);
      program.send(`${JSON.stringify({ id, verb, args })}\n`);
      return answer;
    },
    get generation() {
      return generation;
    },
    onExit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    kill(reason) {
      current?.program.kill(fault(`was killed: ${reason}`));
    },
    close: () => (closing ??= close()),
  };
  return tracedHelper(helper, options);
}
