/** A premium plugin is set up only with a valid licence, and the check gets the right question. */
import { fakeClock, recordingLog } from '@platen/conformance';
import t from 'tap';
import { daysLeft, type Entitlement, type LicenceQuestion } from './entitlement.js';
import type { PluginEntry } from './entry.js';
import { LOAD_DEADLINE_MS, loadPlugins, type LoadSettings } from './load.js';

const until = new Date('2030-01-31T12:00:00Z');

/** A premium plugin that adds to a global list when it is set up. */
const source = (premium: string, more = ''): string => `
  export default { name: '@acme/reader', api: 1, premium: ${premium}, ${more} setup: ({ options }) => {
    (globalThis.platenSetUp ??= []).push(options);
    return { recognisers: [{ kind: 'barcode', read: async () => [] }] };
  } };`;
const setUps = (): unknown[] => ((globalThis as { platenSetUp?: unknown[] }).platenSetUp ?? []).splice(0);

const dir = t.testdir({
  'premium.mjs': source('{ publicKey: "the key" }'),
  'keyless.mjs': source('true'),
  'rotating.mjs': source('{ publicKey: ["the new key", "the key"] }'),
  'no-keys.mjs': source('{ publicKey: [] }'),
  'odd.mjs': source('{ publicKey: 5 }'),
  'null.mjs': source('null'),
  'free.mjs': source('false'),
  'elsewhere.mjs': source('{ publicKey: "the key" }', 'platforms: ["aix"],'),
  'after.mjs':
    'export default { name: "after", api: 1, setup: () => ({ recognisers: [{ kind: "ocr", read: async () => "" }] }) };',
});

async function load(entry: Partial<PluginEntry> & { use: string }, more: Partial<LoadSettings> = {}) {
  const recorder = recordingLog();
  const log = () => recorder;
  const entries = [
    { enabled: true, required: false, ...entry },
    { use: './after.mjs', enabled: true, required: false },
  ];
  const { reports, registry } = await loadPlugins({
    entries,
    folders: [dir],
    dataDir: dir,
    platform: 'linux',
    clock: fakeClock(),
    log,
    ...more,
  });
  t.equal(reports[1]?.state, 'loaded', 'the rest runs');
  t.ok(registry.ocr);
  return { report: reports[0], registry, logged: recorder.lines, setUps: setUps() };
}

const good = async (): Promise<Entitlement> => ({ customer: 'Acme Clinic', expires: until });
const bad = async (): Promise<Entitlement> => {
  throw new Error('its licence ended on 2020-01-31');
};

t.test('premium plugin: no valid licence, not set up, one sentence with reason and fix, as if disabled', async t => {
  const { report, registry, logged, setUps } = await load({ use: './premium.mjs', licence: 'old' }, { entitle: bad });
  t.same(setUps, []);
  t.match(report, { state: 'unlicensed', provides: [] });
  t.match(report?.sentence, /^The plugin "\.\/premium\.mjs" .*\(its licence ended on 2020-01-31\)\..*folder licences/);
  t.same(logged, [`warn: ${report?.sentence}`]);
  t.equal(registry.barcode, undefined);
});

t.test('premium plugin: no licence check installed, not loaded', async t => {
  const { report, setUps } = await load({ use: './premium.mjs', licence: 'x' });
  t.match(report, { state: 'unlicensed', sentence: /licences/ });
  t.same(setUps, []);
});

t.test('premium plugin: without a key, not entitled', async t => {
  for (const use of ['./keyless.mjs', './odd.mjs', './null.mjs']) {
    const { report, setUps } = await load({ use, licence: 'x' }, { entitle: good });
    t.match(report, { state: 'unlicensed', sentence: /public key/ }, use);
    t.same(setUps, []);
  }
});

t.test('premium plugin: the check does not end, not entitled', async t => {
  const clock = fakeClock();
  let asked = (): void => undefined;
  const asking = new Promise<void>(resolve => (asked = resolve));
  const loading = load({ use: './premium.mjs' }, { clock, entitle: () => (asked(), new Promise(() => undefined)) });
  await asking;
  await clock.advance(LOAD_DEADLINE_MS);
  t.match((await loading).report, { state: 'unlicensed', sentence: /it took longer than 30 seconds/ });
});

t.test('premium plugin: required and not entitled, the service stops', async t => {
  await t.rejects(load({ use: './premium.mjs', required: true }, { entitle: bad }), {
    message: /not licensed.*The configuration marks it as required\.$/,
  });
});

