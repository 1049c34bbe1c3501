/** Configurations that `platen serve` rejects: one sentence on standard error with the place, and the exit code. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { refusedStart, start } from '../spec/specTest.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

/** One of each kind; server/src/machine/config/read.test.ts has them all. */
const refused: readonly (readonly [what: string, text: string, says: RegExp])[] = [
  ['no JSON', '{ "plugins": [ }', /platen\.json is not valid JSON: .*line 1, column 16/],
  ['an unknown key deep down', '{ "scan": { "inactivity": 5 } }', /scan.*inactivity.*inactivitySeconds/s],
  ['an origin with a slash', '{ "security": { "origins": ["https://a.example/"] } }', /origins\[0\] .*slash/],
  ['a key twice', '{ "security": { "origins": "ask" },\n"security": { "origins": "open" } }', /"security".*line 2/],
];

t.test('configuration: invalid, exit code 3 and a sentence with the file and the place', async t => {
  for (const [what, configText, says] of refused) {
    const { code, log, out } = await refusedStart(topology, { configText });
    t.equal(code, 3, what);
    t.match(log, says, what);
    t.match(log, /^platen serve: /);
    t.notMatch(log, /\n\s+at /, 'no stack');
    t.equal(out, '');
  }
});

const skip = process.platform === 'win32' && 'Windows has no such modes';
t.test('configuration: writable by other accounts, refused', { skip }, async t => {
  const { code, log } = await refusedStart(topology, { configMode: 0o602 });
  t.equal(code, 3);
  t.match(log, /is writable by other accounts.*chmod go-w/);
});

t.test('configuration: unusable data folder, refused', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'platen-folder-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'file');
  await writeFile(file, 'not a folder');
  t.match(await refusedStart(topology, { dataDir: file }), { code: 3, log: /The data folder .*file is not a folder/ });
  t.equal(await readFile(file, 'utf8'), 'not a folder', 'and is left alone');
});

t.test('configuration: readable by others, used; variables override it', async t => {
  const fixture = await start(t, topology, { configMode: 0o644, config: { listen: { port: 1 } } });
  t.not(fixture.port, 1);
  t.equal((await fixture.request('GET', '/')).status, 200);
});
