/** The log file of a service: it has what standard error has, also when the service is killed or does not start. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lackingDisks, mountSmallDisk, type SmallDisk } from '@platen/conformance';
import t from 'tap';
import { logged, scan } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { NotStarted } from '../topology/platen.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

interface Line {
  readonly level: number;
  readonly part?: string;
  readonly msg: string;
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Line);
const fileOf = (dataDir: string): Promise<string> => readFile(join(dataDir, 'logs', 'platen.log'), 'utf8');

t.test(
  'log file: the lines of standard error, for its account only; the last of a killed one, and why one did not start',
  async t => {
    const fixture = await topology.start();
    t.teardown(() => fixture.stop());
    await fixture.load('jamming', sheets(1, 2, 3));
    t.equal((await scan(fixture, 'jamming')).status, 500);
    fixture.signal('SIGKILL');
    await fixture.ended;
    const [file, error] = [linesOf(await fileOf(fixture.dataDir)), linesOf(fixture.log())];
    t.ok(error.some(({ msg }) => msg.includes('paper-jam')));
    t.same(
      file.filter(({ msg }) => !/^Platen [\d.]+ listens on https:\/\/localhost:\d+\.$/.test(msg)),
      error,
    );
    t.equal(file.length, error.length + 1, 'and what standard output has');
    if (process.platform !== 'win32')
      t.equal((await stat(join(fixture.dataDir, 'logs', 'platen.log'))).mode & 0o777, 0o600);

    const { port, dataDir } = await start(t, topology, { config: { log: { file: false } } });
    await t.rejects(stat(join(dataDir, 'logs')), { code: 'ENOENT' }, 'false: there is none');

    await t.rejects(topology.start({ port, dataDir: fixture.dataDir }), NotStarted);
    t.match(
      linesOf(await fileOf(fixture.dataDir)).at(-1),
      { level: 50, part: 'service', msg: new RegExp(`${port}`) },
      'why a service did not start',
    );
  },
);

t.test('log file: its folder cannot be used, the service scans and says so once', async t => {
  const fixture = await start(t, topology, { prepare: dir => writeFile(join(dir, 'logs'), '') });
  await fixture.load('duplex', sheets(1, 2));
  t.equal((await scan(fixture, 'duplex')).json.imageCount, 2);
  t.equal(linesOf(fixture.log()).filter(({ msg }) => msg.includes('log.file')).length, 1);
});

t.test('log file: its disk is full, the service scans', { skip: lackingDisks() }, async t => {
  let disk: SmallDisk | undefined;
  const fixture = await topology.start({
    async prepare(dataDir) {
      const logs = join(dataDir, 'logs');
      await mkdir(logs, { mode: 0o700 });
      disk = mountSmallDisk(logs, '16k');
      await disk.fill();
    },
  });
  await fixture.load('duplex', sheets(1, 2));
  t.equal((await scan(fixture, 'duplex')).json.imageCount, 2);
  t.ok(await logged(fixture, /ENOSPC/));
  fixture.signal('SIGTERM');
  t.equal((await fixture.ended).code, 0);
  disk?.unmount();
  await fixture.stop();
});
