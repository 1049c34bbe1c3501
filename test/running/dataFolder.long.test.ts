/** One service on one data folder; any number beside each other on their own. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { scan } from '../spec/calls.js';
import { refusedStart, start } from '../spec/specTest.js';
import { platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

t.test('data folder: second service on the same one, refused and the first goes on', async t => {
  const fixture = await start(t, topology);
  const { code, log } = await refusedStart(topology, { dataDir: fixture.dataDir });
  t.equal(code, 6);
  t.match(log, /data folder .* in use by another service \(process \d+\)/);
  await fixture.load('duplex', sheets(1));
  t.equal((await scan(fixture, 'duplex', { resolution: 75 })).status, 200);
});

t.test('data folder: service killed, the next one starts', async t => {
  const killed = await topology.start();
  t.teardown(() => killed.stop());
  await writeFile(join(killed.dataDir, 'spool', randomUUID()), 'document');
  killed.signal('SIGKILL');
  t.equal((await killed.ended).code, null);
  const fixture = await start(t, topology, { dataDir: killed.dataDir });
  t.equal((await scan(fixture, 'flatbed', { resolution: 75 })).status, 200);
  t.same(await readdir(join(fixture.dataDir, 'spool')), [], 'its pages are gone');
});

t.test('data folder: two services with their own folders and ports, both run', async t => {
  const [one, other] = [await start(t, topology), await start(t, topology)];
  t.not(one.port, other.port);
  await one.load('duplex', sheets(1, 2));
  await other.load('duplex', sheets(3));
  const [first, second] = await Promise.all([
    scan(one, 'duplex', { resolution: 75 }),
    scan(other, 'duplex', { resolution: 75 }),
  ]);
  t.equal(first.json.imageCount, 2);
  t.equal(second.json.imageCount, 1);
});

const skip = process.platform === 'win32' && 'Windows has no such modes';
t.test('data folder: files and folders, readable by their owner only', { skip }, async t => {
  const fixture = await start(t, topology);
  const modeOf = async (...path: string[]): Promise<number> =>
    (await stat(join(fixture.dataDir, ...path))).mode & 0o777;
  t.equal(await modeOf(), 0o700);
  t.equal(await modeOf('spool'), 0o700);
  t.equal(await modeOf('certificate'), 0o700);
  t.equal(await modeOf('certificate', 'key.pem'), 0o600);
  t.match(await readFile(join(fixture.dataDir, 'certificate', 'cert.pem'), 'utf8'), /BEGIN CERTIFICATE/);
});

t.test('data folder: another program’s folder, every command refuses it and changes nothing', { skip }, async t => {
  const own = await mkdtemp(join(tmpdir(), 'platen-mistake-'));
  t.teardown(() => rm(own, { recursive: true, force: true }));
  const config = join(own, 'platen.json');
  await writeFile(
    config,
    JSON.stringify({
      plugins: [{ use: '@platen/driver-virtual', options: { scanners: [{ name: 'Feeder', feeder: true }] } }],
    }),
    { mode: 0o600 },
  );
  // As /var and a home folder are, and a page's name among what is not Platen's.
  const page = join('spool', randomUUID());
  const shapes = {
    var: [0o755, ['spool/cron/crontabs/root', 'spool/mail/alice', 'lib/x']],
    home: [0o700, ['thesis.odt', page, 'certificate/theirs.pem']],
    open: [0o755, [page]],
  } as const;
  for (const [name, [mode, files]] of Object.entries(shapes)) {
    const dir = join(own, name);
    for (const file of files) {
      await mkdir(dirname(join(dir, file)), { recursive: true });
      await writeFile(join(dir, file), 'theirs');
    }
    await chmod(dir, mode);
    const before = await readdir(dir, { recursive: true });
    for (const args of [
      ['serve'],
      ['scan', '--list'],
      ['plugins', 'list'],
      ['host'],
      ['cert', 'install', '--no-trust'],
      ['cert', 'remove'],
    ]) {
      const { code, log, out } = await platen(args, {
        env: { PLATEN_DATA_DIR: dir, ...(args[0] === 'cert' ? {} : { PLATEN_CONFIG: config }), PLATEN_PORT: '0' },
      }).ended;
      t.equal(code, 3, `${name}: ${args.join(' ')}`);
      t.match(log, /^platen \w+: The data folder .* not Platen's.*PLATEN_DATA_DIR/);
      t.equal(out, '');
    }
    t.equal((await platen(['doctor'], { env: { PLATEN_DATA_DIR: dir, PLATEN_CONFIG: config } }).ended).code, 1);
    t.same(await readdir(dir, { recursive: true }), before, name);
    t.equal((await stat(dir)).mode & 0o777, mode, name);
  }
});

t.test('data folder: the spool is a link, not followed', { skip }, async t => {
  const victim = await mkdtemp(join(tmpdir(), 'platen-victim-'));
  t.teardown(() => rm(victim, { recursive: true, force: true }));
  const name = randomUUID();
  await writeFile(join(victim, name), 'theirs');
  const prepare = (dataDir: string): Promise<void> => symlink(victim, join(dataDir, 'spool'));
  t.match(await refusedStart(topology, { prepare }), { code: 3, log: /spool is a link/ });
  t.same(await readdir(victim), [name]);
});
