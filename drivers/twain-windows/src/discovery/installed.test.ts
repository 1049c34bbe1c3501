import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { watchInstalled } from './installed.js';

t.test('watchInstalled: a source is added, updated or removed, calls back; other files do not', async t => {
  const folder = t.testdir({ 'a.ds': 'a', vendor: { 'b.ds': 'b' } });
  let told = 0;
  t.teardown(watchInstalled([folder, join(folder, 'missing')], () => told++, 20));
  /** Repeats the change until it is reported: a watch may begin a moment later. */
  const telling = async (change: () => Promise<unknown>): Promise<void> => {
    for (const before = told; told === before; await pause(100)) await change();
  };
  let copies = 0;
  await telling(() => writeFile(join(folder, 'vendor', `${copies++}.DS`), ''));
  await telling(() => appendFile(join(folder, 'vendor', 'b.ds'), 'b'));
  await pause(1000);
  const before = told;
  for (let i = 0; i < 10; i++) {
    await appendFile(join(folder, 'vendor', 'scan.log'), 'page');
    await pause(50);
  }
  t.equal(told, before);
  await mkdir(join(folder, 'other'));
  await telling(async () => {
    await writeFile(join(folder, 'c.ds'), '');
    await pause(100);
    await rm(join(folder, 'c.ds'));
  });
});
