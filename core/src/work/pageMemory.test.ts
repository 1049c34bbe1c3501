/** Memory that pages pass on: to whom, how much of it, and for how long. */
import t from 'tap';
import { createPageMemory } from './pageMemory.js';

const MEGABYTE = 1024 * 1024;
const limits = { buffers: 3, bytes: 8 * MEGABYTE, keepMs: 60_000 };
const filled = (mark: number, length = MEGABYTE): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.allocUnsafeSlow(length).buffer).fill(mark);
const ticks = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

// First: buffers of other tests would be collected meanwhile.
t.test('page memory: freed after the last page, without a collection', async t => {
  const memory = createPageMemory({ ...limits, keepMs: 50 });
  const before = process.memoryUsage().arrayBuffers;
  memory.give(filled(1, 4 * MEGABYTE).buffer);
  memory.give(filled(2, 4 * MEGABYTE).buffer);
  t.ok(process.memoryUsage().arrayBuffers - before >= 7 * MEGABYTE);
  while (process.memoryUsage().arrayBuffers - before > MEGABYTE) await ticks(5);
  memory.give(filled(3, 4 * MEGABYTE).buffer);
  t.ok(process.memoryUsage().arrayBuffers - before >= 3 * MEGABYTE, 'it works again');
  while (process.memoryUsage().arrayBuffers - before > MEGABYTE) await ticks(5);
});

t.test('page memory: a page of the same size has it next, and the old view is empty', t => {
  const memory = createPageMemory(limits);
  const first = filled(7);
  memory.give(first.buffer);
  t.equal(first.length, 0);
  const next = memory.take(MEGABYTE);
  t.equal(next.length, MEGABYTE);
  t.equal(next.buffer.byteLength, MEGABYTE);
  t.ok(next[0] === 7 && next.at(-1) === 7, 'the same memory, not cleared');
  next.fill(8);
  t.not(memory.take(MEGABYTE)[0], 8, 'it is given to one page only');
  t.end();
});

t.test('page memory: another size gets its own', t => {
  const memory = createPageMemory(limits);
  memory.give(filled(7).buffer);
  for (const length of [0, 1, MEGABYTE - 1, MEGABYTE + 1]) {
    const { buffer } = memory.take(length);
    t.equal(buffer.byteLength, length);
  }
  t.equal(memory.take(MEGABYTE)[0], 7, 'and leaves it there');
  t.end();
});

t.test('page memory: of more buffers than it keeps, the newest', t => {
  const memory = createPageMemory(limits);
  for (const mark of [1, 2, 3, 4]) memory.give(filled(mark).buffer);
  t.same(
    Array.from({ length: 3 }, () => memory.take(MEGABYTE)[0]),
    [4, 3, 2],
  );
  t.end();
});

t.test('page memory: no more bytes than its limit', t => {
  const memory = createPageMemory(limits);
  memory.give(filled(1, 4 * MEGABYTE).buffer);
  memory.give(filled(2, 5 * MEGABYTE).buffer);
  t.equal(memory.take(5 * MEGABYTE)[0], 2);
  const huge = filled(3, 9 * MEGABYTE);
  memory.give(filled(4, 6 * MEGABYTE).buffer);
  memory.give(huge.buffer);
  t.equal(huge.length, 0, 'a buffer above the limit is freed');
  t.equal(memory.take(6 * MEGABYTE)[0], 4, 'and costs the others nothing');
  t.end();
});

t.test('page memory: a buffer that was transferred, nothing', t => {
  const memory = createPageMemory(limits);
  const { buffer } = filled(1);
  structuredClone(buffer, { transfer: [buffer] });
  memory.give(buffer);
  memory.give(buffer);
  t.equal(memory.take(MEGABYTE).length, MEGABYTE);
  t.end();
});
