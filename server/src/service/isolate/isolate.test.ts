/** Plugins in real processes, most of them faulty, on clocks of the test's. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeClock, type FakeClock } from '@platen/conformance';
import {
  loadPlugins,
  systemClock,
  type Clock,
  type Device,
  type Driver,
  type Loaded,
  type PluginEntry,
  type ScanEvent,
} from '@platen/core';
import t from 'tap';
import { createVendor } from '../licences/licence.test.kit.js';
import { createIsolate } from './isolate.js';

const acme = createVendor();

/** Blocks the thread without using the processor. */
const block = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

/** A driver with one scanner and extra code. */
const plugin = (setup: string, first = ''): string => `
  import { spawn } from 'node:child_process';
  import { existsSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  ${first}
  const device = id => ({ id, name: id, manufacturer: 'ACME', model: String(process.pid), online: true, feeder: true, flatbed: false, duplex: false, feeding: 'perSheet' });
  const driver = (id, more) => ({ id, async *devices() { yield device('flat'); }, open: async () => { throw new Error('no'); }, close: async () => {}, ...more });
  export default { name: 'acme', api: 1, optionsSchema: { type: 'object' }, setup({ options, log, dataDir }) { ${setup} } };`;

const dir = t.testdir({
  'good.mjs': plugin(`return { drivers: [driver('good')] }`),
  'two.mjs': plugin(`return { drivers: [driver('a'), driver('b')] }`),
  'talks.mjs': plugin(`
    log.info('hello from there'); log.error('and a mistake'); log.debug('a detail');
    console.log('printed'); process.stdout.write('x'.repeat(100_000) + '\\n'); console.error('to stderr');
    process.send?.({ ready: true }); process.send?.('log'); process.send?.({ log: 'fatal', message: 'no level' }); process.send?.({ fatal: 7 });
    return { drivers: [driver('talks')] }`),
  'format.mjs': plugin(
    `return { drivers: [driver('good')], formats: [{ name: 'Png', aliases: [], mimeType: 'image/png', encode() {} }] }`,
  ),
  'none.mjs': plugin(`return {}`),
  'linked.mjs': plugin(`return { drivers: [driver('far', { link: { peer: undefined, onChange: () => () => {} } })] }`),
  'premium.mjs': plugin(`return { drivers: [driver('premium')] }`).replace(
    'api: 1,',
    `api: 1, premium: { publicKey: ${JSON.stringify(acme.publicKey)} },`,
  ),
  'exits.mjs': plugin('', `process.exit(3);`),
  'dies.mjs': plugin('', `process.kill(process.pid, 'SIGSEGV'); await new Promise(() => {});`),
  'loops.mjs': plugin('', block),
  'later.mjs': plugin(
    `const fail = () => { throw new Error('boom, as ever\\nand more'); };
    const mark = join(dataDir, 'failed');
    if (existsSync(mark)) setTimeout(fail, 30);
    log.warn('here I am');
    return { drivers: [driver('later', { async *devices() { writeFileSync(mark, ''); setTimeout(fail, 0); yield device('flat'); } })] }`,
  ),
  'rejects.mjs': plugin(
    `return { drivers: [driver('rejects', { async *devices() { yield device('flat'); void Promise.reject(new Error('nobody caught this')); } })] }`,
  ),
  'hangs.mjs': plugin(`return { drivers: [driver('hangs', { open: async () => { ${block} } })] }`),
  'tells.mjs': plugin(`
    let pages = 0;
    const givenUp = signal => new Promise(end => signal.addEventListener('abort', () => end(writeFileSync(join(dataDir, 'given-up'), ''))));
    return { drivers: [driver('tells')],
      follow(event) { if (event.event === 'scan-ended') pages += event.pages; if (event.code) throw new Error('no word for ' + event.code); },
      async health({ signal }) {
        if (options.exits) process.exit(3);
        if (options.hangs) await givenUp(signal);
        if (options.throws) throw new Error('the counter cannot be read');
        return { state: 'warning', sentence: 'The rollers are worn.', facts: [{ name: 'pages_total', value: pages }] };
      } }`),
  'family.mjs': plugin(`
    const kin = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    writeFileSync(join(dataDir, 'kin'), String(kin.pid));
    return { drivers: [driver('family')] }`),
});

