/** The suites run in node:test, tap and vitest as a vendor installs them: what passes, fails and is skipped, each sees as such. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { install, pack } from '../plugins/npm.js';

/** The clone, from the compiled file. */
const clone = fileURLToPath(new URL('../../..', import.meta.url));
/** The last that runs on Node 20.19. */
const VITEST = 'vitest@3.2.7';

/** Outcomes by the id of the case. */
type Outcomes = Readonly<Record<string, 'pass' | 'fail' | 'skip'>>;

/** The fake driver, whose listing names no device: some of its cases fail. It has no flatbed, and a known gap. */
const suites = `
import { defineSuites, fakeDriver } from '@platen/conformance';

async function make() {
  const fake = fakeDriver();
  const driver = {
    id: fake.id,
    async *devices() {},
    open: (deviceId, call) => fake.open(deviceId, call),
    close: () => fake.close(),
  };
  return { driver, deviceId: 'fake-1', load: async sheets => fake.load(sheets), remaining: async () => fake.remaining() };
}

const features = { feeder: true, flatbed: false, duplex: true, faults: [], timeoutMs: 2000 };
const gaps = { '4-second-scan-is-busy': 'the device queues' };
export default defineSuites([{ kind: 'driver', name: 'Acme F100', make, features, gaps }]);
`;

const entries: Readonly<Record<string, string>> = {
  'suites.mjs': suites,
  'node.mjs': `
import test from 'node:test';
import { packageContract } from '@platen/conformance';
import suites from './suites.mjs';
await test('the suites', t => packageContract(t, suites));`,
  'tap.mjs': `
import t from '${import.meta.resolve('tap')}';
import { packageContract } from '@platen/conformance';
import suites from './suites.mjs';
await packageContract(t, suites);`,
  'acme.test.mjs': `
import { test } from 'vitest';
import { packageContract } from '@platen/conformance';
import suites from './suites.mjs';
await packageContract({ test }, suites);`,
};

const folder = await mkdtemp(join(tmpdir(), 'platen-runners-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await writeFile(
  join(folder, 'package.json'),
  JSON.stringify({ name: 'acme', type: 'module', platen: { conformance: './suites.mjs' } }),
);
for (const [name, text] of Object.entries(entries)) await writeFile(join(folder, name), text);
const core = await pack(join(clone, 'core'), folder);
const conformance = await pack(join(clone, 'test', 'conformance'), folder);
await install(folder, [core, conformance, VITEST]);

/** What the score says of the same suites. */
const expected = await scored();

t.test('runners: the suites have what passes, fails and is skipped', async t => {
  const outcomes = Object.values(expected);
  for (const each of ['pass', 'fail', 'skip'] as const) t.ok(outcomes.includes(each), each);
  t.equal(expected['4-second-scan-is-busy'], 'skip');
  t.equal(expected['4-glass-yields-one-page'], 'skip');
  t.equal(expected['devices-listing-ends-and-names-the-device'], 'fail');
});

t.test('node:test: the same outcomes', async t => {
  t.strictSame(tapOutcomes(await output(['--test-reporter=tap', 'node.mjs'])), expected);
});

t.test('tap: the same outcomes', async t => {
  t.strictSame(tapOutcomes(await output(['tap.mjs'])), expected);
});

t.test('vitest: the same outcomes', async t => {
  const [program, report] = [join('node_modules', 'vitest', 'vitest.mjs'), join(folder, 'vitest.json')];
  await output([program, 'run', '--reporter=json', `--outputFile=${report}`]);
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly testResults: readonly { readonly assertionResults: readonly { title: string; status: string }[] }[];
  };
  const words: Readonly<Record<string, Outcomes[string]>> = { passed: 'pass', failed: 'fail' };
  const results = testResults.flatMap(each => each.assertionResults);
  t.strictSame(
    Object.fromEntries(results.map(({ title, status }) => [idOf(title), words[status] ?? 'skip'])),
    expected,
  );
});

async function scored(): Promise<Outcomes> {
  const program = join('node_modules', '@platen', 'conformance', 'bin', 'platen-conformance.mjs');
  const report = JSON.parse(await output([program, '--json', '-'])) as {
    readonly cases: readonly { readonly id: string; readonly kind: string; readonly outcome: string }[];
  };
  const cases = report.cases.filter(each => each.kind === 'driver');
  const words: Readonly<Record<string, Outcomes[string]>> = { pass: 'pass', fail: 'fail' };
  return Object.fromEntries(cases.map(({ id, outcome }) => [id, words[outcome] ?? 'skip']));
}

/** Standard output of Node in the folder, whatever its exit code: cases fail. */
async function output(args: readonly string[]): Promise<string> {
  const env = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_OPTIONS|NODE_V8|NODE_TEST|_?TAP|npm_)/i.test(name),
  );
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: Object.fromEntries(env),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return String(await buffer(child.stdout));
}

function tapOutcomes(text: string): Outcomes {
  const lines = text.matchAll(/^\s*(not )?ok \d+ - ([\w-]+): .*?(# SKIP.*)?$/gm);
  return Object.fromEntries(
    [...lines].map(([, not, id = '', skip]) => [id, skip === undefined ? (not ? 'fail' : 'pass') : 'skip']),
  );
}

function idOf(title: string): string {
  return title.split(': ')[0] ?? '';
}