t.test('premium plugin: valid licence, set up; the check gets its name, key and configured licence', async t => {
  const asked: LicenceQuestion[] = [];
  const entitle = async (question: LicenceQuestion) => (asked.push(question), good());
  const { report, registry, logged, setUps } = await load({ use: './premium.mjs', licence: 'a licence' }, { entitle });
  t.same(asked, [{ plugin: '@acme/reader', publicKeys: ['the key'], licence: 'a licence' }]);
  t.same(report, {
    use: './premium.mjs',
    state: 'loaded',
    provides: [{ kind: 'recogniser', id: 'barcode' }],
    entitlement: { customer: 'Acme Clinic', expires: until },
  });
  t.same(setUps, [{}]);
  t.same(logged, []);
  t.ok(registry.barcode);
  await load({ use: './premium.mjs' }, { entitle });
  t.same(asked[1], { plugin: '@acme/reader', publicKeys: ['the key'], licence: undefined });
});

t.test('licence: ends within 30 days, a warning; the last day counts', async t => {
  const day = 24 * 60 * 60 * 1000;
  const midnight = new Date(Math.floor(until.getTime() / day) * day).getTime();
  for (const [now, words] of [
    [midnight - 30 * day - 1, undefined],
    [midnight - 30 * day, / 30 days/],
    [midnight - 1, / 1 day,/],
    [midnight, / today/],
    [until.getTime() - 1, / today/],
    [until.getTime() + 1, / ended on /],
  ] as const) {
    const clock = { now: () => now, monotonic: () => 0, after: () => () => undefined };
    const { report, logged } = await load({ use: './premium.mjs' }, { entitle: good, clock });
    t.equal(report?.state, 'loaded');
    t.same(logged.length, words ? 1 : 0);
    if (words) t.match(logged[0], words);
  }
});

t.test('licence: daysLeft on the day on which one for 20 days was signed', async t => {
  const signed = Date.parse('2026-11-24T14:00:00Z');
  const clock = { ...fakeClock(), now: () => signed + 1 };
  for (const end of ['2026-12-14T14:00:00Z', '2026-12-14T23:59:59Z', '2026-12-14T00:00:00Z'])
    t.equal(daysLeft({ customer: 'x', expires: new Date(end) }, clock), 20, end);
});

t.test('licence: free, disabled or for another system, not checked', async t => {
  const entitle = async (): Promise<Entitlement> => t.fail('asked') as never;
  t.match((await load({ use: './free.mjs', licence: 'x' }, { entitle })).report, {
    state: 'loaded',
    entitlement: undefined,
  });
  t.match((await load({ use: './premium.mjs', enabled: false }, { entitle })).report, { state: 'disabled' });
  t.match((await load({ use: './elsewhere.mjs' }, { entitle })).report, { state: 'skipped' });
});

t.test('licence: a trial, a warning with the days that are left', async t => {
  const clock = { ...fakeClock(), now: () => until.getTime() - 90 * 24 * 60 * 60 * 1000 };
  const trial = async (): Promise<Entitlement> => ({ ...(await good()), trial: true });
  const { report, logged } = await load({ use: './premium.mjs' }, { entitle: trial, clock });
  t.match(report, { state: 'loaded', entitlement: { trial: true } });
  t.match(logged, [/^warn: .*trial .* 90 days/]);
});

t.test('licence: for a plugin that wants none, said in the log and in the report', async t => {
  const { report, logged } = await load({ use: './free.mjs', licence: 'x' }, { entitle: good });
  t.match(report?.idleLicence, /"\.\/free\.mjs" is ignored: the plugin is not premium/);
  t.same(logged, [`warn: ${report?.idleLicence}`]);
  t.notOk((await load({ use: './premium.mjs', licence: 'x' }, { entitle: good })).report?.idleLicence);
});

t.test('premium plugin: several keys, and a list without one', async t => {
  const asked: LicenceQuestion[] = [];
  const entitle = async (question: LicenceQuestion) => (asked.push(question), good());
  t.match((await load({ use: './rotating.mjs', licence: 'x' }, { entitle })).report, { state: 'loaded' });
  t.match(asked, [{ publicKeys: ['the new key', 'the key'] }]);
  t.match((await load({ use: './no-keys.mjs', licence: 'x' }, { entitle })).report, {
    state: 'unlicensed',
    sentence: /no public key/,
  });
});
