/** README: its helper in C works, and its numbers are those of the code. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@platen/conformance';
import t from 'tap';
import { frameLimits } from './frames/frames.js';
import { longDeadline, testHelper } from './helper/helper.test.kit.js';

const room = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const readme = readFileSync(room('README.md'), 'utf8');

void t.test('README: the helper in C compiles and answers as described', async t => {
  if (!needs(t, 'cc')) return;
  const folder = t.testdir();
  const code = /```c\n([\s\S]*?)```/.exec(readme)?.[1];
  writeFileSync(join(folder, 'example.c'), code ?? '');
  const command = join(folder, 'example');
  execFileSync('cc', [
    '-std=c99',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-pthread',
    `-I${room('native')}`,
    join(folder, 'example.c'),
    '-o',
    command,
  ]);
  const helper = testHelper(t, { command });
  const places: unknown[] = [];
  await helper.call(
    'scan',
    { device: 'flatbed:1', lines: 3 },
    { ...longDeadline, onMore: ({ header, data }) => void places.push([header['at'], data.length]) },
  );
  t.strictSame(places, [
    [0, 300],
    [300, 300],
    [600, 300],
  ]);
  await t.rejects(helper.call('scan', {}, longDeadline), { message: '"device" is missing', status: 'INVAL' });
});

void t.test('README: the limits are those of the code', async t => {
  t.equal(frameLimits.headerBytes, 64 * 1024);
  t.equal(frameLimits.dataBytes, 4 * 1024 * 1024);
  t.match(readme, 'A header over 64 KiB or data over 4 MiB is rejected');
  const header = ['helper', 'frames', 'json']
    .map(name => readFileSync(room(`native/platen_${name}.h`), 'utf8'))
    .join('');
  t.match(header, '#define PLATEN_LINE_MAX (64u * 1024)');
  t.match(header, '#define PLATEN_MAX_ARGS 64');
  t.match(header, '#define PLATEN_LEAVE_MS 1500u');
});
