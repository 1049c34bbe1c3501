/** Errors that nothing catches fail the case that runs, not the program; nor does a case that never ends hold it up. */

let fail: ((error: Error) => void) | undefined;
const listener = (error: unknown): void => {
  const failure = new Error('An error was thrown that nothing caught; it would end the service.', { cause: error });
  if (error instanceof Error) failure.stack = `${failure.message}\n${error.stack ?? error.message}`;
  fail?.(failure);
};

export const uncaught = {
  /** From now on, until the returned function is called. */
  watch(): () => void {
    process.on('uncaughtException', listener).on('unhandledRejection', listener);
    return () => process.off('uncaughtException', listener).off('unhandledRejection', listener);
  },

  /** Settles like the work, or rejects with an uncaught error or, after `ms`, for being late. */
  async during<T>(work: Promise<T>, ms: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
      timer = setTimeout(() => {
        const late = new Error(`The case did not end within ${ms / 1000} s.`);
        late.name = 'AssertionError';
        reject(late);
      }, ms);
    });
    try {
      return await Promise.race([work, failed]);
    } finally {
      clearTimeout(timer);
      fail = undefined;
    }
  },
};
