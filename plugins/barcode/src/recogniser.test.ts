/** The recogniser's workers: shared pages, and workers that fail, hang or are abandoned. */
import type { RawPage } from '@platen/core/plugin';
import { execFile } from 'node:child_process';
import { constants, existsSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { barcodeRecogniser, type ClosableRecogniser, type RecogniserSettings } from './recogniser.js';

const script = new URL('./recogniser.test.worker.js', import.meta.url);
const calm = new AbortController().signal;
const wishes = { filterLevel: 'Normal', formats: [], stopAfterFirst: false } as const;
const [answers, throws, exits, hangs, waitsInSystem] = [1, 2, 3, 4, 5];

const open = (settings: Partial<RecogniserSettings> = {}): ClosableRecogniser =>
  barcodeRecogniser({ workers: 1, thorough: true, script, ...settings });

/** @param sheet what the worker does with the page */
function pageOf(sheet = answers, data = Uint8Array.of(1, 2, 3)): RawPage {
  return { kind: 'raw', sheet, side: 'front', width: 3, height: 1, dpi: 300, pixels: 'gray8', stride: 3, data };
}

function read(recogniser: ClosableRecogniser, page = pageOf(), signal = calm): Promise<readonly { text: string }[]> {
  return recogniser.read(page, wishes, { signal });
}

/** The id of the thread that read the page. */
async function threadOf(answer: Promise<readonly { text: string }[]>): Promise<string> {
  return (await answer)[0]!.text.split(' ')[0]!;
}

t.test('read: the page reaches the worker in shared memory, its own buffer is unchanged', async t => {
  const recogniser = open();
  t.teardown(() => recogniser.close());
  const data = Uint8Array.of(7, 8, 9);
  t.match((await read(recogniser, pageOf(answers, data)))[0]?.text, / 7,8,9 true$/);
  t.strictSame([...data], [7, 8, 9]);
  t.match(
    (await read(recogniser, pageOf(answers, Uint8Array.of(4))))[0]?.text,
    / 4 true$/,
    'a smaller page next, nothing left of the larger one',
  );
});

t.test('workers: 2, one worker for one page at a time, two for many at once', async t => {
  const recogniser = open({ workers: 2 });
  t.teardown(() => recogniser.close());
  const one = [await threadOf(read(recogniser)), await threadOf(read(recogniser))];
  t.equal(one[0], one[1], 'no second worker for the second page');
  const many = await Promise.all(Array.from({ length: 6 }, () => threadOf(read(recogniser))));
  t.equal(new Set(many).size, 2);
});

for (const [what, sheet, message] of [
  ['throws', throws, /zxing fell over/],
  ['exits', exits, /ended on the page \(code 3\)/],
] as const) {
  t.test(`worker ${what}: its page rejects, the next page gets a new worker`, async t => {
    const recogniser = open();
    t.teardown(() => recogniser.close());
    const before = await threadOf(read(recogniser));
    const [broken, after] = await Promise.allSettled([read(recogniser, pageOf(sheet)), threadOf(read(recogniser))]);
    t.match(broken, { status: 'rejected', reason: { message } });
    t.equal(after.status, 'fulfilled');
    t.not(after.status === 'fulfilled' && after.value, before);
  });
}

t.test('read: aborted while reading, rejects with the reason, the next page is read', async t => {
  const recogniser = open();
  t.teardown(() => recogniser.close());
  const controller = new AbortController();
  const reason = new Error('aborted');
  const stuck = read(recogniser, pageOf(hangs), controller.signal);
  const next = read(recogniser);
  setImmediate(() => controller.abort(reason));
  await t.rejects(stuck, reason);
  t.match((await next)[0]?.text, / 1,2,3 true$/, 'the next page is read');
});

t.test('read: aborted while waiting, rejects with the reason', async t => {
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
  await last;
  await t.rejects(read(recogniser, pageOf(), second.signal), reason, 'aborted before it began');
});

t.test('close: running and waiting pages reject; idempotent', async t => {
  const recogniser = open();
  await read(recogniser);
  const pages = [read(recogniser, pageOf(hangs)), read(recogniser)].map(page => t.rejects(page, /has been closed/));
  await recogniser.close();
  await Promise.all(pages);
  await t.rejects(read(recogniser), /has been closed/);
  await recogniser.close();
});

t.test('pageMs: a worker that hangs, its page rejects, the next page gets a new worker', async t => {
  const recogniser = open({ pageMs: 500 });
  t.teardown(() => recogniser.close());
  await t.rejects(read(recogniser, pageOf(hangs)), /given up after 0\.5 seconds/);
  // On a busy machine the new worker may take longer than that, too.
  while (
    !(await threadOf(read(recogniser)).then(
      () => true,
      () => false,
    ))
  );
});

t.test(
  'endMs: a thread that cannot be terminated, neither abort nor close waits for it',
  { skip: process.platform === 'win32' && 'Windows has no mkfifo' },
  async t => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-barcode-'));
    const pipe = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const recogniser = open({ endMs: 50 });
    const controller = new AbortController();
    const reason = new Error('aborted');
    const before = await threadOf(read(recogniser));
    const rejects = t.rejects(read(recogniser, pageOf(waitsInSystem, Buffer.from(pipe)), controller.signal), reason);
    const reached = async () => {
      while (!existsSync(`${pipe}.reached`)) await delay(10);
      await rm(`${pipe}.reached`);
    };
    await reached();
    controller.abort(reason);
    await rejects;
    t.not(await threadOf(read(recogniser)), before, 'another thread reads the next page');
    const closed = t.rejects(read(recogniser, pageOf(waitsInSystem, Buffer.from(pipe))), /has been closed/);
    await reached();
    await recogniser.close();
    await closed;
    // Unblocks both threads. The descriptor stays open for a thread that has not come as far yet.
    openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    await rm(folder, { recursive: true });
  },
);

