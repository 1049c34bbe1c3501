/** The recogniser's workers: what they get, and those that fail, hang or are abandoned. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RawPage } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { page, patch } from './pages.test.kit.js';
import { patchRecogniser, type RecogniserSettings } from './recogniser.js';

const { signal: calm } = new AbortController();
const [hangs, throws, exits] = [1, 2, 3];

/** A worker whose answer is what it got; the first pixel says what else it does. */
function open(t: Test, settings: Partial<RecogniserSettings> = {}) {
  const file = join(t.testdir(), 'worker.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', page => {
      const asked = page.data[0];
      if (asked === ${hangs}) for (;;);
      if (asked === ${throws}) throw new TypeError('it broke');
      if (asked === ${exits}) process.exit(3);
      parentPort.postMessage({ code: JSON.stringify({ ...page, data: [...page.data] }) });
    });`,
  );
  const recogniser = patchRecogniser({ workers: 1, script: pathToFileURL(file), ...settings });
  t.teardown(() => recogniser.close());
  return { recogniser, read: (first = 9, signal = calm) => recogniser.read(small(first), {}, { signal }) };
}

const small = (first: number): RawPage => ({
  kind: 'raw',
  sheet: 1,
  side: 'front',
  width: 2,
  height: 5,
  dpi: 200,
  pixels: 'gray8',
  stride: 3,
  data: Uint8Array.from({ length: 14 }, (_, at) => (at === 0 ? first : at)),
});

t.test('read: the worker gets every n-th row without padding, the page keeps its buffer', async t => {
  const { recogniser } = open(t);
  const sheet = small(9);
  const before = [...sheet.data];
  const got = await recogniser.read(sheet, {}, { signal: calm });
  t.strictSame(JSON.parse(got ?? ''), {
    pixels: 'gray8',
    width: 2,
    height: 3,
    dpi: 200,
    step: 2,
    data: [9, 1, 6, 7, 12, 13],
  });
  t.strictSame([...sheet.data], before);
});

for (const [what, first, message] of [
  ['throws', throws, /it broke/],
  ['exits', exits, /code 3/],
] as const) {
  t.test(`worker ${what}: its page rejects, the next page gets a new worker`, async t => {
    const { read } = open(t);
    const [broken, after] = await Promise.allSettled([read(first), read()]);
    t.match(broken, { status: 'rejected', reason: { message } });
    t.equal(after.status, 'fulfilled');
  });
}

t.test('worker hangs: its page rejects when its time is up, the next page gets a new worker', async t => {
  const { read } = open(t, { pageMs: 500 });
  await t.rejects(read(hangs), /given up after 0\.5 seconds/);
  // On a busy machine the new worker may take longer than that, too.
  while (
    !(await read().then(
      () => true,
      () => false,
    ))
  );
});

t.test('read: aborted while it waits or works, rejects with the reason', async t => {
  const { recogniser, read } = open(t, { workers: 1 });
  const controller = new AbortController();
  const reason = new Error('aborted');
  const pages = [read(9, controller.signal), read(9, controller.signal)].map(each => t.rejects(each, reason));
  controller.abort(reason);
  await Promise.all(pages);
  await t.rejects(recogniser.read(small(9), {}, { signal: controller.signal }), reason, 'before it began');
  t.ok(await read(), 'the next page is read');
});

t.test('close: pages that are read or wait reject; idempotent', async t => {
  const { recogniser, read } = open(t);
  const pages = [read(hangs), read()].map(each => t.rejects(each, /has been closed/));
  await recogniser.close();
  await Promise.all(pages);
  await t.rejects(read(), /has been closed/);
  await recogniser.close();
});

t.test('read: a large page, the event loop goes on', async t => {
  const recogniser = patchRecogniser({ workers: 1 });
  t.teardown(() => recogniser.close());
  const part = page(patch({ code: '1', edge: 'top' }), { dpi: 100, pixels: 'rgb24' });
  // 60 MB of rows to copy: the sheet, and white below it.
  const height = 40_000;
  const data = new Uint8Array(part.stride * height).fill(255);
  data.set(part.data);
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  t.equal(await recogniser.read({ ...part, height, data }, {}, { signal: calm }), '1');
  clearInterval(count);
  t.ok(turns > 2, `${turns} turns`);
});
