/** A premium plugin is set up only with a valid licence, and the check gets the right question. */
import { fakeClock, recordingLog } from '@platen/conformance';
import t from 'tap';
import type { Entitlement, LicenceQuestion } from './entitlement.js';
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
  throw new Error('its licence expired on 2020-01-31');
};

t.test('premium plugin: no valid licence, not set up, one sentence with reason and fix, as if disabled', async t => {
  const { report, registry, logged, setUps } = await load({ use: './premium.mjs', licence: 'old' }, { entitle: bad });
  t.same(setUps, []);
  t.match(report, { state: 'unlicensed', provides: [] });
  t.match(report?.sentence, /^The plugin "\.\/premium\.mjs" .*\(its licence expired on 2020-01-31\)\..*"licence"/);
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

t.test('licence: expires within 30 days, a warning', async t => {
  const day = 24 * 60 * 60 * 1000;
  for (const [days, warned] of [
    [31, 0],
    [30, 1],
    [0, 1],
  ] as const) {
    const clock = { now: () => until.getTime() - days * day, monotonic: () => 0, after: () => () => undefined };
    const { report, logged } = await load({ use: './premium.mjs' }, { entitle: good, clock });
    t.equal(report?.state, 'loaded');
    t.same(logged.length, warned, `${days} days left`);
    if (warned) t.match(logged[0], new RegExp(`^warn: .*"\\./premium\\.mjs" for Acme Clinic .* ${days} days`));
  }
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
  t.match(logged, [/^warn: .*trial: 90 days left/]);
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
