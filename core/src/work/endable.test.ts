/** Scans that are ended from outside: by the signal, the owner or the consumer. */
import t from 'tap';
import { forever, unlessAborted } from '../time/wait.js';
import { endable, type Endable } from './endable.js';

interface Made {
  readonly run: Endable<number>;
  readonly signal: AbortController;
  readonly seen: string[];
}

/** Yields 1 and 2, then waits for ever. */
function make(begin?: (ended: AbortSignal) => AsyncGenerator<number, void, undefined>): Made {
  const signal = new AbortController();
  const seen: string[] = [];
  async function* pages(ended: AbortSignal) {
    try {
      yield 1;
      yield 2;
      await forever(ended);
    } finally {
      seen.push('stopped');
    }
  }
  return {
    run: endable({ begin: begin ?? pages, over: () => void seen.push('over'), signal: signal.signal }),
    signal,
    seen,
  };
}

const reason = new Error('because');

t.test('endable: abort during a pull, throws the reason after everything stopped', async t => {
  const { run, signal, seen } = make();
  t.same(
    [await run.next(), await run.next()].map(each => each.value),
    [1, 2],
  );
  const pulled = run.next();
  signal.abort(reason);
  await t.rejects(pulled, reason);
  await run.ending;
  t.same(seen, ['stopped', 'over']);
  t.match(await run.next(), { done: true });
});

t.test('endable: ended between two pulls, the next one throws, once', async t => {
  const { run, seen } = make();
  await run.next();
  await run.end(reason);
  t.same(seen, ['stopped', 'over']);
  await t.rejects(run.next(), reason);
  t.match(await run.next(), { done: true });
});

t.test('endable: the consumer leaves the loop, it is freed without an error', async t => {
  const { run, seen } = make();
  for await (const page of run) if (page === 1) break;
  t.same(seen, ['stopped', 'over']);
  t.match(await run.next(), { done: true });
});

t.test('endable: return() during a pull, the pull ends', async t => {
  const { run, seen } = make();
  await run.next();
  await run.next();
  const pulled = run.next();
  await run.return?.();
  t.match(await pulled, { done: true });
  t.same(seen, ['stopped', 'over']);
});

t.test('endable: aborted before, or begin throws, nothing begins', async t => {
  const early = make();
  early.signal.abort(reason);
  await t.rejects(early.run.next(), reason);
  const busy = make(() => {
    throw reason;
  });
  await t.rejects(busy.run.next(), reason);
  t.same([...early.seen, ...busy.seen], [], 'what never ran is not over');
});

t.test('endable: the pages throw, the error is thrown and the iteration is over', async t => {
  const { run, seen } = make(async function* () {
    yield 1;
    throw reason;
  });
  await run.next();
  await t.rejects(run.next(), reason);
  t.same(seen, ['over']);
  t.match(await run.next(), { done: true });
});

t.test('endable: a late failure, no unhandled rejection', async t => {
  const signal = new AbortController();
  let fail = (): void => undefined;
  const late = new Promise<never>((_, reject) => (fail = () => reject(new Error('too late'))));
  const waiting = unlessAborted(late, signal.signal);
  signal.abort(reason);
  await t.rejects(waiting, reason);
  fail();
  await new Promise(resolve => setImmediate(resolve));
});
