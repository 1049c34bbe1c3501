/** The fake helper without a process, because the suites start hundreds; faults.test.ts uses real processes. */
import { ScanError } from '@platen/core/plugin';
import { HelperError, type Frame, type Helper, type HelperCall } from '@platen/driver-kit';
import { createVerbs } from './verbs.test.kit.js';
import type { Bits } from '../settings.js';

interface Pending {
  readonly call: HelperCall;
  readonly timer: NodeJS.Timeout;
  resolve(frame: Frame): void;
  reject(error: unknown): void;
}

export function fakeProcesses(file: string): (bits: Bits) => Helper {
  return bits => {
    const listeners = new Set<() => void>();
    const pending = new Map<number, Pending>();
    let generation = 0;
    let id = 0;
    let serve: ReturnType<typeof createVerbs> | undefined;

    function end(why: ScanError): void {
      if (!serve) return;
      serve = undefined;
      for (const each of pending.values()) each.reject(why);
      for (const listener of listeners) listener();
    }

    function start(): NonNullable<typeof serve> {
      const mine = ++generation;
      return createVerbs({
        bits: String(bits),
        file,
        crash: () => end(new ScanError('driver-failed', `the helper "twain ${bits}" ended with code 3`)),
        send(header, data = new Uint8Array()) {
          const frame = { header: header as Frame['header'], data: data.slice() };
          const asked = pending.get(frame.header['id'] as number);
          if (mine !== generation || !asked) return;
          const { more, error } = frame.header;
          if (more) void asked.call.onMore?.(frame);
          else if (error)
            asked.reject(new HelperError((error as { status: string }).status, (error as { message: string }).message));
          else asked.resolve(frame);
        },
      });
    }

    const helper: Helper = {
      get generation() {
        return generation;
      },
      async call(verb, args, call) {
        if (call.generation !== undefined && (call.generation !== generation || !serve))
          throw new ScanError('driver-failed', 'the helper was replaced after this call began');
        const running = (serve ??= start());
        const mine = ++id;
        return new Promise<Frame>((resolve, reject) => {
          const settle =
            <Value>(how: (value: Value) => void) =>
            (value: Value) => {
              clearTimeout(timer);
              pending.delete(mine);
              how(value);
            };
          const hung = () =>
            end(
              new ScanError(
                'timeout',
                `the helper "twain ${bits}" did not answer "${verb}" for ${call.deadlineMs} ms and was killed`,
              ),
            );
          const timer = setTimeout(hung, call.deadlineMs);
          pending.set(mine, { call, timer, resolve: settle(resolve), reject: settle(reject) });
          setImmediate(
            () => serve === running && running({ id: mine, verb, args: args as Record<string, string | number> }),
          );
        });
      },
      onExit(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      kill: reason => end(new ScanError('driver-failed', `the helper was killed: ${reason}`)),
      close: async () => end(new ScanError('driver-failed', 'the helper is closed')),
    };
    return helper;
  };
}
