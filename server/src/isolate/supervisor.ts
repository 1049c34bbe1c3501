/** Keeps the process of an isolated plugin running: it is started again after each end, with growing pauses while it keeps ending. */
import { messageOf, type Clock, type Log, type PluginReport } from '@platen/core';
import type { RemoteDriver } from '@platen/driver-remote';
import { HANG_BEATS, startHeartbeat } from './heartbeat.js';
import { ProcessError, type PluginProcess } from './pluginProcess.js';

/** The pause before a process is started again; doubled each time. */
export const FIRST_PAUSE_MS = 1000;
export const LONGEST_PAUSE_MS = 30_000;
/** A process that ran for so long ran well: the next pause is the first one again. */
export const WELL_MS = 60_000;
/** How long a process may live without its connection: it is about to end. */
const UNCONNECTED_MS = 1000;

export interface SupervisorOptions {
  /** The plugin, as the configuration names it. */
  readonly use: string;
  /** @throws ProcessError where the system starts no process */
  start(): PluginProcess;
  /** What is attached to each process. */
  readonly remote: Pick<RemoteDriver, 'attach' | 'ping' | 'close' | 'link'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Supervisor {
  /** Starts the first process. Where its plugin is loaded it is kept running. @throws ProcessError */
  begin(): Promise<{ readonly report: PluginReport; readonly driver: string }>;
  /** Counts the processes that were attached. */
  readonly generation: number;
  /** The last process is attached. */
  readonly running: boolean;
  /** A sentence: how the last process ended, and when the next one starts. */
  readonly away: string;
  /** Resolves when a process that has lost its connection has ended: `away` says how. */
  settled(): Promise<void>;
  /** It keeps ending, and the log says so. */
  readonly quiet: boolean;
  /** Ends the process; idempotent. */
  close(): Promise<void>;
}

export function supervise({ use, start, remote, clock, log }: SupervisorOptions): Supervisor {
  const its = `The process of the plugin "${use}"`;
  let current: PluginProcess | undefined;
  let generation = 0;
  let running = false;
  let pause = FIRST_PAUSE_MS;
  let quiet = false;
  let how = 'has not been started yet';
  /** When the pause ends; undefined while there is none. */
  let due: number | undefined;
  let endPause = (): void => undefined;
  let closing: Promise<void> | undefined;
  let keeping: Promise<void> = Promise.resolve();
  /** Resolves when the last process that ran has ended, with how. */
  let ended: Promise<string> = Promise.resolve('');

  remote.link.onChange(connected => {
    running = connected;
    if (connected || closing || !current) return;
    const lost = current;
    const cancel = clock.after(UNCONNECTED_MS, () => lost.kill('closed its connection, and was killed'));
    void lost.gone.then(cancel);
  });

  async function attach(process: PluginProcess): Promise<{ readonly report: PluginReport; readonly driver: string }> {
    const loaded = await process.loaded;
    if (loaded.report.state !== 'loaded') {
      process.leave();
      await process.gone;
      return loaded;
    }
    try {
      await remote.attach(process.stream);
    } catch (error) {
      process.kill(`served no driver (${messageOf(error)}), and was killed`);
      throw new ProcessError(await process.gone, { cause: error });
    }
    generation++;
    return loaded;
  }

  /** @returns how it ended */
  async function watch(process: PluginProcess): Promise<string> {
    const endBeats = startHeartbeat({
      clock,
      ping: signal => remote.ping({ signal }),
      onHang: () => process.kill(`did not answer for ${HANG_BEATS} s, and was killed`),
    });
    const cancelWell = clock.after(WELL_MS, () => {
      pause = FIRST_PAUSE_MS;
      if (quiet) log.info(`${its} runs well again.`);
      quiet = false;
    });
    const words = await process.gone;
    endBeats();
    cancelWell();
    return words;
  }

  /** @returns why it does not run; undefined where it does */
  async function again(): Promise<string | undefined> {
    try {
      current = start();
      const { report } = await attach(current);
      if (report.state !== 'loaded') return `ended: ${report.sentence}`;
      if (!quiet) log.info(`${its} runs again.`);
      return undefined;
    } catch (error) {
      return error instanceof ProcessError ? error.how : messageOf(error);
    }
  }

  async function keep(first: PluginProcess): Promise<void> {
    current = first;
    for (;;) {
      let words: string | undefined = await (ended = watch(current));
      do {
        // It goes on in the middle of a sentence.
        how = words.replace(/\.$/, '');
        if (closing) return;
        logEnd();
        await waitPause();
        if (closing) return;
        words = await again();
      } while (words !== undefined);
    }
  }

  function logEnd(): void {
    const longest = pause === LONGEST_PAUSE_MS;
    const sentence = `${its} ${how}; it is started again ${longest ? 'every' : 'in'} ${pause / 1000} s`;
    if (quiet) log.debug(`${sentence}.`);
    else log.warn(`${sentence}${longest ? ', and this is not said again until it has run well' : ''}.`);
    quiet ||= longest;
  }

  async function waitPause(): Promise<void> {
    due = clock.monotonic() + pause;
    await new Promise<void>(resolve => {
      const cancel = clock.after(pause, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });
    due = undefined;
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }

  async function close(): Promise<void> {
    endPause();
    await remote.close();
    current?.leave();
    await Promise.all([current?.gone, keeping]);
  }

  return {
    async begin() {
      const process = start();
      current = process;
      const loaded = await attach(process);
      if (loaded.report.state === 'loaded') keeping = keep(process);
      return loaded;
    },
    get generation() {
      return generation;
    },
    get running() {
      return running;
    },
    get away() {
      const when =
        due === undefined
          ? 'it is being started again'
          : `it is started again in ${Math.max(1, Math.ceil((due - clock.monotonic()) / 1000))} s`;
      return `${its} ${how}; ${when}.`;
    },
    async settled() {
      if (!running) await ended;
    },
    get quiet() {
      return quiet;
    },
    close: () => (closing ??= close()),
  };
}
