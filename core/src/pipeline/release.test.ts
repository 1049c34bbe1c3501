/** Freed memory, and memory that is not a page's own. */
import t from 'tap';
import { release } from './release.js';

const BYTES = 4 * 1024 * 1024;

t.test('release: a page’s own buffer, empty afterwards and freed without a collection', async t => {
  const before = process.memoryUsage().arrayBuffers;
  for (let page = 0; page < 20; page++) {
    const data = new Uint8Array(Buffer.allocUnsafeSlow(BYTES).buffer);
    release(data);
    t.equal(data.length, 0);
    await new Promise(resolve => setImmediate(resolve));
  }
  t.ok(process.memoryUsage().arrayBuffers - before < 4 * BYTES);
});

t.test('release: part of a buffer, shared memory or a small buffer, left alone', t => {
  const whole = new Uint8Array(BYTES);
  release(whole.subarray(0, BYTES - 1));
  release(whole.subarray(1));
  const shared = new Uint8Array(new SharedArrayBuffer(BYTES));
  release(shared);
  const short = new Uint8Array(10);
  release(short);
  t.same([whole.length, shared.length, short.length], [BYTES, BYTES, 10]);
  t.end();
});

t.test('release: an already transferred buffer, no error', t => {
  const data = new Uint8Array(BYTES);
  release(data);
  t.doesNotThrow(() => release(data));
  t.end();
});
