/** Isolated plugins: the loader passes their entries on and uses the result. */
import { recordingLog } from '@platen/conformance';
import t from 'tap';
import type { Contributions, Driver } from '../plugin.js';
import type { Isolate } from './isolation.js';
import type { PluginEntry } from './entry.js';
import { loadPlugins, type LoadSettings } from './load.js';

const imported = Symbol.for('platen.isolation.imported');
const dir = t.testdir({
  'tells.js': `globalThis[Symbol.for('platen.isolation.imported')] = true; throw new Error('imported');`,
});

const entry = (more: Partial<PluginEntry> = {}): PluginEntry => ({
  use: './tells.js',
  enabled: true,
  required: false,
  isolate: true,
  ...more,
});

function settings(
  entries: readonly PluginEntry[],
  more: Partial<LoadSettings> = {},
): LoadSettings & { logged: string[] } {
  const recorder = recordingLog();
  const log = () => recorder;
  return { entries, folders: [dir], dataDir: dir, platform: 'linux', log, logged: recorder.lines, ...more };
}

const closed: string[] = [];
const driver = (id: string): Driver => ({
  id,
  async *devices() {},
  open: async () => Promise.reject(new Error('no')),
  close: async () => void closed.push(id),
});
const bringing =
  (...drivers: Driver[]): Isolate =>
  async ({ use }) => ({
    report: { use, state: 'loaded', version: '7.0.0', provides: drivers.map(({ id }) => ({ kind: 'driver', id })) },
    contributions: { drivers } satisfies Contributions,
  });

t.test('isolate: contributions of the process, registered without importing the package here', async t => {
  const asked: unknown[] = [];
  const isolate: Isolate = async (given, context) => {
    asked.push(given, context.folders, context.dataDir);
    context.log.info('from there');
    return bringing(driver('a'))(given, context);
  };
  const given = settings([entry({ licence: 'l', options: { a: 1 } })], { isolate });
  const { registry, reports } = await loadPlugins(given);
  t.same(asked, [given.entries[0], [dir], dir]);
  t.same(reports, [{ use: './tells.js', state: 'loaded', version: '7.0.0', provides: [{ kind: 'driver', id: 'a' }] }]);
  t.same(
    registry.drivers.map(({ id }) => id),
    ['a'],
  );
  t.same(given.logged, ['info: from there']);
  t.equal((globalThis as Record<symbol, unknown>)[imported], undefined);
  await registry.close();
  t.same(closed.splice(0), ['a']);
});

t.test('isolate: the process leaves the plugin out, not logged again', async t => {
  const report = { use: './tells.js', state: 'unlicensed', sentence: 'It has no licence.', provides: [] } as const;
  const given = settings([entry()], { isolate: async () => ({ report }) });
  t.same((await loadPlugins(given)).reports, [report]);
  t.same(given.logged, []);
  await t.rejects(loadPlugins(settings([entry({ required: true })], { isolate: async () => ({ report }) })), {
    message: 'It has no licence. The configuration marks it as required.',
  });
});

t.test('isolate: a failure, one sentence', async t => {
  const sentenceOf = async (entries: readonly PluginEntry[], isolate?: Isolate): Promise<string | undefined> => {
    const given = settings(entries, isolate && { isolate });
    const { reports, registry } = await loadPlugins(given);
    await registry.close();
    t.same(given.logged, [`error: ${reports.at(-1)?.sentence}`]);
    t.equal(reports.at(-1)?.state, 'refused');
    return reports.at(-1)?.sentence;
  };
  t.match(await sentenceOf([entry()]), /^The plugin "\.\/tells\.js" .*"isolate"/);
  const crash: Isolate = () => Promise.reject(new Error('its process was ended by SIGSEGV.\nmore'));
  t.match(
    await sentenceOf([entry()], crash),
    /^The plugin "\.\/tells\.js" .*\(its process was ended by SIGSEGV\)\. [^\n]*$/,
  );
  closed.splice(0);
  t.match(
    await sentenceOf([entry(), entry()], bringing(driver('a'))),
    /^The plugin "\.\/tells\.js" .*the driver a, .*"\.\/tells\.js"/,
  );
  t.same(closed.splice(0), ['a', 'a'], 'the clashing one is closed, then all');
});

t.test('isolate: entry disabled or for another system, no process is started', async t => {
  const isolate: Isolate = () => Promise.reject(new Error('started'));
  const { reports } = await loadPlugins(settings([entry({ enabled: false }), entry({ on: ['win32'] })], { isolate }));
  t.same(
    reports.map(({ state }) => state),
    ['disabled', 'skipped'],
  );
});
