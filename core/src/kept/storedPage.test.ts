/** Digests of pages, which other work does not wait for. */
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { sha256Of } from './storedPage.js';

const MEGABYTE = 1024 * 1024;

t.test('sha256Of: pages of every length around its slices', async t => {
  for (const length of [0, 1, MEGABYTE - 1, MEGABYTE, MEGABYTE + 1, 3 * MEGABYTE + 17]) {
    const whole = new Uint8Array(length + 2).map((_, at) => at * 31 + (at >> 8));
    const data = whole.subarray(1, length + 1);
    t.equal(await sha256Of(data), createHash('sha256').update(data).digest('hex'), String(length));
  }
});

t.test('sha256Of: the event loop turns between its slices', async t => {
  let isDone = false;
  let turns = 0;
  const digest = sha256Of(new Uint8Array(8 * MEGABYTE)).finally(() => (isDone = true));
  for (; !isDone; turns++) await turn();
  await digest;
  t.ok(turns >= 7, `${turns} turns`);
});
