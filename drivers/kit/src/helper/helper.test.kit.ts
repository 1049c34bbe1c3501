/** Helpers for tests: the C fixture, built with the real header, and one that breaks the protocol. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { needs, recordingLog } from '@platen/conformance';
import { codeOf, messageOf } from '@platen/core/plugin';
import type { Test } from 'tap';
import { createHelper } from './helper.js';
import type { Helper, HelperOptions } from './helperTypes.js';

const room = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** @returns the fixture's path, or undefined (and skips the test) if there is no compiler */
export function buildFixture(t: Test, flags: readonly string[] = []): string | undefined {
  if (!needs(t, 'cc')) return undefined;
  const program = join(t.testdir(), 'fixture');
  execFileSync('cc', [
    '-std=c99',
    '-O1',
    '-Wall',
    '-Wextra',
    '-Wpedantic',
    '-Werror',
    '-pthread',
    ...flags,
    `-I${room('native')}`,
    room('fixtures/helper.c'),
    '-o',
    program,
  ]);
  return program;
}

export interface TestHelper extends Helper {
  /** The log's lines: `warn: the helper …`. */
  readonly logged: string[];
  pid(): Promise<number>;
}

/** Call options with a deadline for a loaded machine; tests of hangs set their own. */
export const longDeadline = { deadlineMs: 60_000 };

export function testHelper(t: Test, options: Partial<HelperOptions> & Pick<HelperOptions, 'command'>): TestHelper {
  const log = recordingLog();
  // Otherwise tap's preload runs in every process.
  const helper = createHelper({ name: 'fixture', log, env: { ...process.env, NODE_OPTIONS: '' }, ...options });
  t.teardown(() => helper.close());
  const own = {
    logged: log.lines,
    pid: async () => Number((await helper.call('pid', {}, longDeadline)).header['pid']),
  };
  return Object.defineProperties(own, Object.getOwnPropertyDescriptors(helper)) as TestHelper;
}

export function faultyHelper(t: Test, fault: string, options: Partial<HelperOptions> = {}): TestHelper {
  return testHelper(t, { command: process.execPath, args: [room('fixtures/faultyHelper.mjs'), fault], ...options });
}

/** A zombie is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

/** Resolves when the process has ended; only the test's own timeout limits the wait. */
export async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(10);
}

/** @returns code and message of the error that the promise rejects with */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown ?? 'nothing',
  );
  return `${codeOf(error)}: ${messageOf(error)}`;
}
