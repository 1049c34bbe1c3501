/**
 * Broken plugins in one configuration: each is skipped with one message that contains the fix, and the others work.
 */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { scan } from '../spec/calls.js';
import { refusedStart, start } from '../spec/specTest.js';
import { platen } from '../topology/platen.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

interface Entry {
  readonly use: string;
  readonly options?: object;
  readonly on?: readonly string[];
  readonly enabled?: boolean;
}

const virtual = {
  use: '@platen/driver-virtual',
  options: { scanners: [{ name: 'Glas & Söhne 50% A/B?', feeder: false, flatbed: true }] },
};
const good: readonly Entry[] = [virtual, { use: '@platen/format-png' }, { use: '@platen/document-tiff' }];

const folder = fileURLToPath(new URL('../../plugins/fixtures/broken/', import.meta.url));
const brokenPlugin = (name: string): string => join(folder, name);

/** The fault, and what its message contains. */
const wrong: readonly (Entry & { readonly says: RegExp })[] = [
  { use: '@nobody/platen-missing', says: /not installed.*platen plugins add @nobody\/platen-missing/ },
  { use: './nowhere', says: /there is no .*nowhere.*path/ },
  { use: brokenPlugin('throws-on-import'), says: /could not be imported.*libacme\.so\.2/ },
  { use: brokenPlugin('no-default-export'), says: /default export/ },
  { use: brokenPlugin('not-a-plugin'), says: /default export/ },
  { use: brokenPlugin('wrong-api'), says: /api 2.*api 1/ },
  { use: brokenPlugin('bad-schema'), says: /schema/ },
  { use: brokenPlugin('takes-no-options'), options: { quality: 5 }, says: /"options\.quality"/ },
  { use: brokenPlugin('strict-options'), options: { count: 0 }, says: /options\.count/ },
  { use: brokenPlugin('throws-in-setup'), says: /no licence was found/ },
  { use: brokenPlugin('returns-nonsense'), says: /drivers\[0\]/ },
  { use: brokenPlugin('misspelt-contribution'), says: /driver/ },
  { use: brokenPlugin('duplicate-driver'), says: /the driver virtual/ },
  { use: brokenPlugin('duplicate-format'), says: /the format Png/ },
  { use: brokenPlugin('duplicate-document'), says: /the document format tif/ },
  {
    use: '@platen/driver-virtual',
    options: { scanners: [{ name: 'B', feeder: 'yes' }] },
    says: /options\.scanners\[0\]\.feeder/,
  },
];
const broken: readonly Entry[] = wrong.map(({ says: _, ...entry }) => entry);

/** Plugins for other systems, which is not a fault. */
const skipped: readonly Entry[] = [
  { use: brokenPlugin('other-platform') },
  { use: '@platen/format-tiff', on: ['aix'] },
  { use: brokenPlugin('tells-of-import'), enabled: false },
];

/** Tested in core, with an injected clock or a second recogniser. */
const elsewhere = ['setup-never-ends', 'duplicate-recogniser'];

const config = { plugins: [...broken.slice(0, 4), ...good, ...broken.slice(4), ...skipped] };

/** The fix, by the integrator or by the vendor. */
const repair = /install|correct|disable|vendor|take it out|must be/i;

t.test('broken plugins: every fixture has a case here', async t => {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter(each => each.isDirectory())
    .map(each => each.name);
  const tried = [...broken, ...skipped].map(each => basename(each.use));
  t.same(
    names.filter(name => !tried.includes(name) && !elsewhere.includes(name)),
    [],
  );
});

t.test('broken plugins: the service logs one message for each and scans with the others', async t => {
  const fixture = await start(t, topology, { config });
  const lines = fixture
    .log()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { level: number; part?: string; msg: string });
  for (const { use } of broken) {
    const errors = lines.filter(line => line.part === use && line.level >= 50);
    const entries = broken.filter(each => each.use === use).length;
    t.equal(errors.length, entries, `${use}: one message per entry`);
    for (const { msg } of errors) {
      t.ok(msg.includes(use) && !msg.includes('\n'), msg);
      t.match(msg, repair);
      t.notMatch(msg, /\bat .*\.js:\d+/, 'no stack');
    }
  }
  for (const { use, says } of wrong)
    t.ok(
      lines.some(line => line.part === use && says.test(line.msg)),
      `${use}: ${String(says)}`,
    );
  for (const { use } of skipped)
    t.notOk(
      lines.some(line => line.part === use && line.level >= 40),
      `${use} is not a fault`,
    );
  t.equal((await scan(fixture, 'flatbed', { resolution: 75 })).status, 200);
  t.equal((await fixture.request('GET', '/health')).text, 'Healthy');
});

t.test('platen plugins list: broken plugins, the state of each and exit code 1', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'platen-broken-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'platen.json');
  const list = async (plugins: readonly Entry[], ...flags: string[]) => {
    await writeFile(file, JSON.stringify({ plugins }), { mode: 0o600 });
    return platen(['plugins', 'list', '--config', file, ...flags], { env: { PLATEN_DATA_DIR: join(dir, 'data') } })
      .ended;
  };
  const { code, out } = await list(config.plugins);
  t.equal(code, 1);
  const lines = out.trimEnd().split('\n');
  t.equal(lines.length, config.plugins.length, 'one line per plugin');
  config.plugins.forEach(({ use }, at) =>
    t.ok(lines[at]?.includes(use), `${at + 1}: ${use}, in the configuration's order`),
  );
  t.equal(lines.filter(line => line.startsWith('refused')).length, broken.length, out);
  t.equal(lines.filter(line => line.startsWith('loaded')).length, good.length);

  const { code: fine, out: json } = await list([...good, ...skipped], '--json');
  t.equal((JSON.parse(json) as unknown[]).length, good.length + skipped.length);
  t.equal(fine, 0, 'a skipped or disabled plugin is not a failure');
});

t.test('broken plugin: required, the service stops with its message', async t => {
  // One that is not there, and one that is.
  for (const entry of [broken[0]!, broken[2]!]) {
    const { code, log } = await refusedStart(topology, {
      config: { plugins: [...good, { ...entry, required: true }] },
    });
    t.equal(code, 1, entry.use);
    t.match(log.split('\n').at(-2), /^platen serve: .*marks it as required/);
    t.ok(log.includes(entry.use));
  }
});
