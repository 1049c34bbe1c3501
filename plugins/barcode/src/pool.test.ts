/** The pool: what breaks is replaced, what is abandoned ends, and nothing waits for ever. */
import type { RawPage } from '@platen/core/plugin';
import { execFile } from 'node:child_process';
import { constants, existsSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { openPool } from './pool.js';

const script = new URL('./pool.test.worker.js', import.meta.url);
const calm = new AbortController().signal;
const wishes = { filterLevel: 'Normal', formats: [], stopAfterFirst: false } as const;
const [answers, throws, exits, hangs, waitsInSystem] = [1, 2, 3, 4, 5];

function job(sheet = answers, data = Uint8Array.of(1, 2, 3)): { page: RawPage; wishes: typeof wishes } {
  return { page: { kind: 'raw', sheet, side: 'front', width: 3, height: 1, dpi: 300, pixels: 'gray8', stride: 3, data }, wishes };
}

/** Resolves when the worker must have begun: it cannot say so itself. */
async function threadOf(answer: Promise<readonly { text: string }[]>): Promise<string> {
  return (await answer)[0]!.text.split(' ')[0]!;
}

t.test('a page reaches the worker in shared memory, and its own buffer stays', async t => {
  const pool = openPool({ workers: 1, thorough: true, script });
  t.teardown(() => pool.close());
  const data = Uint8Array.of(7, 8, 9);
  t.match((await pool.run(job(answers, data), calm))[0]?.text, / 7,8,9 true$/);
  t.strictSame([...data], [7, 8, 9]);
  t.match((await pool.run(job(answers, Uint8Array.of(4)), calm))[0]?.text, / 4 true$/, 'a smaller page after it shows nothing of the larger one');
});

t.test('one worker serves pages one by one; several pages at once get several, and no more than there are', async t => {
  const pool = openPool({ workers: 2, thorough: true, script });
  t.teardown(() => pool.close());
  const one = [await threadOf(pool.run(job(), calm)), await threadOf(pool.run(job(), calm))];
  t.equal(one[0], one[1], 'the second worker is not started for the second page');
  const many = await Promise.all(Array.from({ length: 6 }, () => threadOf(pool.run(job(), calm))));
  t.equal(new Set(many).size, 2);
});

for (const [what, sheet, message] of [['throws', throws, /zxing fell over/], ['exits', exits, /ended on the page \(code 3\)/]] as const) {
  t.test(`a worker that ${what} costs its page, and is replaced`, async t => {
    const pool = openPool({ workers: 1, thorough: true, script });
    t.teardown(() => pool.close());
    const before = await threadOf(pool.run(job(), calm));
    const [broken, after] = await Promise.allSettled([pool.run(job(sheet), calm), threadOf(pool.run(job(), calm))]);
    t.match(broken, { status: 'rejected', reason: { message } });
    t.equal(after.status, 'fulfilled');
    t.not(after.status === 'fulfilled' && after.value, before);
  });
}

t.test('a page that is abandoned rejects with the reason, and its worker ends', async t => {
  const pool = openPool({ workers: 1, thorough: true, script });
  t.teardown(() => pool.close());
  const controller = new AbortController();
  const reason = new Error('nobody waits');
  const stuck = pool.run(job(hangs), controller.signal);
  const next = pool.run(job(), calm);
  setImmediate(() => controller.abort(reason));
  await t.rejects(stuck, reason);
  t.match((await next)[0]?.text, / 1,2,3 true$/, 'the next page is read');
});

t.test('a page that is abandoned while it waits gives up its place', async t => {
  const pool = openPool({ workers: 1, thorough: true, script });
  t.teardown(() => pool.close());
  const [first, second] = [new AbortController(), new AbortController()];
  const reason = new Error('nobody waits');
  const stuck = pool.run(job(hangs), first.signal);
  const waiting = pool.run(job(), second.signal);
  const last = pool.run(job(), calm);
  second.abort(reason);
  await t.rejects(waiting, reason);
  first.abort(reason);
  await t.rejects(stuck, reason);
  await last;
  await t.rejects(pool.run(job(), second.signal), reason, 'abandoned before it began');
});

t.test('closing gives up what runs and what waits, and can be done twice', async t => {
  const pool = openPool({ workers: 1, thorough: true, script });
  await pool.run(job(), calm);
  const pages = [pool.run(job(hangs), calm), pool.run(job(), calm)].map(page => t.rejects(page, /has been closed/));
  await pool.close();
  await Promise.all(pages);
  await t.rejects(pool.run(job(), calm), /has been closed/);
  await pool.close();
});

t.test('a worker that never answers is given up when the time of its page is over, and replaced', async t => {
  const pool = openPool({ workers: 1, thorough: true, script, pageMs: 5000 });
  t.teardown(() => pool.close());
  const [stuck, next] = await Promise.allSettled([pool.run(job(hangs), calm), threadOf(pool.run(job(), calm))]);
  t.match(stuck, { status: 'rejected', reason: { message: /given up after 5 seconds/ } });
  t.equal(next.status, 'fulfilled');
});

t.test('a thread that cannot be ended holds up neither its page, nor the next one, nor closing', { skip: process.platform === 'win32' && 'named pipes are files elsewhere' }, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-barcode-'));
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const pool = openPool({ workers: 1, thorough: true, script, endMs: 50 });
  const controller = new AbortController();
  const reason = new Error('nobody waits');
  const before = await threadOf(pool.run(job(), calm));
  const rejects = t.rejects(pool.run(job(waitsInSystem, Buffer.from(pipe)), controller.signal), reason);
  const reached = async () => {
    while (!existsSync(`${pipe}.reached`)) await delay(10);
    await rm(`${pipe}.reached`);
  };
  await reached();
  controller.abort(reason);
  await rejects;
  t.not(await threadOf(pool.run(job(), calm)), before, 'another thread reads the next page');
  const closed = t.rejects(pool.run(job(waitsInSystem, Buffer.from(pipe)), calm), /has been closed/);
  await reached();
  await pool.close();
  await closed;
  // Lets both threads go. It stays open, for one that has not yet come as far.
  openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  await rm(folder, { recursive: true });
});

