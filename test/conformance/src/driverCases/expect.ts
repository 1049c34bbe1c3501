/** Values and failures that a case expects, and the message when another one or none comes. */
import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';
import { driverCodes } from '@platen/core/driver';
import { codeOf, type DriverCode, messageOf, type Page } from '@platen/core/plugin';
import { listOf } from './facts.js';

/** Fails unless both are the same value, with both in the message. `what` says of what: "pages of a simplex scan". */
export function expectSame(seen: unknown, wanted: unknown, what: string): void {
  if (!Object.is(seen, wanted)) failWith(seen, wanted, what);
}

/** Fails unless both are deeply equal, with both in the message. */
export function expectEqual(seen: unknown, wanted: unknown, what: string): void {
  if (!isDeepStrictEqual(seen, wanted)) failWith(seen, wanted, what);
}

function failWith(actual: unknown, expected: unknown, what: string): never {
  const shown = (value: unknown) => inspect(value, { breakLength: Infinity, maxStringLength: 300, maxArrayLength: 20 });
  const message = `${what}: expected ${shown(expected)}, but got ${shown(actual)}`;
  throw new assert.AssertionError({ message, actual, expected, operator: 'strictEqual', stackStartFn: failWith });
}

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
export async function failsWith(
  promise: PromiseLike<unknown>,
  code: DriverCode | undefined,
  what: string,
): Promise<void> {
  const error = await thrownBy(promise, `${what} should fail with ${code ?? 'a code'}`);
  const seen = codeOf(error);
  if (code) assert.equal(seen, code, `${what} should fail with ${code}, but failed: ${wordsOf(error)}`);
  else
    assert.ok(
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
