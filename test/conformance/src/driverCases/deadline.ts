/** Bounded waiting: a case never hangs, and says what it waited for. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** For one answer of a device; real scanners warm up. */
export const PATIENCE = 10_000;
/** How long a scanner that must not do a thing is watched for doing it. */
const QUIET = 300;
const STEP = 20;

/** Settles like the promise; after `ms` it fails with "‹what›: nothing came within …". */
export async function withDeadline<T>(promise: PromiseLike<T>, what: string, ms: number = PATIENCE): Promise<T> {
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

/** Runs the check again and again for a moment: something that must not happen is given the time to happen. */
export async function staysTrue(check: () => Promise<void>): Promise<void> {
  for (let waited = 0; waited < QUIET; waited += STEP) {
    await check();
    await pause(STEP);
  }
  await check();
}

/** `withDeadline`, with the patience that the body under test asks for. */
export type Within = <T>(promise: PromiseLike<T>, what: string) => Promise<T>;
