/** When tests start the service from the bundle. */
import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { statSync } from 'node:fs';
import t from 'tap';
import { isCurrent } from './serviceBundle.js';

t.test('service bundle: only as long as each file that it was made from is the same', async t => {
  const dir = t.testdir({ core: { 'a.js': 'a', 'b.js': 'b' }, server: { bundle: {} } });
  const [a, b] = [join(dir, 'core', 'a.js'), join(dir, 'core', 'b.js')];
  const state = (file: string): string => `${statSync(file).mtimeMs} ${statSync(file).size}`;
  const record = join(dir, 'server', 'bundle', 'inputs.json');
  const make = (root: string) =>
    writeFile(record, JSON.stringify({ root, inputs: { 'core/a.js': state(a), 'core/b.js': state(b) } }));
  t.notOk(isCurrent(dir), 'there is none');
  await make(dir);
  t.ok(isCurrent(dir));
  await utimes(b, 1, 1);
  t.notOk(isCurrent(dir), 'a file was compiled again');
  await make(dir);
  t.ok(isCurrent(dir));
  await rm(a);
  t.notOk(isCurrent(dir), 'a file is gone');
  await writeFile(a, 'a');
  await make(join(dir, 'elsewhere'));
  t.notOk(isCurrent(dir), 'the clone was moved');
});
