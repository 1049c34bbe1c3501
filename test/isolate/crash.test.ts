/**
 * The process of an isolated driver is killed: the pages that it had scanned are in the answer, and the service keeps
 * running.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { get, inksOf, logged, scan, until, untilFed, type ScanJson, type Typed } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { isolatedTopology as topology } from '../topology/isolatedTopology.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { processes, processOf, untilGone } from './processes.js';

const virtual = '@platen/driver-virtual';
const acme = fileURLToPath(new URL('../../plugins/fixtures/acme-driver/driver.js', import.meta.url));

interface Listed {
  readonly scanners: readonly { readonly name: string; readonly isOnline: boolean }[];
}

/** The virtual scanner for slow sheets, isolated. */
const slowFeeder = (use: string) => ({
  use,
  isolate: true,
  options: { scanners: [{ name: 'Slow feeder', tray: 'trays/slow', resolutions: [75], msPerPage: 600 }] },
});

/** The virtual driver's plugin, whose next process does not load while there is the file `hold`. */
function gated(t: Test): { readonly use: string; hold(): Promise<void>; release(): Promise<void> } {
  const dir = t.testdir({
    'gated.mjs': `
      import { existsSync } from 'node:fs';
      const hold = new URL('./hold', import.meta.url);
      while (existsSync(hold)) await new Promise(resolve => setTimeout(resolve, 20));
      export { default } from ${JSON.stringify(import.meta.resolve(virtual))};`,
  });
  const file = join(dir, 'hold');
  return { use: join(dir, 'gated.mjs'), hold: () => writeFile(file, ''), release: () => rm(file) };
}

// They mostly wait, so they run side by side. tap changes its options argument, so each test needs its own.
t.jobs = 3;
const side = () => ({ buffered: true });

async function online(fixture: Fixture): Promise<Record<string, boolean>> {
  const { json } = await get<Listed>(fixture, '/api/twain/scanners');
  return Object.fromEntries(json.scanners.map(({ name, isOnline }) => [name, isOnline]));
}

async function scanOn(fixture: Fixture, scannerName: string): Promise<Typed<ScanJson>> {
  return (await fixture.request('POST', '/api/twain/scan', {
    body: { scannerName, parameters: { resolution: 100, pageSize: 'A6' } },
  })) as Typed<ScanJson>;
}

async function leavesNothing(t: Test, fixture: Fixture): Promise<void> {
  const first = await processOf(fixture.pid, virtual);
  fixture.signal('SIGTERM');
  t.equal((await fixture.ended).code, 0);
  t.notOk(
    (await processes()).some(({ pid }) => pid === first),
    'it ends before the service',
  );
}

t.test(
  'isolated driver: its pages equal those of a driver in the service, and its process ends with the service',
  side(),
  async t => {
    const answers: ScanJson[] = [];
    for (const each of [virtualTopology, topology]) {
      const fixture = await start(t, each);
      t.equal(
        (await processes()).some(({ parent, command }) => parent === fixture.pid && command.endsWith(` ${virtual}`)),
        each === topology,
      );
      await fixture.load('duplex', [
        { front: 1, back: 2 },
        { front: 3, back: 4 },
      ]);
      const { status, json } = await scan(fixture, 'duplex', {
        resolution: 75,
        colorMode: 'Color',
        duplexMode: 'DuplexLongEdge',
        imageFormat: 'Png',
      });
      t.equal(status, 200);
      answers.push(json);
      if (each === topology) await leavesNothing(t, fixture);
    }
    const [here, there] = answers;
    t.equal(here?.imageCount, 4);
    t.same(there?.images, here?.images);
  },
);

/** The pages so far are delivered, the stream gets an error and ends. */
async function killedInAutoscan(t: Test, fixture: Fixture, use: string): Promise<void> {
  const stack = sheets(1, 2, 3, 4, 5, 6, 7, 1);
  await fixture.load('slow', stack);
  const body = { scannerName: fixture.name('slow'), parameters: { resolution: 75, colorMode: 'Color' } };
  t.equal((await fixture.request('POST', '/api/twain/autoscan/enable', { body })).status, 200);
  const stream = await fixture.events();
  await stream.come(1);
  process.kill(await processOf(fixture.pid, use), 'SIGKILL');
  const events = await stream.ended;
  t.equal(events.at(-1)?.event, 'error');
  t.match(events.at(-1)?.data, { error: /^The scanner Slow feeder is (?:offline\.$|no longer open\. \S)/ });
  t.ok(events.slice(0, -1).every(({ event }) => event === 'image'));
  await until(async () => (await online(fixture))['Slow feeder'] === true);
  t.equal(
    (await fixture.request('POST', '/api/twain/autoscan/enable', { body })).status,
    200,
    'it can be enabled again',
  );
  await fixture.request('POST', '/api/twain/autoscan/disable');
  // The pauses themselves are the supervisor's tests': how long the first process ran decides about the second one.
  const said = /"msg":"The process of the plugin [^\n]*was ended by SIGKILL; restarting in \d s\./g;
  await until(async () => fixture.log().match(said)?.length === 2);
}

