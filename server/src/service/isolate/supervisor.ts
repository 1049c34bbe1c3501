/**
 * Keeps the process of an isolated plugin running: restarts it after each end, with growing pauses while it keeps
 * ending.
 */
import { messageOf, type Clock, type Log } from '@platen/core';
import type { RemoteDriver } from '@platen/driver-remote';
import { HANG_BEATS, startHeartbeat } from './heartbeat.js';
import type { Ready } from './messages.js';
import { ProcessError, type PluginProcess } from './pluginProcess.js';
import { createRestartPauses } from './restartPauses.js';

/** How long a process may live on after its connection closed: it should be about to end. */
const UNCONNECTED_MS = 1000;

export interface SupervisorOptions {
  /** The plugin, as the configuration names it. */
  readonly use: string;
  /** @throws ProcessError if the system cannot start a process */
  start(): PluginProcess;
  /** Is attached to each process in turn. */
  readonly remote: Pick<RemoteDriver, 'attach' | 'ping' | 'close' | 'link'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Supervisor {
  /** Starts the first process, and keeps it running if its plugin was loaded. @throws ProcessError */
  begin(): Promise<Ready>;
  /** Calls the plugin of the latest process. @throws as `PluginProcess.call`; Error with `away` while none runs */
  readonly call: PluginProcess['call'];
  /** Counts the attached processes. */
  readonly generation: number;
  /** Whether the latest process is attached. */
  readonly running: boolean;
  /** A sentence: how the latest process ended, and when the next one starts. */
  readonly away: string;
  /** Resolves when a process that lost its connection has ended: `away` then says how. */
  settled(): Promise<void>;
  /** The process keeps ending, and the log has said so. */
  readonly quiet: boolean;
  /** Ends the process; idempotent. */
  close(): Promise<void>;
}

export function supervise({ use, start, remote, clock, log }: SupervisorOptions): Supervisor {
  const its = `The process of the plugin "${use}"`;
  let current: PluginProcess | undefined;
  let generation = 0;
  let running = false;
  const pauses = createRestartPauses({ its, clock, log });
  let how = 'has not been started yet';
  let closing: Promise<void> | undefined;
  let keeping: Promise<void> = Promise.resolve();
  /** Resolves when the latest process has ended, with the reason. */
  let ended: Promise<string> = Promise.resolve('');

  remote.link.onChange(connected => {
    running = connected;
    if (connected || closing || !current) return;
    const lost = current;
    const cancel = clock.after(UNCONNECTED_MS, () => lost.kill('closed its connection and was killed'));
    void lost.gone.then(cancel);
  });

  async function attach(process: PluginProcess): Promise<Ready> {
    const loaded = await process.loaded;
    if (loaded.report.state !== 'loaded') {
      process.leave();
      await process.gone;
      return loaded;
    }
    try {
      await remote.attach(process.stream);
    } catch (error) {
      process.kill(`served no driver (${messageOf(error)}) and was killed`);
      throw new ProcessError(await process.gone, { cause: error });
    }
    generation++;
    return loaded;
  }

  /** @returns the reason for its end */
  async function watch(process: PluginProcess): Promise<string> {
    const endBeats = startHeartbeat({
      clock,
      ping: signal => remote.ping({ signal }),
      onHang: () => process.kill(`did not answer for ${HANG_BEATS} s and was killed`),
    });
    const endRun = pauses.runs();
    const words = await process.gone;
    endBeats();
    endRun();
    return words;
  }

  /** @returns why it does not run; undefined if it does */
  async function again(): Promise<string | undefined> {
    try {
      current = start();
      const { report } = await attach(current);
      if (report.state !== 'loaded') return `ended: ${report.sentence}`;
      if (!pauses.quiet) log.info(`${its} runs again.`);
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
        // Continues a sentence.
        how = words.replace(/\.$/, '');
        if (closing) return;
        await pauses.pass(how);
        if (closing) return;
        words = await again();
      } while (words !== undefined);
    }
  }

  async function close(): Promise<void> {
    pauses.end();
    await remote.close();
    current?.leave();
    await Promise.all([current?.gone, keeping]);
  }

  const away = (): string => `${its} ${how}; ${pauses.when}.`;

  return {
    async call(...question) {
      if (!current || !running) throw new Error(away());
      return current.call(...question);
    },
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
      return away();
    },
    async settled() {
      if (!running) await ended;
    },
    get quiet() {
      return pauses.quiet;
    },
    close: () => (closing ??= close()),
  };
}
