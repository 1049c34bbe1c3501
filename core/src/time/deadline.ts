/** Calls to a driver with a deadline, which the caller may also abandon. */
import type { Clock } from './clock.js';
import type { Call } from '../contract/driver.js';
import { asDriverError, ScanError } from '../contract/errors.js';

/**
 * Calls a driver and waits at most `ms`, whatever the driver does.
 * @param what for the timeout's message: "opening Feeder A"
 * @param parent abandons the call with its own reason
 * @throws a `ScanError` with a driver's code
 */
export async function callWithin<T>(
  clock: Clock,
  ms: number,
  what: string,
  call: (call: Call) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  if (parent?.aborted) throw asDriverError(parent.reason);
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const abandon = (reason: unknown): void => {
      settle();
      controller.abort(reason);
      reject(asDriverError(reason));
    };
    const cancel = clock.after(ms, () =>
      abandon(new ScanError('timeout', `The scanner did not answer: ${what} took longer than ${ms / 1000} s.`)),
    );
    const onParent = (): void => abandon(parent?.reason);
    parent?.addEventListener('abort', onParent, { once: true });
    const settle = (): void => {
      cancel();
      parent?.removeEventListener('abort', onParent);
    };
    Promise.resolve()
      .then(() => call({ signal: controller.signal }))
      .finally(settle)
      .then(resolve, (error: unknown) => reject(asDriverError(error)));
  });
}
