/** Random walks: commands in a random order, with what must hold after each. */
import { setImmediate as breathe } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { FakeClock } from '@platen/conformance';

/** A command of a walk. The walk is its own model: `check` says whether the command means anything now. */
export function command<Walk extends object>(
  name: string,
  run: (walk: Walk) => unknown,
  check: (walk: Walk) => boolean = () => true,
): fc.AsyncCommand<Walk, Walk> {
  // What comes from outside comes in a turn of the event loop of its own.
  return { check, run: async walk => void (await turns(1), await run(walk)), toString: () => name };
}

/** Commands with a parameter. */
export function commands<Walk extends object, Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  run: (walk: Walk, value: Value) => unknown,
  check?: (walk: Walk) => boolean,
): fc.Arbitrary<fc.AsyncCommand<Walk, Walk>> {
  return values.map(value => command<Walk>(`${name}(${fc.stringify(value)})`, walk => run(walk, value), check));
}

/** Walks over one system. `walk` is both the model and the real system, as its fakes know what must hold. */
export async function walkOver<Walk extends object>(
  walk: Walk,
  steps: Iterable<fc.AsyncCommand<Walk, Walk>>,
): Promise<void> {
  await fc.asyncModelRun(() => ({ model: walk, real: walk }), steps);
}

/** Fails with a sentence. */
export function hold(condition: boolean, sentence: () => string): asserts condition {
  if (!condition) throw new Error(sentence());
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await breathe();
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
 * @throws Error if it does not end within hours of the fake clock
 */
export async function untilOver(what: string, isOver: () => boolean, clock: FakeClock, gate?: Gate): Promise<void> {
  for (let round = 0; !isOver(); round++) {
    hold(round < 200, () => `${what} does not end; waiting: ${gate?.waiting.join(', ')}`);
    await turns(10);
    if (gate && gate.waiting.length > 0) while (gate.waiting.length > 0) gate.letGo(0);
    else if (round > 20) await clock.advance(60_000);
  }
}
