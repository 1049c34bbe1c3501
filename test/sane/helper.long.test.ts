/**
 * SANE's helper dies, was never built, or loses its service: scanned pages are kept, and no process or file is left.
 */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@platen/conformance';
import t from 'tap';
import { get, inksOf, scan, until, untilFed } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { needsSane, saneTopology } from '../topology/saneTopology.js';
import type { Fixture, FixtureOptions, Role } from '../topology/topology.js';
import { helpersOf, isGone, untilStuck } from './processes.js';

const look = { resolution: 75, colorMode: 'Color' } as const;

/** A scan that has scanned sheet 1, and its helper. */
async function underWay(
  fixture: Fixture,
): Promise<{ readonly scanning: ReturnType<typeof scan>; readonly helper: number }> {
  await fixture.load('slow', sheets(3, 1, 2, 4));
  const scanning = scan(fixture, 'slow', look);
  await untilFed(fixture, 'slow');
  const [helper, ...others] = await helpersOf(fixture.pid);
  if (helper === undefined || others.length > 0) throw new Error(`A scan has ${1 + others.length} helpers.`);
  return { scanning, helper };
}

const ends = [
  ['stopped', 'SIGTERM'],
  ['killed', 'SIGKILL'],
] as const;

const faultOf = (dataDir: string, role: Role): string => join(dataDir, 'sane', 'bodies', role, 'fault');

/** A fixture in which this scanner's helper blocks from its next start on. */
const locked = (role: Role, fault: 'LOCKED' | 'LOCKED_ONCE' | 'FROZEN'): FixtureOptions => ({
  config: {
    plugins: [
      { use: '@platen/driver-sane', options: { configDir: 'sane', localOnly: true, silenceSeconds: 10 } },
      { use: '@platen/format-png' },
    ],
  },
  prepare: dataDir => writeFile(faultOf(dataDir, role), `always ${fault}\n`),
});

/** Scans, again if the scanner is not listed yet, until the helper has met its fault. */
async function untilBlocked(fixture: Fixture): Promise<void> {
  const hasMet = async (): Promise<boolean> => !existsSync(faultOf(fixture.dataDir, 'flatbed'));
  while (!(await hasMet())) {
    let over = false;
    const scanning = scan(fixture, 'flatbed', { ...look, imageFormat: 'Png' }).catch(() => undefined);
    void scanning.then(() => (over = true));
    await until(async () => over || (await hasMet()));
  }
}

