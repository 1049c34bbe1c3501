/** Known scanners are kept in a file; an invalid file costs only one search. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Device } from '@platen/core';
import { openDeviceMemory } from './deviceMemory.js';

const desk: Device = {
  id: '1',
  name: 'Desk',
  manufacturer: 'M',
  model: 'X',
  online: true,
  feeder: true,
  flatbed: false,
  duplex: false,
  feeding: 'perSheet',
  identities: ['uuid:1'],
};

function logged() {
  const warnings: string[] = [];
  const quiet = (): void => undefined;
  return {
    warnings,
    log: { debug: quiet, info: quiet, error: quiet, warn: (message: string) => void warnings.push(message) },
  };
}

t.test('device memory: the next run has the kept scanners, in a private file, without removed ones', async t => {
  const dir = t.testdir();
  const { log, warnings } = logged();
  const first = await openDeviceMemory(dir, log);
  t.equal(first.remembered.size, 0);
  first.keep(
    new Map([
      ['sane', [desk]],
      ['escl', [desk]],
    ]),
  );
  first.keep(
    new Map([
      ['sane', [desk, { ...desk, id: '2' }]],
      ['escl', []],
    ]),
  );
  await first.close();
  t.same([...(await openDeviceMemory(dir, log)).remembered], [['sane', [desk, { ...desk, id: '2' }]]]);
  if (process.platform !== 'win32') t.equal((await stat(join(dir, 'scanners.json'))).mode & 0o777, 0o600);
  t.same(warnings, []);
});

t.test('device memory: a damaged file is logged and rewritten', async t => {
  for (const text of ['', '{', '[]', 'null', '{"sane":3}', '{"sane":[{"id":5},null,"x"]}']) {
    const dir = t.testdir();
    const file = join(dir, 'scanners.json');
    await writeFile(file, text);
    const { log, warnings } = logged();
    const memory = await openDeviceMemory(dir, log);
    t.same([...memory.remembered.values()].flat(), [], text);
    t.ok(warnings.every(each => each.includes('scanners.json')));
    memory.keep(new Map([['sane', [desk]]]));
    await memory.close();
    t.match(JSON.parse(await readFile(file, 'utf8')), { sane: [{ id: '1' }] });
  }
});

t.test('device memory: an unwritable folder is logged', async t => {
  const { log, warnings } = logged();
  const memory = await openDeviceMemory(join(t.testdir(), 'nowhere'), log);
  memory.keep(new Map([['sane', [desk]]]));
  await memory.close();
  t.equal(warnings.length, 1);
});
