/**
 * Who may change settings: the person for whom `platen settings` runs. That command writes the configuration, with its own
 * rights; the service may not, and need not. While the command waits for work, a page with its key may give it some.
 */
import { deferred, type Clock } from '@platen/core';
import { newSecret } from '../consent/questions.js';
import { isSameSecret } from '../consent/sameSecret.js';

/** The command asks again at least this often. */
const POLL_MS = 20_000;
/** The page of a command that has not asked for so long is not served any more. */
export const AWAY_MS = 30_000;
/** A command that got work answers within this time. */
const WRITE_MS = 15_000;

/** What the command is to write: the whole of its file in conf.d. */
export interface Work {
  readonly id: string;
  readonly text: string;
  /** Whether it has secrets, which other accounts may not read. */
  readonly isSecret: boolean;
}

/** What became of it. */
export interface Done {
  readonly id: string;
  /** Absent: it is written. */
  readonly fault?: string;
}

export interface Session {
  /**
   * The command waits for work.
   * @param own the key that it got before; absent: it begins, and one before it ends
   * @returns its key, and work if there is some; undefined: another command took its place
   */
  attend(own: string | undefined, done: Done | undefined, gone: AbortSignal): Promise<Attended | undefined>;
  /** Whether a page with this key may see and change settings. */
  admits(key: string): boolean;
  /** Has the command write. @returns what became of it */
  write(work: Omit<Work, 'id'>): Promise<Done>;
  /** Nobody waits any more. */
  end(): void;
}

export interface Attended {
  readonly key: string;
  readonly work?: Work;
}

export function createSession(clock: Clock): Session {
  let key: string | undefined;
  let seen = 0;
  let waking = deferred<void>();
  const queue: Work[] = [];
  const waiting = new Map<string, (done: Done) => void>();

  const wake = (): void => {
    waking.resolve();
    waking = deferred<void>();
  };
  const answer = (done: Done): void => {
    waiting.get(done.id)?.(done);
    waiting.delete(done.id);
  };
  const giveUp = (fault: string): void => {
    for (const id of [...waiting.keys()]) answer({ id, fault });
    queue.length = 0;
  };
  /** Until there is work, some time is over, or the command is gone. */
  async function untilWork(gone: AbortSignal): Promise<void> {
    const over = deferred<void>();
    const cancel = clock.after(POLL_MS, () => over.resolve());
    const leave = (): void => over.resolve();
    gone.addEventListener('abort', leave);
    await Promise.race([waking.promise, over.promise]);
    cancel();
    gone.removeEventListener('abort', leave);
  }

  return {
    async attend(own, done, gone) {
      if (own !== undefined && own !== key) return undefined;
      if (own === undefined) {
        giveUp('Another "platen settings" took over.');
        key = newSecret();
        wake();
      }
      const mine = key;
      seen = clock.monotonic();
      if (done) answer(done);
      // A command that begins gets its key at once.
      if (queue.length === 0 && own !== undefined) await untilWork(gone);
      if (mine === undefined || mine !== key) return undefined;
      if (!gone.aborted) seen = clock.monotonic();
      const work = gone.aborted ? undefined : queue.shift();
      return { key: mine, ...(work ? { work } : {}) };
    },
    admits: given => key !== undefined && clock.monotonic() - seen <= AWAY_MS && isSameSecret(given, key),
    async write(work) {
      const id = newSecret();
      const done = deferred<Done>();
      waiting.set(id, done.resolve);
      queue.push({ ...work, id });
      wake();
      const cancel = clock.after(WRITE_MS, () => {
        const at = queue.findIndex(each => each.id === id);
        if (at >= 0) queue.splice(at, 1);
        answer({ id, fault: 'The command "platen settings" does not answer. Start it again.' });
      });
      return done.promise.finally(cancel);
    },
    end() {
      giveUp('The service is stopping.');
      key = undefined;
      wake();
    },
  };
}