if (needsSane(t)) {
  t.test('helper: killed during a scan, page 1 and the error; the next scan works', async t => {
    const fixture = await start(t, saneTopology);
    const { scanning, helper } = await underWay(fixture);
    process.kill(helper, 'SIGKILL');
    const { status, json } = await scanning;
    t.equal(status, 500);
    t.match(json, { success: false, status: 'DriverFailed', error: /"Slow feeder".*SIGKILL/, imageCount: 1 });
    t.same(await inksOf(json), [3]);
    const next = await scan(fixture, 'slow', look);
    t.equal(next.status, 200, next.json.message);
    t.same(await inksOf(next.json), [1, 2, 4], 'continues with the first unscanned sheet');
    t.same(await helpersOf(fixture.pid), [], 'no helper remains after the scan');
  });

  for (const [name, signal] of ends) {
    t.test(`helper: its service is ${name} during a scan, it ends too`, async t => {
      const fixture = await saneTopology.start();
      t.teardown(() => fixture.stop());
      const { scanning, helper } = await underWay(fixture);
      scanning.catch(() => undefined);
      fixture.signal(signal);
      const { code } = await fixture.ended;
      t.equal(code, signal === 'SIGTERM' ? 0 : null);
      await until(() => isGone(helper));
      t.pass('the helper has ended');
    });
  }

  t.test('helper: hangs and reads nothing, ends with its service', async t => {
    const fixture = await saneTopology.start();
    t.teardown(() => fixture.stop());
    await fixture.load('hanging', sheets(1, 2));
    scan(fixture, 'hanging', look).catch(() => undefined);
    await untilFed(fixture, 'hanging');
    const helpers = await helpersOf(fixture.pid);
    fixture.signal('SIGKILL');
    await fixture.ended;
    t.equal(helpers.length, 1);
    for (const helper of helpers) await until(() => isGone(helper));
  });

  t.test(
    'helper: cannot start a thread, the scan ends with a code, its paper stays and the next scan works',
    async t => {
      const fixture = await start(t, saneTopology, locked('duplex', 'LOCKED'));
      await fixture.load('duplex', sheets(3, 1));
      const png = { ...look, imageFormat: 'Png' };
      t.match(await scan(fixture, 'duplex', png), {
        status: 504,
        json: { success: false, status: 'Timeout', imageCount: 0 },
      });
      await until(async () => (await helpersOf(fixture.pid)).length === 0);
      t.equal(await fixture.waiting('duplex'), 2);
      await rm(faultOf(fixture.dataDir, 'duplex'));
      const next = await scan(fixture, 'duplex', png);
      t.equal(next.status, 200, next.json.message);
      t.same(await inksOf(next.json), [3, 1]);
    },
  );

  for (const [name, signal] of ends)
    t.test(`helper: cannot start a thread and its service is ${name}, it ends too`, async t => {
      const fixture = await saneTopology.start(locked('flatbed', 'LOCKED_ONCE'));
      t.teardown(() => fixture.stop());
      await untilBlocked(fixture);
      const helpers = await helpersOf(fixture.pid);
      t.equal(helpers.length, 1);
      for (const helper of helpers) await untilStuck(helper);
      fixture.signal(signal);
      await fixture.ended;
      for (const helper of helpers) await until(() => isGone(helper));
    });

  t.test('helper: outlived its service, ended by the next one', async t => {
    const fixture = await saneTopology.start(locked('flatbed', 'FROZEN'));
    t.teardown(() => fixture.stop());
    await untilBlocked(fixture);
    const helpers = await helpersOf(fixture.pid);
    t.equal(helpers.length, 1);
    fixture.signal('SIGKILL');
    await fixture.ended;
    for (const helper of helpers) t.notOk(await isGone(helper), 'it did not notice that its service has ended');
    const next = await start(t, saneTopology, { dataDir: fixture.dataDir });
    for (const helper of helpers) await until(() => isGone(helper));
    t.match(next.log(), /helper of an earlier run/);
  });
}

if (needs(t, 'cc'))
  t.test('helper: missing, the driver logs the fix once and the rest of the service runs', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-unbuilt-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    await installUnbuilt(folder);
    // By path: the name would resolve to the server's copy.
    const plugins = [
      { use: './node_modules/@platen/driver-sane', options: { configDir: 'sane', localOnly: true } },
      { use: '@platen/format-png' },
    ];
    const fixture = await start(t, saneTopology, { folder, config: { plugins } });
    const none = { status: 200, json: { success: true, scanners: [], count: 0 } };
    for (let listing = 0; listing < 2; listing++) {
      t.match(await get(fixture, '/api/twain/scanners'), none);
      await new Promise(resolve => setTimeout(resolve, 1100));
    }
    t.equal((await fixture.request('GET', '/health')).text, 'Healthy');
    t.match(await scan(fixture, 'duplex', look), { status: 404 });
    const lines = fixture
      .log()
      .split('\n')
      .filter(line => /SANE/.test(line));
    t.equal(lines.length, 1, lines.join('\n'));
    t.match(lines[0], /SANE's scanners cannot be used: .*apt-get install libsane1.*npm run build:native/);
  });

interface Manifest {
  readonly exports: { readonly '.': { 'platen-bundle'?: string } };
}

/** The driver's package as it is published, without a built helper. */
async function installUnbuilt(folder: string): Promise<void> {
  const rooms = join(folder, 'node_modules', '@platen');
  const at = (name: string): string => dirname(fileURLToPath(import.meta.resolve(`@platen/${name}/package.json`)));
  await cp(join(at('driver-sane'), 'dist'), join(rooms, 'driver-sane', 'dist'), { recursive: true });
  const manifest = JSON.parse(await readFile(join(at('driver-sane'), 'package.json'), 'utf8')) as Manifest;
  // The bundle is the clone's, and its folder is not copied.
  delete manifest.exports['.']['platen-bundle'];
  await writeFile(join(rooms, 'driver-sane', 'package.json'), JSON.stringify(manifest));
  for (const name of ['core', 'driver-kit']) await symlink(at(name), join(rooms, name));
}
