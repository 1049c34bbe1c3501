/** Workers are reused, and replaced when they stall, fail or are abandoned. */
import t from 'tap';
import { deferred, type Deferred } from '../time/wait.js';
import { giveBackMemory } from './rest.js';
import { createWorkerPool, type PoolWorker, type WorkerPoolOptions } from './workerPool.js';

interface Hand extends PoolWorker {
  readonly pieces: Deferred<string>[];
  readonly ended: boolean;
  alive: boolean;
}

/** A pool whose work the test finishes by hand. */
function bench(options: Partial<WorkerPoolOptions<Hand>> = {}) {
  const workers: Hand[] = [];
  const start = (): Hand => {
    let ended = false;
    const worker = {
      pieces: [],
      alive: true,
      get ended() {
        return ended;
      },
      end: async () => void (ended = true),
    };
    workers.push(worker);
    return worker;
  };
  const pool = createWorkerPool<Hand>({
    places: 1,
    workMs: 60_000,
    late: () => new Error('it was late'),
    closed: () => new Error('it was closed'),
    start,
    ...options,
  });
  const run = (signal?: AbortSignal): Promise<string> =>
    pool.run(async take => {
      const piece = deferred<string>();
      (await take()).pieces.push(piece);
      return piece.promise;
    }, signal);
  return { workers, pool, run, ended: () => workers.map(({ ended }) => ended) };
}

const turn = () => new Promise(resolve => setImmediate(resolve));

t.test('run: first work starts a worker, later work reuses it', async t => {
  const { workers, run } = bench({ places: 2 });
  t.equal(workers.length, 0);
  for (const said of ['first', 'second']) {
    const running = run();
    await turn();
    workers[0]?.pieces.at(-1)?.resolve(said);
    t.equal(await running, said);
  }
  t.same([workers.length, workers[0]?.pieces.length], [1, 2]);
});

t.test('run: more work than places, the rest waits its turn', async t => {
  const { workers, run } = bench({ places: 2 });
  const running = ['a', 'b', 'c', 'd'].map(() => run());
  await turn();
  t.same(
    workers.map(each => each.pieces.length),
    [1, 1],
  );
  workers[1]?.pieces[0]?.resolve('b');
  t.equal(await running[1], 'b');
  await turn();
  t.same(
    workers.map(each => each.pieces.length),
    [1, 2],
  );
  workers[1]?.pieces[1]?.resolve('c');
  await turn();
  workers[0]?.pieces[0]?.resolve('a');
  workers[1]?.pieces[2]?.resolve('d');
  t.same(await Promise.all(running), ['a', 'b', 'c', 'd']);
});

t.test('run: work that needs no worker, starts none and frees its place', async t => {
  const { workers, pool } = bench();
  for (let i = 0; i < 3; i++) t.equal(await pool.run(async () => 7), 7);
  await t.rejects(
    pool.run(() => Promise.reject(new Error('no memory'))),
    /no memory/,
  );
  t.equal(await pool.run(async () => 7), 7);
  t.equal(workers.length, 0);
});

t.test('run: a worker stalls, abandoned after its deadline and replaced; waiting does not count', async t => {
  const { pool, run, ended } = bench({ workMs: 20 });
  // Done without a turn of the event loop, in which its own deadline could pass.
  const [stalled, next] = [run(), pool.run(async take => (await take(), 'the next one'))];
  await t.rejects(stalled, { message: 'it was late' });
  t.equal(await next, 'the next one');
  t.same(ended(), [true, false]);
});

t.test('run: a worker fails, or dies while idle, it is replaced', async t => {
  const { workers, run, ended } = bench();
  const failing = run();
  await turn();
  workers[0]?.pieces[0]?.reject(new Error('the thread died'));
  await t.rejects(failing, { message: 'the thread died' });
  for (const n of [1, 2]) {
    const next = run();
    await turn();
    workers[n]?.pieces[0]?.resolve('better');
    t.equal(await next, 'better');
    await turn();
    workers[n]!.alive = false;
  }
  t.same(ended(), [true, false, false]);
});