/** A clock this many times as fast as the system's. */
const faster = (times: number): Clock => ({
  now: () => systemClock.now() * times,
  monotonic: () => systemClock.monotonic() * times,
  after: (ms, callback) => systemClock.after(ms / times, callback),
});

/** Shortens grown pauses; other limits stay, for busy computers. */
const briefPauses: Clock = {
  ...systemClock,
  after: (ms, callback) => systemClock.after([2, 4, 8, 16, 30].includes(ms / 1000) ? ms / 40 : ms, callback),
};

interface Run extends Loaded {
  readonly lines: string[];
  readonly driver: Driver;
}

async function load(
  name: string,
  { clock = systemClock, ...more }: Partial<PluginEntry> & { clock?: Clock } = {},
): Promise<Run> {
  const lines: string[] = [];
  const say =
    (plugin: string, level: string) =>
    (message: string): void =>
      void lines.push(`${plugin} ${level} ${message}`);
  const log = (plugin: string) => ({
    debug: say(plugin, 'debug'),
    info: say(plugin, 'info'),
    warn: say(plugin, 'warn'),
    error: say(plugin, 'error'),
  });
  const entries = [{ use: `./${name}.mjs`, enabled: true, required: false, isolate: true, ...more }];
  const loaded = await loadPlugins({
    entries,
    folders: [dir],
    dataDir: dir,
    log,
    isolate: createIsolate({ clock }),
    clock,
  });
  t.teardown(() => loaded.registry.close());
  return { ...loaded, lines, driver: loaded.registry.drivers[0]! };
}

async function list({ driver }: Run): Promise<Device[]> {
  const found: Device[] = [];
  for await (const device of driver.devices({ signal: new AbortController().signal })) found.push(device);
  return found;
}

/** The id of the driver's process. */
async function pidOf(run: Run): Promise<number> {
  const [device] = await list(run);
  return device?.online === true ? Number(device.model) : NaN;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(resolve => setTimeout(resolve, 20));
}

function lives(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z');
  } catch {
    return false;
  }
}

const call = () => ({ signal: new AbortController().signal });
const again = (pid: number, run: Run) =>
  until(async () => !Number.isNaN(await pidOf(run)) && (await pidOf(run)) !== pid);

t.test('isolate: the driver runs in another process, which ends when the driver is closed', async t => {
  const run = await load('good');
  const { optionsSchema, ...report } = run.reports[0]!;
  t.same(report, { use: './good.mjs', state: 'loaded', provides: [{ kind: 'driver', id: 'good' }] });
  t.same(optionsSchema, { type: 'object' }, 'of its own code');
  t.equal(run.driver.id, 'good');
  const pid = await pidOf(run);
  t.not(pid, process.pid);
  t.ok(lives(pid));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pid, signal);
  t.equal(await pidOf(run), pid, "signals are the service's to heed");
  await run.registry.close();
  t.notOk(lives(pid));
  t.same(
    run.lines.filter(line => !line.includes(' debug ')),
    [],
  );
});

t.test('isolate: several drivers of a plugin become one', async t => {
  const run = await load('two');
  t.match(run.reports, [
    {
      provides: [
        { kind: 'driver', id: 'a' },
        { kind: 'driver', id: 'b' },
      ],
    },
  ]);
  t.same((await list(run)).map(({ id }) => id).sort(), ['a/flat', 'b/flat']);
});

