/**
 * watchUsb: changes below a folder that replaces /dev/bus/usb. Each step makes its changes in one turn of the event loop, so that
 * the watch is told of all of them before its pause begins.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { watchUsb } from './hotPlug.js';

const skip = process.platform !== 'linux' && 'the driver is for Linux';

t.test('watchUsb: a device comes or goes, also on a new bus, one report for its several changes', { skip }, async t => {
  const folder = t.testdir({ '001': { '001': '' } });
  let changes = 0;
  const end = watchUsb(() => void changes++, folder, 1);
  t.teardown(end);
  const until = async (count: number): Promise<void> => {
    while (changes < count) await pause(5);
    t.equal(changes, count);
  };
  writeFileSync(join(folder, '001', '002'), '');
  writeFileSync(join(folder, '001', '003'), '');
  await until(1);
  rmSync(join(folder, '001', '003'));
  await until(2);
  mkdirSync(join(folder, '002'));
  await until(3);
  writeFileSync(join(folder, '002', '001'), '');
  await until(4);
  rmSync(join(folder, '002'), { recursive: true });
  await until(5);
  end();
  end();
  let others = 0;
  t.teardown(watchUsb(() => void others++, folder, 1));
  writeFileSync(join(folder, '001', '004'), '');
  while (others === 0) await pause(5);
  t.equal(changes, 5, 'none after the end');
});

t.test('watchUsb: no USB, no report', async t => {
  const end = watchUsb(() => t.fail('a change was reported'), join(t.testdir(), 'missing'), 1);
  await pause(50);
  end();
});
