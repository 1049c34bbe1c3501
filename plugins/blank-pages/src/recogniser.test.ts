/** The recogniser's workers: shared rows, and workers that fail, hang or are abandoned. */
import type { RawPage } from '@platen/core/plugin';
import t from 'tap';
import { createSharedRows } from './page/sharedRows.js';
import { blankRecogniser, type ClosableRecogniser, type RecogniserSettings } from './recogniser.js';

const script = new URL('./recogniser.test.worker.js', import.meta.url);
const calm = new AbortController().signal;
const [answers, throws, exits, hangs] = [1, 2, 3, 4];

const open = (settings: Partial<RecogniserSettings> = {}): ClosableRecogniser =>
  blankRecogniser({ workers: 1, script, ...settings });

/** @param height what the worker does with the page */
function pageOf(height = answers, data = Uint8Array.of(1, 2, 3)): RawPage {
  const width = data.length;
  return { kind: 'raw', sheet: 1, side: 'front', width, height, dpi: 100, pixels: 'gray8', stride: 0, data };
}

async function read(recogniser: ClosableRecogniser, page = pageOf(), signal = calm): Promise<string> {
  return (await recogniser.read(page, {}, { signal })).why;
}

t.test('read: the rows reach the worker in shared memory, the page is unchanged', async t => {
  const recogniser = open();
  t.teardown(() => recogniser.close());
  const data = Uint8Array.of(7, 8, 9);
  t.match(await read(recogniser, pageOf(answers, data)), / 7,8,9 true$/);
  t.strictSame([...data], [7, 8, 9]);
  t.match(await read(recogniser, pageOf(answers, Uint8Array.of(4))), / 4 true$/, 'a smaller page next');
});

for (const [what, height, message] of [
  ['throws', throws, /it fell over/],
  ['exits', exits, /ended \(code 3\)/],
] as const) {
  t.test(`worker ${what}: its page rejects, the next page gets a new worker`, async t => {
    const recogniser = open();
    t.teardown(() => recogniser.close());
    const [broken, next] = await Promise.allSettled([read(recogniser, pageOf(height)), read(recogniser)]);
    t.match(broken, { status: 'rejected', reason: { message } });
    t.equal(next.status, 'fulfilled');
  });
}

t.test('read: aborted while judged or waiting, rejects with the reason; the next page is judged', async t => {
  const recogniser = open();
  t.teardown(() => recogniser.close());
  const [first, second] = [new AbortController(), new AbortController()];
  const reason = new Error('aborted');
  const stuck = read(recogniser, pageOf(hangs), first.signal);
  const waiting = read(recogniser, pageOf(), second.signal);
  const last = read(recogniser);
  second.abort(reason);
  await t.rejects(waiting, reason);
  first.abort(reason);
  await t.rejects(stuck, reason);
  t.match(await last, / 1,2,3 true$/);
  await t.rejects(read(recogniser, pageOf(), second.signal), reason, 'aborted before it began');
});

t.test('pageMs: a worker that hangs, its page rejects, the next page gets a new worker', async t => {
  const recogniser = open({ pageMs: 500 });
  t.teardown(() => recogniser.close());
  await t.rejects(read(recogniser, pageOf(hangs)), /given up after 0\.5 seconds/);
  // On a busy machine the new worker may take longer than that, too.
  while (
    !(await read(recogniser).then(
      () => true,
      () => false,
    ))
  );
});

t.test('close: pages that are judged or wait reject; idempotent', async t => {
  const recogniser = open();
  await read(recogniser);
  const pages = [read(recogniser, pageOf(hangs)), read(recogniser)].map(page => t.rejects(page, /has been closed/));
  await recogniser.close();
  await Promise.all(pages);
  await t.rejects(read(recogniser), /has been closed/);
  await recogniser.close();
});

t.test('createSharedRows: every other row at 300 dpi, every row of a 1-bit page, without padding', async t => {
  const rows = createSharedRows();
  const grey: RawPage = { ...pageOf(4, new Uint8Array(16)), width: 3, dpi: 300, stride: 4 };
  const numbered = { ...grey, data: Uint8Array.from({ length: 15 }, (_, i) => i) };
  t.match(await rows.copy(numbered, calm), { step: 2, data: Uint8Array.of(0, 1, 2, 8, 9, 10) });
  const bits: RawPage = { ...numbered, pixels: 'bw1', width: 9, height: 4 };
  t.match(await rows.copy(bits, calm), { step: 2, data: Uint8Array.of(0, 1, 4, 5, 8, 9, 12, 13) });
  const reason = new Error('aborted');
  await t.rejects(open().read(grey, {}, { signal: AbortSignal.abort(reason) }), reason);
});