t.test("isolate: the plugin's log appears under its name, its output at level debug", async t => {
  const run = await load('talks');
  t.equal(Number.isNaN(await pidOf(run)), false, 'its drivers have a stream of their own');
  await until(
    () => run.lines.some(line => line.endsWith('to stderr')) && run.lines.some(line => line.endsWith('printed')),
  );
  for (const line of [
    'info hello from there',
    'error and a mistake',
    'debug a detail',
    'debug printed',
    'debug to stderr',
  ])
    t.ok(run.lines.includes(`./talks.mjs ${line}`), line);
  t.notOk(run.lines.some(line => line.includes('no level')));
});

const notIsolated = (use: string, why: string) =>
  `The plugin "./${use}.mjs" cannot run in its own process (${why}). Remove "isolate" from its entry in the configuration.`;
const unloaded = (use: string, why: string) => new RegExp(`^The plugin "\\./${use}\\.mjs" .*\\(it ${why}\\)\\.`);

/** Those that a plugin in the service has too are in test/plugins/samePlace.test.ts. */
const refusals: Readonly<Record<string, { use?: string; clock?: Clock; sentence: string | RegExp }>> = {
  'also a format': { use: 'format', sentence: notIsolated('format', 'only drivers can, and it provides format Png') },
  'no driver': { use: 'none', sentence: notIsolated('none', 'only drivers can, and it provides none') },
  'a driver with a link': {
    use: 'linked',
    sentence: notIsolated('linked', 'its driver far already reaches scanners of another process'),
  },
  'an import that exits': { use: 'exits', sentence: unloaded('exits', 'ended with code 3') },
  'an import that crashes': { use: 'dies', sentence: unloaded('dies', 'was ended by SIGSEGV') },
  'an import that hangs': {
    use: 'loops',
    clock: faster(20),
    sentence: unloaded('loops', 'was not ready after 40 s and was killed'),
  },
};

for (const [name, { use = '', sentence, ...more }] of Object.entries(refusals)) {
  t.test(`isolate: rejected with one sentence, ${name}`, async t => {
    const run = await load(use, more);
    t.match(run.reports, [{ state: 'refused', sentence, provides: [] }]);
    t.same(
      run.lines.filter(line => !line.includes(' debug ')),
      [`./${use}.mjs error ${run.reports[0]?.sentence}`],
    );
  });
}

t.test('isolate: a premium plugin is licensed in its process', async t => {
  const [without, licensed] = [
    await load('premium'),
    await load('premium', { licence: await acme.licence({ aud: 'acme' }) }),
  ];
  t.match(without.reports, [{ state: 'unlicensed', sentence: /\(there is no licence for it\)/ }]);
  t.same(licensed.reports[0]?.entitlement, { customer: 'Acme Clinic', expires: new Date('2100-01-01T00:00:00Z') });
  t.equal((await list(licensed)).length, 1);
});

t.test('isolate: a crash loop is logged up to the longest pause', async t => {
  const run = await load('later', { clock: briefPauses });
  // The first process fails when it is asked, and those that follow by themselves.
  await list(run).catch(() => undefined);
  await until(() => run.lines.some(line => line.includes('no further warnings')));
  const its = './later.mjs warn The process of the plugin "./later.mjs" failed: boom, as ever; restarting';
  t.same(
    run.lines.filter(line => line.includes('failed')),
    [
      ...[1, 2, 4, 8, 16].map(pause => `${its} in ${pause} s.`),
      `${its} every 30 s, with no further warnings until it is stable.`,
    ],
  );
  const heard = run.lines.filter(line => line.includes('here I am')).length;
  const before = run.lines.length;
  await until(() => run.lines.filter(line => line.includes('here I am')).length > heard);
  t.same(
    run.lines.slice(before).filter(line => !line.includes(' debug ')),
    [],
    'nor is what it says itself',
  );
});

t.test('isolate: an unhandled rejection ends the process, and is logged', async t => {
  const run = await load('rejects');
  await list(run);
  await until(() =>
    run.lines.some(line =>
      line.endsWith('warn The process of the plugin "./rejects.mjs" failed: nobody caught this; restarting in 1 s.'),
    ),
  );
  t.ok(true);
});

