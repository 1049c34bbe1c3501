/** Readers of auto-scan's pages that return with a damaged Last-Event-ID: no page is lost, none comes out of order. */
import { damaged, fuzzed } from '@platen/conformance/fuzz';
import * as fc from 'fast-check';
import t from 'tap';
import { box, take } from './outbox.test.kit.js';

const RUNS = 500;
const ids = ['7-1', '7-12', '7-0', '70-1', '7--1', '7-1.5', '7-1e3', '7-9007199254740993', '8-3', '-', ''];
const id = fc.oneof(
  damaged(ids.map(each => Buffer.from(each))).map(bytes => bytes.toString('latin1')),
  fc.nat(40).map(n => `7-${n}`),
);

t.test('read: after any id, the pages that nobody got, in order', async () => {
  const walk = fc.record({ id, before: fc.integer({ min: 1, max: 30 }), taken: fc.nat(30) });
  await fc.assert(
    fc.asyncProperty(walk, async ({ id, before, taken }) => {
      const { outbox, put } = box(1000);
      for (let n = 1; n <= before; n++) put(String(n));
      const given = Math.min(taken, before);
      const first = outbox.read();
      await take(first, given);
      first.leave();
      const reader = outbox.read(id);
      put(String(before + 1));
      let last: number | undefined;
      while (last !== before + 1) {
        const { done, value } = await reader.events.next();
        if (done) throw new Error('the events ended');
        if (value.kind === 'end') {
          // The pages that the id says it lacks are no longer kept: it is told where they end.
          if (value.id === undefined || last !== undefined) throw new Error(`${value.end.event} after ${last}`);
          last = Number(value.id.slice(2));
          if (last > given) throw new Error(`page ${last} was given to nobody, and is said to be lost`);
          const [next] = await take(outbox.read(value.id), 1);
          if (next !== `7-${last + 1} ${last + 1}`) throw new Error(`${next} follows ${value.id}`);
          return;
        }
        const n = Number(value.item.value);
        if (last === undefined ? n > given + 1 : n !== last + 1) throw new Error(`page ${n} follows page ${last}`);
        last = n;
      }
    }),
    fuzzed(RUNS),
  );
});
