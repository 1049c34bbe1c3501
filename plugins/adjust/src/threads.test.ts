/** The plugin's threads: started for work, replaced when they fail, ended with the plugin. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import type { AdjustRequest } from './adjustPage.js';
import { createThreads } from './threads.js';

const calm = new AbortController().signal;

function request(value = 7): AdjustRequest {
  const page = { pixels: 'gray8', width: 2, height: 1, data: Uint8Array.of(value, value + 1) } as const;
  return { adjustment: 'turn', page, dpi: 300, colorMode: 'Color' };
}

/** The code of a thread: the first pixel says what it does. */
function script(t: Test): URL {
  const folder = t.testdir();
  const file = join(folder, 'worker.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ page }) => {
      const asked = page.data[0];
      if (asked === 1) process.exit(3);
      if (asked === 2) throw new TypeError('it broke');
      if (asked === 3) return;
      if (asked === 4) return parentPort.postMessage({ error: 'no good' });
      parentPort.postMessage({ why: String(threadId) });
    });`,
  );
  return pathToFileURL(file);
}

void t.test('run: one thread, three requests, answered in order', async t => {
  const threads = createThreads(1);
  t.teardown(() => threads.close());
  const results = await Promise.all([10, 20, 30].map(value => threads.run(request(value), calm)));
  t.strictSame(
    results.map(each => 'page' in each && [...each.page.data]),
    [
      [11, 10],
      [21, 20],
      [31, 30],
    ],
  );
});

void t.test('run: size 2, two threads, and the same ones again', async t => {
  const threads = createThreads(2, script(t));
  t.teardown(() => threads.close());
  const ids = async () =>
    new Set(
      (await Promise.all(Array.from({ length: 8 }, () => threads.run(request(9), calm)))).map(
        each => 'why' in each && each.why,
      ),
    );
  const first = await ids();
  t.equal(first.size, 2);
  t.strictSame(await ids(), first);
});

void t.test('run: a thread that dies, its page rejects, the next page gets a new thread', async t => {
  const threads = createThreads(1, script(t));
  t.teardown(() => threads.close());
  const results = await Promise.allSettled([1, 9, 2, 9, 4].map(value => threads.run(request(value), calm)));
  t.strictSame(
    results.map(each => each.status),
    ['rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
  t.match(
    results.map(each => each.status === 'rejected' && (each.reason as Error).message),
    [/the thread that worked on the page died: it ended by itself/, false, /died: it broke/, false, 'no good'],
  );
});

void t.test('run: a thread that hangs, its page rejects, the next page gets a new thread', async t => {
  const threads = createThreads(1, script(t), 500);
  t.teardown(() => threads.close());
  await t.rejects(threads.run(request(3), calm), /given up/);
  // On a busy machine the new thread may take longer than that, too.
  while (
    !(await threads.run(request(9), calm).then(
      () => true,
      () => false,
    ))
  );
});

void t.test('run: aborted before, while waiting and while running, rejects with the reason', async t => {
  const threads = createThreads(1, script(t));
  t.teardown(() => threads.close());
  const reason = new Error('no longer wanted');
  await t.rejects(threads.run(request(), AbortSignal.abort(reason)), reason);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const hung = threads.run(request(3), running.signal);
  const queued = threads.run(request(1), waiting.signal);
  waiting.abort(reason);
  await t.rejects(queued, reason, 'it did not reach a thread');
  running.abort(reason);
  await t.rejects(hung, reason);
});

void t.test('close: running and waiting requests reject, later ones too; idempotent', async t => {
  const threads = createThreads(1, script(t));
  const [hung, queued] = [threads.run(request(3), calm), threads.run(request(9), calm)].map(each =>
    each.catch((error: Error) => error.message),
  );
  await threads.close();
  t.match(await Promise.all([hung, queued]), [/closed/, /closed/]);
  await t.rejects(threads.run(request(), calm), /closed/);
  await t.resolves(threads.close());
});

void t.test('a busy thread keeps the process alive, an idle one does not', async t => {
  const module = fileURLToPath(new URL('./threads.js', import.meta.url));
  const code = `import { createThreads } from ${JSON.stringify(pathToFileURL(module).href)};
    const page = { pixels: 'gray8', width: 1, height: 1, data: new Uint8Array(1) };
    createThreads(1).run({ adjustment: 'turn', page, dpi: 300, colorMode: 'Color' }, new AbortController().signal).then(() => console.log('done'));`;
  t.equal(
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', timeout: 30_000 }).trim(),
    'done',
  );
});
