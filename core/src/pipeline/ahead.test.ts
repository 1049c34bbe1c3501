/** Results stay in order, the window stays bounded, and no pulled item is lost or left running. */
import t from 'tap';
import { setImmediate as breathe } from 'node:timers/promises';
import { createByteBudget } from '../work/byteBudget.js';
import { ahead, type AheadLimits } from './ahead.js';

interface Source extends AsyncIterable<number> {
  pulled: number;
  returned: number;
}

/** 1, 2, 3 … up to `count`, then the end or `error`; ends early once `stopped` is true. */
function source(count: number, end: { error?: unknown; stopped?: () => boolean } = {}): Source {
  const made: Source = {
    pulled: 0,
    returned: 0,
    [Symbol.asyncIterator]: () => ({
      async next() {
        await breathe();
        if (end.stopped?.()) return { done: true, value: undefined };
        if (made.pulled === count && 'error' in end) throw end.error;
        if (made.pulled === count) return { done: true, value: undefined };
        return { done: false, value: ++made.pulled };
      },
      async return() {
        made.returned++;
        return { done: true, value: undefined };
      },
    }),
  };
  return made;
}

const limits = ({
  bytes = Infinity,
  ...more
}: Partial<AheadLimits<number>> & { readonly bytes?: number } = {}): AheadLimits<number> => ({
  ahead: 2,
  budget: createByteBudget(bytes),
  sizeOf: () => 1,
  halt() {},
  ...more,
});

/** Work that waits until the test releases it. */
function bench() {
  const begun: number[] = [];
  const waiting = new Map<number, { resolve: (value: string) => void; reject: (error: unknown) => void }>();
  return {
    begun,
    get running() {
      return waiting.size;
    },
    work: (item: number) =>
      new Promise<string>((resolve, reject) => {
        begun.push(item);
        waiting.set(item, { resolve, reject });
      }),
    async finish(item: number, error?: unknown) {
      const each = waiting.get(item);
      waiting.delete(item);
      if (error === undefined) each?.resolve(`done ${item}`);
      else each?.reject(error);
      await settled();
    },
  };
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await breathe();
}

async function collect<T>(results: AsyncIterable<T>): Promise<{ got: T[]; error: unknown }> {
  const got: T[] = [];
  try {
    for await (const each of results) got.push(each);
  } catch (error) {
    return { got, error };
  }
  return { got, error: undefined };
}

t.test('ahead: work finishes in any order, results come in source order', async t => {
  const { work, finish, begun } = bench();
  const all = collect(ahead(source(3), work, limits()));
  await settled();
  t.same(begun, [1, 2, 3]);
  for (const item of [3, 2, 1]) await finish(item);
  t.same(await all, { got: ['done 1', 'done 2', 'done 3'], error: undefined });
});

t.test('ahead: no result is requested, nothing starts', async t => {
  const from = source(3);
  const results = ahead(from, async item => item, limits());
  await settled();
  t.equal(from.pulled, 0);
  await results.return();
  t.equal(from.pulled, 0);
});

t.test('ahead: a slow consumer, no more items are pulled than the window holds', async t => {
  for (const size of [0, 1, 2, 5]) {
    const from = source(20);
    const results = ahead(from, async item => item, limits({ ahead: size }));
    for (let consumed = 1; consumed <= 12; consumed++) {
      t.same(await results.next(), { done: false, value: consumed });
      await settled();
      t.equal(from.pulled, consumed + size, `${consumed} consumed, ${size} ahead`);
    }
    await results.return();
  }
});

t.test('ahead: large items, bytes in progress are bounded; a single item may exceed the limit', async t => {
  const { work, finish, begun } = bench();
  const sizes = [4, 4, 4, 20, 1];
  const all = collect(ahead(source(5), work, limits({ ahead: 9, bytes: 10, sizeOf: item => sizes[item - 1] ?? 0 })));
  await settled();
  t.same(begun, [1, 2], 'a third like the second would be too much');
  await finish(1);
  t.same(begun, [1, 2, 3]);
  await finish(2);
  t.same(begun, [1, 2, 3, 4], 'its size is known only after it was pulled');
  await finish(3);
  t.same(begun, [1, 2, 3, 4]);
  await finish(4);
  t.same(begun, [1, 2, 3, 4, 5]);
  await finish(5);
  t.equal((await all).got.length, 5);
});

t.test('ahead: the source fails, earlier results come first', async t => {
  const jam = new Error('jam');
  let halted = 0;
  const { work, finish } = bench();
  const all = collect(ahead(source(2, { error: jam }), work, limits({ halt: () => void halted++ })));
  await settled();
  await finish(2);
  await finish(1);
  t.same(await all, { got: ['done 1', 'done 2'], error: jam });
  t.equal(halted, 0, 'a source that failed has ended');
  t.same(await collect(ahead(source(0, { error: jam }), work, limits())), { got: [], error: jam });
});

t.test(
  'ahead: work fails, the source is halted, its remaining items are worked on, then the failure is thrown',
  async t => {
    for (const rude of [false, true]) {
      const full = new Error('no ink');
      let stopped = false;
      const from = source(9, { stopped: () => stopped });
      const work = (item: number): Promise<string> => {
        if (item === 2 && rude) throw full;
        return item === 2 ? Promise.reject(full) : Promise.resolve(`done ${item}`);
      };
      const { got, error } = await collect(ahead(from, work, limits({ ahead: 1, halt: () => void (stopped = true) })));
      t.equal(error, full);
      t.same(
        got,
        Array.from({ length: from.pulled }, (_, i) => i + 1)
          .filter(item => item !== 2)
          .map(item => `done ${item}`),
        'every other one',
      );
      t.ok(from.pulled < 9);
    }
  },
);

t.test('ahead: several failures, the first is thrown', async t => {
  const [first, second] = [new Error('first'), new Error('second')];
  const { work, finish } = bench();
  const all = collect(ahead(source(3), work, limits()));
  await settled();
  await finish(2, first);
  await finish(1, second);
  await finish(3);
  t.same(await all, { got: ['done 3'], error: first });
});

t.test('ahead: the consumer leaves, the source ends and running work is awaited', async t => {
  const { work, finish, begun } = bench();
  const from = source(20);
  let halted = 0;
  const results = ahead(from, work, limits({ halt: () => void halted++ }));
  const first = results.next();
  await settled();
  await finish(1);
  await first;
  let left = false;
  const leaving = results.return().then(() => (left = true));
  await settled();
  t.equal(halted, 1);
  t.equal(from.returned, 1);
  t.same([left, begun], [false, [1, 2, 3]], 'two are still worked on, and no other is begun');
  await finish(2);
  await finish(3);
  await leaving;
  t.ok(left);
  t.same(await results.next(), { done: true, value: undefined });
});

t.test('ahead: items after the consumer left, not worked on', async t => {
  let give = (): void => undefined;
  const from = (async function* () {
    yield 1;
    await new Promise<void>(resolve => (give = resolve));
    yield 2;
  })();
  const worked: number[] = [];
  const results = ahead(from, async item => void worked.push(item), limits());
  await results.next();
  await settled();
  const leaving = results.return();
  await settled();
  give();
  await leaving;
  t.same(worked, [1]);
  t.same(await from.next(), { done: true, value: undefined });
});

t.test('ahead: failures after the consumer left, ignored', async t => {
  const { work, finish } = bench();
  const results = ahead(source(2, { error: new Error('late jam') }), work, limits());
  const first = results.next();
  await settled();
  await finish(1);
  await first;
  const leaving = results.return();
  await finish(2, new Error('late failure'));
  t.same(await leaving, { done: true, value: undefined });
});
