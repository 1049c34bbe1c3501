/**
 * `platen doctor` as an operator runs it: as a separate process, with the service running or not. Each fault that it
 * knows is in server/src/commands/doctor.test.ts.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { refusedStart, start } from '../spec/specTest.js';
import { platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

interface Finding {
  readonly id: string;
  readonly state: string;
  readonly sentence: string;
  readonly remedy?: string;
}

interface Diagnosis {
  readonly code: number | null;
  readonly ok: boolean;
  of(id: string): Finding | undefined;
  /** The checks in this state. */
  which(state: string): string[];
}

async function folderOf(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-doctor-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** @param folder where the service's configuration is */
async function examine(folder: string, dataDir: string, ...args: string[]): Promise<Diagnosis> {
  // No browser databases: the test does not depend on what this computer trusts.
  const { code, out, log } = await platen(['doctor', '--config', join(folder, 'platen.json'), '--json', ...args], {
    env: { PLATEN_DATA_DIR: dataDir, HOME: folder },
  }).ended;
  if (out === '') throw new Error(`platen doctor ended with ${code}: ${log}`);
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
  return {
    code,
    ok,
    of: id => findings.find(each => each.id === id),
    which: state => findings.filter(each => each.state === state).map(({ id }) => id),
  };
}

const well = [
  'configuration',
  'dataFolder',
  'origins',
  'certificate',
  'policies',
  'plugins',
  'gaps',
  'licences',
  'helpers',
  'process',
  'port',
  'root',
  'health',
  'scanners',
  'pluginHealth',
];

const folder = await folderOf(t);
const fixture = await topology.start({ folder });
// The last test kills it.
t.teardown(() => fixture.stop());

t.test("doctor: running service, every check passes except the trust in the test's certificate", async t => {
  await fixture.load('duplex', sheets(1));
  const port = ['--port', String(fixture.port)];
  const { code, ok, of, which } = await examine(folder, fixture.dataDir, ...port, '--scan');
  t.same([code, ok], [1, false]);
  t.same(which('ok'), well);
  t.same(which('failed'), ['trust', 'scan']);
  t.match(of('scan'), { remedy: /Name one of these with --scanner/ });
  t.match(of('trust')?.remedy, /platen cert install/);
  t.equal(of('process')?.sentence, `process ${fixture.pid}`);
  t.match(of('scanners')?.sentence, fixture.name('duplex'));
  t.equal(await fixture.scanned('duplex'), 0, 'no paper moved');

  const scanned = await examine(folder, fixture.dataDir, ...port, '--scan', '--scanner', fixture.name('duplex'));
  t.match(scanned.of('scan'), { state: 'ok', sentence: /1 page, the first one 1700 × 2200 pixels/ });
  t.equal(await fixture.scanned('duplex'), 1);
  t.equal((await fixture.request('GET', '/health')).text, 'Healthy', 'the service continues');
});

t.test(
  'doctor: no scanners, a driver without its helper and a missing plugin, reported; other warnings are not',
  async t => {
    const folder = await folderOf(t);
    const pluginOf = (id: string, body: string): string =>
      `export default { name: '${id}', api: 1, setup({ log }) { ${body} } };`;
    const driver = (id: string): string =>
      `{ id: '${id}', async *devices() {}, open: async () => undefined, close: async () => undefined }`;
    await writeFile(
      join(folder, 'lacking.mjs'),
      pluginOf('lacking', `return { drivers: [${driver('lacking')}], lacks: 'The helper is not built: run "make".' };`),
    );
    await writeFile(
      join(folder, 'chatty.mjs'),
      pluginOf('chatty', `log.warn('the firmware is old'); return { drivers: [${driver('chatty')}] };`),
    );
    const working = [{ use: './lacking.mjs' }, { use: './chatty.mjs' }, { use: '@platen/format-png' }];
    const plugins = [...working, { use: '@acme/platen-driver' }];
    const fixture = await start(t, topology, { folder, config: { plugins } });
    const { of } = await examine(folder, fixture.dataDir, '--port', String(fixture.port));
    t.match(of('plugins'), { state: 'failed', remedy: /"@acme\/platen-driver" is not installed/ });
    t.match(of('scanners'), { state: 'failed', sentence: 'The list is empty.' });
    t.match(of('helpers'), { state: 'failed', remedy: 'The helper is not built: run "make".' });
    t.notMatch(of('helpers')?.sentence, /chatty/);
    await writeFile(join(folder, 'platen.json'), JSON.stringify({ plugins: working }));
    const { code, out } = await platen(['plugins', 'list', '--config', join(folder, 'platen.json')], {
      env: { PLATEN_DATA_DIR: fixture.dataDir },
    }).ended;
    t.equal(code, 0, 'the plugin is still loaded');
    t.match(out, /lacking\.mjs .*helper is not built/);
  },
);

t.test('doctor: text output, one line per check and the exit codes', async t => {
  const { code, out } = await platen(
    ['doctor', '--config', join(folder, 'platen.json'), '--port', String(fixture.port)],
    { env: { PLATEN_DATA_DIR: fixture.dataDir, HOME: folder } },
  ).ended;
  t.equal(code, 1);
  t.match(out, /^✓ GET \/health +Healthy$/m);
  t.match(out, /^✗ Trust +Not trusted in .*\n +→ Run: platen cert install/m);
  t.match(out, /^– Test scan +not requested/m);
  t.match(out, /\n1 check failed\. Fix the first ✗ first\.\n$/);
  t.match(await platen(['doctor', '--help']).ended, { code: 0, out: /Exit codes:/ });
  t.match(await platen(['doctor', '--scanner', 'A']).ended, { code: 2, log: /--scanner belongs to --scan/ });
});

t.test('doctor: a port that is taken, and a service that was killed', async t => {
  const second = await refusedStart(topology, { port: fixture.port });
  t.match(second, { code: 5, log: /another Platen service/ });
  const other = createServer(socket => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  t.teardown(() => other.close());
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  const foreign = await refusedStart(topology, { port: (other.address() as AddressInfo).port });
  t.match(foreign, { code: 5, log: /another program/ });

  fixture.signal('SIGKILL');
  await fixture.ended;
  const gone = await examine(folder, fixture.dataDir, '--port', String(fixture.port));
  t.match(gone.of('process'), { state: 'failed', remedy: 'Start it: platen serve.' });
  t.match(gone.of('port'), { state: 'failed', sentence: `Nothing listens on port ${fixture.port}.` });
  t.same(gone.which('skipped'), ['root', 'health', 'scanners', 'scan']);
});