t.test('run: a worker cannot be started, its work fails and the next work tries again', async t => {
  let tries = 0;
  const pool = createWorkerPool({
    places: 1,
    workMs: 1000,
    late: Error,
    closed: Error,
    start: async () => {
      if (tries++ === 0) throw Object.assign(new Error('no descriptors'), { code: 'EMFILE' });
      return { end: async () => undefined };
    },
  });
  const use = () => pool.run(async take => (await take(), 'done'));
  await t.rejects(use(), { code: 'EMFILE' });
  t.equal(await use(), 'done');
});

t.test('run: abort before, while waiting and while running, throws the signal’s reason', async t => {
  const { workers, run } = bench();
  const reason = new Error('abandoned');
  await t.rejects(run(AbortSignal.abort(reason)), reason);
  const [first, second] = [new AbortController(), new AbortController()];
  const running = run(first.signal);
  const waits = run(second.signal);
  const last = run();
  await turn();
  second.abort(reason);
  await t.rejects(waits, reason);
  t.equal(workers.length, 1);
  first.abort(reason);
  await t.rejects(running, reason);
  await turn();
  t.equal(workers[0]?.ended, true);
  workers[1]?.pieces[0]?.resolve('the last one');
  t.equal(await last, 'the last one');
});

t.test('abandoned: the worker finishes later, keeps its place until then and is reused', async t => {
  const { workers, run, ended } = bench({ abandoned: 'finishes' });
  const control = new AbortController();
  const reason = new Error('abandoned');
  const running = run(control.signal);
  const next = run();
  await turn();
  control.abort(reason);
  await t.rejects(running, reason);
  t.same([workers.length, workers[0]?.pieces.length], [1, 1]);
  workers[0]?.pieces[0]?.resolve('of which nobody hears');
  await turn();
  workers[0]?.pieces[1]?.resolve('next');
  t.equal(await next, 'next');
  t.same(ended(), [false]);
});

t.test('atRest: idle workers are ended, busy ones stay, and more work starts another', async t => {
  const { workers, pool, run, ended } = bench({ places: 2, idleMs: 60_000 });
  const [first, second] = [run(), run()];
  await turn();
  workers[0]?.pieces[0]?.resolve('done');
  await first;
  await turn();
  giveBackMemory();
  t.same(ended(), [true, false]);
  const third = run();
  await turn();
  t.equal(workers.length, 3);
  workers[1]?.pieces[0]?.resolve('done');
  workers[2]?.pieces[0]?.resolve('done');
  await Promise.all([second, third]);
  await pool.close();
  t.same(ended(), [true, true, true]);
});

t.test('atRest: workers stay that take long to start, or have no idleMs', async t => {
  for (const options of [{ idleMs: 60_000, atRest: 'stays' }, {}] as const) {
    const { workers, pool, run, ended } = bench(options);
    const running = run();
    await turn();
    workers[0]?.pieces[0]?.resolve('done');
    await running;
    await turn();
    giveBackMemory();
    t.same(ended(), [false]);
    await pool.close();
  }
});

t.test('idleMs: an idle worker is ended, and more work starts another', async t => {
  const { workers, run, ended } = bench({ idleMs: 10 });
  for (const n of [0, 1]) {
    const running = run();
    await turn();
    workers[n]?.pieces[0]?.resolve('done');
    await running;
    while (!workers[n]?.ended) await new Promise(resolve => setTimeout(resolve, 5));
  }
  t.same(ended(), [true, true]);
});

t.test('close: running and waiting work is abandoned, and every worker ends', async t => {
  const { workers, pool, run, ended } = bench({ places: 2 });
  const finished = run();
  const given = [run(), run(), run()].map(each => t.rejects(each, { message: 'it was closed' }));
  await turn();
  workers[0]?.pieces[0]?.resolve('done');
  await finished;
  await Promise.all([pool.close(), pool.close(), ...given]);
  t.same(ended(), [true, true]);
  await t.rejects(run(), { message: 'it was closed' });
  const idle = bench();
  const once = idle.run();
  await turn();
  idle.workers[0]?.pieces[0]?.resolve('done');
  await once;
  await idle.pool.close();
  t.same(idle.ended(), [true]);
});
