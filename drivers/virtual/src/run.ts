/** A scan that can be ended from outside while a page is awaited, which a generator alone cannot. */

/** Why a run ended when the one who pulled the pages let go of them: nothing to tell anybody. */
const letGo = Symbol('let go');

export interface Run<T> extends AsyncIterableIterator<T> {
  /** Ends the run: what is awaited, or else the next pull, throws the reason. Comes back when everything has stopped. */
  end(reason: unknown): Promise<void>;
}

export interface RunOptions<T> {
  /** Called at the first pull; may throw instead. Every wait in it ends when `ended` is aborted, with its reason. */
  begin(ended: AbortSignal): AsyncGenerator<T, void, undefined>;
  /** Called once after what `begin` began is over. */
  over(): void;
  readonly signal: AbortSignal;
}

export function run<T>({ begin, over, signal }: RunOptions<T>): Run<T> {
  const ended = new AbortController();
  let pages: AsyncGenerator<T, void, undefined> | undefined;
  let state: 'new' | 'running' | 'over' = 'new';
  let untold = false;
  let pulls = 0;

  const onSignal = () => void end(signal.reason);
  const finish = () => {
    if (state === 'over') return;
    state = 'over';
    signal.removeEventListener('abort', onSignal);
    over();
  };
  const done = { done: true, value: undefined } as const;

  async function end(reason: unknown): Promise<void> {
    if (state === 'over') return;
    if (!ended.signal.aborted) {
      untold = reason !== letGo && pulls === 0;
      ended.abort(reason);
    }
    if (state === 'new') {
      state = 'over';
      return;
    }
    await pages?.return().catch(() => {}); // queued behind a pull that is under way
    finish();
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (untold) {
        untold = false;
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
        ended.signal.throwIfAborted();
        if (result.done) finish();
        return result.done ? done : result;
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
  };
}
