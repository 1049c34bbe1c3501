/** Failures that a case expects, and what to say when another one or none comes. */
import assert from 'node:assert/strict';
import { codeOf, type DriverCode, driverCodes, messageOf, type Page } from '@platen/core/plugin';
import { listOf } from './facts.js';

/** What was thrown. `what` says what should have been: "the pull should throw its reason". */
export async function thrownBy(promise: PromiseLike<unknown>, what: string): Promise<unknown> {
  let seen: unknown;
  try {
    seen = await promise;
  } catch (error) {
    if (error instanceof assert.AssertionError) assert.fail(`${what}, but: ${error.message}`);
    return error;
  }
  assert.fail(`${what}, but ${cameOf(seen)}`);
}

/** Fails unless it was thrown with this code (absent: with any code that a driver may use). */
export async function failsWith(promise: PromiseLike<unknown>, code: DriverCode | undefined, what: string): Promise<void> {
  const error = await thrownBy(promise, `${what} should fail with ${code ?? 'a code'}`);
  const seen = codeOf(error);
  if (code) assert.equal(seen, code, `${what} should fail with ${code}, but failed: ${wordsOf(error)}`);
  else assert.ok(
    driverCodes.some(each => each === seen),
    `${what} failed without a code that a driver may use: ${wordsOf(error)}`,
  );
}

/** For `catch`, where a failure breaks the promise. `what` says which: "a closed device cannot be opened again". */
export function orFail(what: string): (error: unknown) => never {
  return error => {
    if (error instanceof assert.AssertionError) throw error;
    assert.fail(`${what}: ${wordsOf(error)}`);
  };
}

function cameOf(seen: unknown): string {
  if (Array.isArray(seen)) return `ended after ${listOf(seen as Page[])}`;
  return isPage(seen) ? `yielded ${listOf([seen])}` : 'ended without a failure';
}

function isPage(seen: unknown): seen is Page {
  return typeof seen === 'object' && seen !== null && 'sheet' in seen && 'side' in seen;
}

/** For messages. */
export function wordsOf(error: unknown): string {
  return `${codeOf(error) ?? 'no known code'} (${messageOf(error)})`;
}