t.test('isolate: a suspended process and a blocked event loop are killed and restarted', async t => {
  const clocks = [fakeClock(), fakeClock()] as const;
  const [stopped, blocked] = await Promise.all([
    load('good', { clock: clocks[0] }),
    load('hangs', { clock: clocks[1] }),
  ]);
  const [first, second] = [await pidOf(stopped), await pidOf(blocked)];
  process.kill(first, 'SIGSTOP');
  const opening = blocked.driver.open('flat', call());
  const message =
    /^The process of the plugin "\.\/hangs\.mjs" did not answer for 15 s and was killed; restarting in \d s\.$/;
  /** Its clock goes on until it was killed and its pause is over; the next process has all the time that it needs. */
  const killed = async (run: Run, clock: FakeClock): Promise<void> => {
    const isKilled = () =>
      run.lines.some(line => line.includes('did not answer for 15 s and was killed; restarting in 1 s'));
    await until(async () => isKilled() || (await clock.advance(1000), false));
    await clock.advance(1000);
  };
  await Promise.all([
    t.rejects(opening, { code: 'driver-failed', message }),
    killed(stopped, clocks[0]),
    killed(blocked, clocks[1]),
  ]);
  await Promise.all([again(first, stopped), again(second, blocked)]);
  t.notOk(lives(first));
  t.notOk(lives(second));
});

t.test("isolate: the plugin's child processes end with it, on a kill and on close", async t => {
  const run = await load('family');
  const kin = (): number => Number(readFileSync(join(dir, 'kin'), 'utf8'));
  const first = kin();
  const pid = await pidOf(run);
  t.ok(lives(first));
  process.kill(pid, 'SIGKILL');
  await again(pid, run);
  // SIGKILL was sent to the group; the system may take a moment to end its members.
  await until(() => !lives(first));
  const second = kin();
  t.not(second, first);
  t.ok(lives(second));
  await run.registry.close();
  await until(() => !lives(second));
});

const ended = (pages: number, code?: 'paper-jam'): ScanEvent => ({
  ...{ event: 'scan-ended', scan: 'a', at: 0, pages, seconds: 1 },
  ...(code && { code }),
});

t.test('isolate: its health and its followers are called in its process', async t => {
  const { registry } = await load('tells');
  const {
    healthSources: [source],
    followers: [follower],
  } = registry;
  await follower!.follow(ended(3));
  await t.rejects(Promise.resolve(follower!.follow(ended(1, 'paper-jam'))), { message: 'no word for paper-jam' });
  t.strictSame(await source!.health(call()), {
    state: 'warning',
    sentence: 'The rollers are worn.',
    facts: [{ name: 'pages_total', value: 4 }],
  });
  t.strictSame(source!.drivers, registry.drivers);
});

t.test('isolate: a plugin that tells no health and follows nothing', async t => {
  const { registry } = await load('good');
  t.strictSame([registry.healthSources, registry.followers], [[], []]);
});

t.test('isolate: a health that throws, hangs, or ends the process', async t => {
  const healthOf = (run: Run) => (signal: AbortSignal) => run.registry.healthSources[0]!.health({ signal });
  const throwing = healthOf(await load('tells', { options: { throws: true } }));
  await t.rejects(Promise.resolve(throwing(call().signal)), { message: 'the counter cannot be read' });

  const run = await load('tells', { options: { hangs: true } });
  const end = new AbortController();
  const hanging = healthOf(run)(end.signal);
  t.ok((await pidOf(run)) > 0, 'its driver answers meanwhile');
  end.abort();
  t.match(await hanging, { state: 'warning' });
  t.ok(existsSync(join(dir, 'given-up')), 'the plugin was told that nobody waits');

  const dying = await load('tells', { options: { exits: true } });
  await t.rejects(Promise.resolve(healthOf(dying)(call().signal)), { message: /exit code 3|code 3/ });
  await t.rejects(Promise.resolve(healthOf(dying)(call().signal)), { message: /The process of the plugin .*code 3/ });
});
