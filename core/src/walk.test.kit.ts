/** Random walks: commands in a random order, with what must hold after each. */
import { setImmediate as breathe } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { FakeClock } from '@platen/conformance';
import { fuzzed, repeated, type Found } from '@platen/conformance/fuzz';
import { codeOf } from './contract/errors.js';

const MOST_COMMANDS = 20;

/** @param check whether the command means anything now */
export function command<Its extends Walk>(
  name: string,
  run: (walk: Its) => unknown,
  check: (walk: Its) => boolean = () => true,
): fc.AsyncCommand<Its, Its> {
  // What comes from outside comes in a turn of the event loop of its own.
  return { check, run: async walk => void (await turns(1), await run(walk)), toString: () => name };
}

/** Commands with a parameter. */
export function commands<Its extends Walk, Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  run: (walk: Its, value: Value) => unknown,
  check?: (walk: Its) => boolean,
): fc.Arbitrary<fc.AsyncCommand<Its, Its>> {
  return values.map(value => command<Its>(`${name}(${fc.stringify(value)})`, walk => run(walk, value), check));
}

/** A system over fakes, which know what must hold: it is both the model and the real one. */
export interface Walk {
  /** The last part of a walk: everything ends, and is as it must be. */
  end(): Promise<void>;
}

/**
 * Random walks as one test, the same each time. Run as a program of its own, tap would follow each promise, which takes half
 * of the time: the walks are over before it is loaded.
 * @param found walks that found something once, which are taken first
 */
export async function testWalks<Its extends Walk>(
  title: string,
  runs: number,
  steps: fc.Arbitrary<fc.AsyncCommand<Its, Its>>[],
  make: () => Its | Promise<Its>,
  found: readonly Found[] = [],
): Promise<void> {
  const walks = fc.asyncProperty(fc.commands(steps, { maxCommands: MOST_COMMANDS, size: 'max' }), async its => {
    const walk = await make();
    await fc.asyncModelRun(() => ({ model: walk, real: walk }), its);
    await walk.end();
  });
  let failure: unknown;
  try {
    for (const how of [...repeated(found), fuzzed(runs)]) await fc.assert(walks, how);
  } catch (error) {
    failure = error;
  }
  const { default: t } = await import('tap');
  await t.test(title, async () => {
    if (failure !== undefined) throw failure;
  });
}

/** Fails with a sentence. */
export function hold(condition: boolean, sentence: () => string): asserts condition {
  if (!condition) throw new Error(sentence());
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await breathe();
}

/** Calls that a walk made and does not wait for. */
export interface Calls {
  readonly pending: number;
  /** @param codes with which it may fail */
  settle<T>(made: Promise<T>, codes: readonly string[], done?: (value: T) => unknown): void;
  fail(error: unknown): void;
  readonly haveFailed: boolean;
  /** @throws Error the first failure */
  assertSound(): void;
}

export function createCalls(): Calls {
  const problems: Error[] = [];
  let pending = 0;
  const fail = (error: unknown): void => void problems.push(error as Error);
  return {
    get pending() {
      return pending;
    },
    settle(made, codes, done) {
      pending++;
      made
        .then(done, (error: unknown) => {
          if (!codes.includes(String(codeOf(error))))
            throw new Error(`a call failed with ${String(error)}`, { cause: error });
        })
        .catch(fail)
        .finally(() => pending--);
    },
    fail,
    get haveFailed() {
      return problems.length > 0;
    },
    assertSound() {
      if (problems[0]) throw problems[0];
    },
  };
}

/** Holds back what a scanner answers, until the walk lets the next one go. */
export interface Gate {
  /** Withholds a result. */
  pass<T>(result: Promise<T>, name: string): Promise<T>;
  readonly waiting: readonly string[];
  /** Lets one go, by its place among those that wait. */
  letGo(place: number): void;
  /** All of them fail, as calls over a link do when it is lost. */
  fail(error: Error): void;
}

export function createGate(): Gate {
  const held: { readonly name: string; go(): void; fail(error: Error): void }[] = [];
  return {
    pass: (result, name) => {
      // Its failure is seen when it is let go.
      result.catch(() => undefined);
      return new Promise<void>((go, fail) => held.push({ name, go, fail })).then(() => result);
    },
    get waiting() {
      return held.map(({ name }) => name);
    },
    letGo(place) {
      if (held.length > 0) held.splice(place % held.length, 1)[0]?.go();
    },
    fail(error) {
      for (const each of held.splice(0)) each.fail(error);
    },
  };
}

/**
 * Lets everything go that waits, and time pass, until it is over.
 * @param clock absent: files are written, which takes as long as it takes
 * @throws Error if it does not end within hours of the clock
 */
export async function untilOver(what: string, isOver: () => boolean, clock?: FakeClock, gate?: Gate): Promise<void> {
  for (let round = 0; !isOver(); round++) {
    await turns(10);
    if (!clock) continue;
    hold(round < 200, () => `${what} does not end; waiting: ${gate?.waiting.join(', ')}`);
    if (gate && gate.waiting.length > 0) while (gate.waiting.length > 0) gate.letGo(0);
    else if (round > 20) await clock.advance(60_000);
  }
}
