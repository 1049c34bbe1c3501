/** A scan that can be ended from outside while a page is awaited, which a generator alone cannot. */

/** The reason when the consumer left: not reported to anyone. */
const letGo = Symbol('let go');

export interface Endable<T> extends AsyncIterableIterator<T> {
  /** Ends the run: the current or next pull throws the reason. Resolves when everything has stopped. */
  end(reason: unknown): Promise<void>;
  /** Settles when an ended run has stopped; undefined until it is ended. */
  readonly ending: Promise<void> | undefined;
}

export interface EndableOptions<T> {
  /**
   * Called at the first pull; may throw instead. All waits in it must end with the reason of `ended` when that is
   * aborted.
   */
  begin(ended: AbortSignal): AsyncGenerator<T, void, undefined>;
  /** Called once after everything from `begin` is over. */
  over(): void;
  readonly signal: AbortSignal;
}

/**
 * For a session's `scan` (promises 2 to 4): leaving the loop frees the session, `signal` ends a pending pull, and the
 * session's `close` can end the run and wait for it.
 */
export function endable<T>({ begin, over, signal }: EndableOptions<T>): Endable<T> {
  const ended = new AbortController();
  let pages: AsyncGenerator<T, void, undefined> | undefined;
  let state: 'new' | 'running' | 'over' = 'new';
  let untold = false;
  let pulls = 0;
  let ending: Promise<void> | undefined;

  const onSignal = () => void end(signal.reason);
  const finish = () => {
    if (state === 'over') return;
    state = 'over';
    signal.removeEventListener('abort', onSignal);
    over();
  };
  const done = { done: true, value: undefined } as const;

  function end(reason: unknown): Promise<void> {
    if (state === 'over') return Promise.resolve();
    untold ||= !ending && reason !== letGo && pulls === 0;
    ended.abort(reason);
    ending ??= stopped();
    return ending;
  }

  async function stopped(): Promise<void> {
    if (state === 'new') state = 'over';
    await pages?.return().catch(() => {}); // queued after a pending pull
    finish();
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (untold) {
        untold = false;
        await ending;
        throw ended.signal.reason;
      }
      if (state === 'over') return done;
      pulls++;
      try {
        if (!pages) {
          signal.throwIfAborted();
          pages = begin(ended.signal);
          state = 'running';
          signal.addEventListener('abort', onSignal, { once: true });
        }
        const result = await pages.next();
        if (ended.signal.aborted && ended.signal.reason !== letGo) throw ended.signal.reason;
        if (!result.done) return result;
        finish();
        return done;
      } catch (error) {
        if (state === 'new') state = 'over';
        else finish();
        if (ended.signal.reason === letGo) return done;
        throw ended.signal.aborted ? ended.signal.reason : error;
      } finally {
        pulls--;
      }
    },
    async return() {
      await end(letGo);
      return done;
    },
    end,
    get ending() {
      return ending;
    },
  };
}
