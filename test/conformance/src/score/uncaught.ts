/** Errors that nothing catches fail the case that runs, not the program. */

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

  /** Settles like the work, or rejects with an uncaught error. */
  async during<T>(work: Promise<T>): Promise<T> {
    const failed = new Promise<never>((_, reject) => void (fail = reject));
    try {
      return await Promise.race([work, failed]);
    } finally {
      fail = undefined;
    }
  },
};