t.test(
  'isolated driver: its process is killed during a scan and during auto-scan, and is started again',
  side(),
  async t => {
    const { use, hold, release } = gated(t);
    const plugins = [
      slowFeeder(use),
      { use: acme, options: { feeders: [{ name: 'ACME feeder' }] } },
      { use: '@platen/format-png' },
    ];
    const fixture = await start(t, topology, { config: { plugins } });
    const stack = sheets(1, 2, 3, 4, 5, 6, 7, 1);
    await fixture.load('slow', stack);
    t.same(await online(fixture), { 'Slow feeder': true, 'ACME feeder': true });
    const scanning = scan(fixture, 'slow', { resolution: 75, colorMode: 'Color' });
    await untilFed(fixture, 'slow', 2);
    const killed = await processOf(fixture.pid, use);
    await hold();
    process.kill(killed, 'SIGKILL');
    const { status, json } = await scanning;
    t.equal(status, 500);
    t.match(json, {
      success: false,
      status: 'DriverFailed',
      error: /^The process of the plugin ".*gated\.mjs" was ended by SIGKILL; restarting (?:in 1 s|now)\.$/,
    });
    t.ok(json.imageCount >= 1 && json.imageCount < stack.length, `${json.imageCount} pages`);
    t.same(
      await inksOf(json),
      stack.slice(0, json.imageCount).map(each => each.front),
    );

    const meanwhile = await scan(fixture, 'slow', { resolution: 75 });
    t.equal(meanwhile.status, 500);
    t.match(meanwhile.json, {
      status: 'DeviceOffline',
      error: /restarting in 1 s\.$|restarting now\.$/,
      images: [],
    });
    t.same(await online(fixture), { 'Slow feeder': false, 'ACME feeder': true }, 'while it is away');
    t.match((await get(fixture, '/api/twain/status')).json, { desktopAppConnected: true });
    t.equal((await fixture.request('GET', '/health')).text, 'Healthy');
    t.equal((await scanOn(fixture, 'ACME feeder')).json.imageCount, 2, 'other drivers scan');

    await release();
    await until(async () => (await online(fixture))['Slow feeder'] === true);
    t.not(await processOf(fixture.pid, use), killed);
    const rest = await fixture.waiting('slow');
    t.equal(
      (await scan(fixture, 'slow', { resolution: 75 })).json.imageCount,
      rest,
      'the next scan finds the remaining sheets',
    );
    t.ok(
      await logged(
        fixture,
        /"level":40,[^\n]*"part":"[^"\n]*gated\.mjs"[^\n]*was ended by SIGKILL; restarting in 1 s\./,
      ),
    );
    t.ok(await logged(fixture, /"part":"[^"\n]*gated\.mjs"[^\n]*runs again\./));
    await killedInAutoscan(t, fixture, use);
  },
);

t.test('service is killed: the process of an isolated driver ends', side(), async t => {
  const fixture = await topology.start({ config: { plugins: [slowFeeder(virtual), { use: '@platen/format-png' }] } });
  t.teardown(() => fixture.stop());
  await fixture.load('slow', sheets(1, 2, 3, 4));
  const second = await processOf(fixture.pid, virtual);
  scan(fixture, 'slow', { resolution: 75 }).catch(() => undefined);
  await untilFed(fixture, 'slow');
  fixture.signal('SIGKILL');
  await fixture.ended;
  await untilGone(second);
});

t.test('service is killed: the process of a driver that hangs ends, with its child processes', side(), async t => {
  const dir = t.testdir({
    'hangs.mjs': `
      import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      const device = { id: 'h', name: 'Hanging', manufacturer: '', model: '', online: true, feeder: true, flatbed: false, duplex: false, feeding: 'perSheet' };
      const open = async () => {
        const kin = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
        writeFileSync(new URL('./kin', import.meta.url), String(kin.pid));
        // Blocks without using processor time, which the other tests need.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      };
      const driver = { id: 'hangs', async *devices() { yield device; }, open, close: async () => {} };
      export default { name: 'hangs', api: 1, setup: () => ({ drivers: [driver] }) };`,
  });
  const use = join(dir, 'hangs.mjs');
  const fixture = await topology.start({
    config: { plugins: [{ use, isolate: true }, { use: '@platen/format-png' }] },
  });
  t.teardown(() => fixture.stop());
  const pid = await processOf(fixture.pid, use);
  scanOn(fixture, 'Hanging').catch(() => undefined);
  let kin = 0;
  await until(async () => (kin = Number(await readFile(join(dir, 'kin'), 'utf8').catch(() => ''))) > 0);
  t.ok((await processes()).some(each => each.pid === kin));
  fixture.signal('SIGKILL');
  await fixture.ended;
  await untilGone(pid, kin);
});