t.test(
  'read: without file descriptors, EMFILE; the next page is read',
  { skip: process.platform === 'win32' && 'Windows has no such limit' },
  async t => {
    const source = `
    import { closeSync, openSync } from 'node:fs';
    import { barcodeRecogniser } from ${JSON.stringify(new URL('./recogniser.js', import.meta.url).href)};
    const recogniser = barcodeRecogniser({ workers: 1, thorough: true, script: new URL(${JSON.stringify(script.href)}) });
    const page = { kind: 'raw', sheet: 1, side: 'front', width: 1, height: 1, dpi: 300, pixels: 'gray8', stride: 1, data: new Uint8Array(1) };
    const read = () => recogniser.read(page, {}, { signal: new AbortController().signal }).then(() => 'read', error => error.code ?? error.message);
    const held = [];
    try { for (;;) held.push(openSync('/dev/null')); } catch {}
    const without = await read();
    held.forEach(closeSync);
    console.log([without, await read()].join());
    await recogniser.close();`;
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', 'ulimit -n 100; exec "$0" "$@"', process.execPath, '--input-type=module', '--eval', source],
      { timeout: 60_000 },
    );
    t.equal(stdout.trim(), 'EMFILE,read');
  },
);

t.test('a recogniser that is not closed: the process ends by itself', async t => {
  const source = `
    import { barcodeRecogniser } from ${JSON.stringify(new URL('./recogniser.js', import.meta.url).href)};
    const recogniser = barcodeRecogniser({ workers: 2, thorough: true, script: new URL(${JSON.stringify(script.href)}) });
    const page = { kind: 'raw', sheet: 1, side: 'front', width: 1, height: 1, dpi: 300, pixels: 'gray8', stride: 1, data: new Uint8Array(1) };
    console.log((await recogniser.read(page, {}, { signal: new AbortController().signal })).length);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], {
    timeout: 60_000,
  });
  t.equal(stdout.trim(), '1');
});
