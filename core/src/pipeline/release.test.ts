/** Memory for the next page, and memory that is not a page's own. */
import t from 'tap';
import { pageMemory } from '../work/pageMemory.js';
import { release } from './release.js';

const BYTES = 4 * 1024 * 1024;

t.test('release: a page’s own buffer, empty afterwards and the next page’s', t => {
  for (let page = 1; page <= 20; page++) {
    const data = pageMemory.take(BYTES);
    if (page > 1) t.equal(data[0], page - 1);
    data.fill(page);
    release(data);
    t.equal(data.length, 0);
  }
  t.end();
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
