/** Memory that comes back after the start and after scans. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { createMemoryRelease } from './releaseMemory.js';

t.test('memory release: once after a burst, again after the next, never after its stop', async t => {
  let collected = 0;
  let told = (): void => undefined;
  const next = (): Promise<void> => new Promise(resolve => (told = resolve));
  const memory = createMemoryRelease(50, async () => {
    collected++;
    told();
    throw new Error('Node has no inspector');
  });
  let isOver = next();
  for (let scan = 0; scan < 3; scan++) memory.soon();
  await Promise.all([isOver, pause(300)]);
  t.equal(collected, 1);
  isOver = next();
  memory.soon();
  await Promise.all([isOver, pause(300)]);
  t.equal(collected, 2);
  memory.soon();
  memory.stop();
  memory.soon();
  await pause(150);
  t.equal(collected, 2);
});

t.test('memory release: garbage goes without an allocation', async t => {
  const memory = createMemoryRelease(1);
  const held = new WeakRef(Buffer.alloc(1024 * 1024));
  // Again each time: a look keeps it until its turn of the event loop is over.
  while (held.deref()) {
    memory.soon();
    await pause(20);
  }
  memory.stop();
  t.pass('it is gone');
});