t.test('without file descriptors a page is not read, and the next one is', { skip: process.platform === 'win32' && 'there is no such limit' }, async t => {
  const source = `
    import { closeSync, openSync } from 'node:fs';
    import { openPool } from ${JSON.stringify(new URL('./pool.js', import.meta.url).href)};
    const pool = openPool({ workers: 1, thorough: true, script: new URL(${JSON.stringify(script.href)}) });
    const page = { kind: 'raw', sheet: 1, side: 'front', width: 1, height: 1, dpi: 300, pixels: 'gray8', stride: 1, data: new Uint8Array(1) };
    const read = () => pool.run({ page }, new AbortController().signal).then(() => 'read', error => error.code ?? error.message);
    const held = [];
    try { for (;;) held.push(openSync('/dev/null')); } catch {}
    const without = await read();
    held.forEach(closeSync);
    console.log([without, await read()].join());
    await pool.close();`;
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 100; exec "$0" "$@"', process.execPath, '--input-type=module', '--eval', source], { timeout: 60_000 });
  t.equal(stdout.trim(), 'EMFILE,read');
});

t.test('a process with a pool that nobody closed ends by itself', async t => {
  const source = `
    import { openPool } from ${JSON.stringify(new URL('./pool.js', import.meta.url).href)};
    const pool = openPool({ workers: 2, thorough: true, script: new URL(${JSON.stringify(script.href)}) });
    const page = { kind: 'raw', sheet: 1, side: 'front', width: 1, height: 1, dpi: 300, pixels: 'gray8', stride: 1, data: new Uint8Array(1) };
    console.log((await pool.run({ page }, new AbortController().signal)).length);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], { timeout: 60_000 });
  t.equal(stdout.trim(), '1');
});
