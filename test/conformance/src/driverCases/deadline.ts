/** Bounded waiting: a case never hangs, and says what it waited for. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** For one answer of a device; real scanners warm up. */
export const TIMEOUT_MS = 10_000;
/** For a whole case: longer than any takes, scans of 200 pages on a real scanner included. */
export const CASE_LIMIT_MS = 600_000;
/** How long a case watches a scanner for something that must not happen. */
const QUIET_MS = 300;
const STEP_MS = 20;

/** Settles like the promise; after `ms` it fails with "‹what›: nothing came within …". */
export async function withDeadline<T>(promise: PromiseLike<T>, what: string, ms: number = TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `${what}: nothing came within ${ms / 1000} s`;
    timer = setTimeout(() => reject(new assert.AssertionError({ message })), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Repeats the check for `QUIET_MS`, so that something that must not happen has the time to happen. */
export async function staysTrue(check: () => Promise<void>): Promise<void> {
  for (let waited = 0; waited < QUIET_MS; waited += STEP_MS) {
    await check();
    await pause(STEP_MS);
  }
  await check();
}

/** `withDeadline`, with the timeout of the features. */
export type Within = <T>(promise: PromiseLike<T>, what: string) => Promise<T>;
