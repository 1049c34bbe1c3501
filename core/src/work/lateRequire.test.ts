import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { lateRequire } from './lateRequire.js';

const folder = await mkdtemp(join(tmpdir(), 'platen-late-'));
t.teardown(() => rm(folder, { recursive: true }));
const file = join(folder, 'node_modules', 'late', 'index.js');
const from = pathToFileURL(join(folder, 'uses.js')).href;
const loaded = (): boolean => file in createRequire(from).cache;
await mkdir(join(folder, 'node_modules', 'late'), { recursive: true });

t.test('lateRequire: loads at the first call, once', async t => {
  await writeFile(file, 'module.exports = { made: Symbol() };');
  const late = lateRequire<{ made: symbol }>('late', from);
  t.notOk(loaded());
  t.equal(late().made, late().made);
  t.ok(loaded());
});

t.test('lateRequire: a failed load is tried again', async t => {
  delete createRequire(from).cache[file];
  await writeFile(file, 'throw Object.assign(new Error("no"), { code: "EMFILE" });');
  const late = lateRequire<string>('late', from);
  t.throws(late, { code: 'EMFILE' });
  await writeFile(file, 'module.exports = "there";');
  t.equal(late(), 'there');
});

t.test('lateRequire: a package that is not installed, an error at once', async t => {
  t.throws(() => lateRequire('missing', from), { code: 'MODULE_NOT_FOUND' });
});
