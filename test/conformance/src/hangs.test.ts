/** Drivers that hang: the case says why, what it leaves behind is said, and the cases after it run. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { neverEndingCall, neverEndingClose } from './broken/driverHangs.js';
import type { ContractTest } from './contractTest.js';
import { driverCases, driverContract } from './driverContract.js';
import { fakeFeatures } from './fakeRig.js';
import { runSuite } from './score/runSuite.js';

const driver = { name: 'Acme F100', kind: 'driver' } as const;
const features = { ...fakeFeatures, timeoutMs: 2000 };
/** The cases that are run, in their order. */
const cases = ['3-signal-ends-a-hang', '3-aborted-open-throws-at-once'];

t.test('hang: a call that ignores its signal, the case with its own reason first', async t => {
  const suite = { make: async () => neverEndingCall(), features };
  const [hung, after] = await runSuite(driver, driverCases, suite, { wanted: id => cases.includes(id) });
  t.match(hung, { id: cases[0], outcome: 'fail', message: /^a hanging scan .*page 2 of the scan.*\n.*dispose\(\)/ });
  t.match(hung?.fix, /`ended`.*time limit/);
  t.match(after, { id: cases[1], outcome: 'pass' });
});

t.test('hang: a close that never ends, each case is a failure that names it', async t => {
  const suite = { make: async () => neverEndingClose(), features };
  const quick = ['3-aborted-open-throws-at-once', '3-aborted-listing-throws-at-once'];
  const results = await runSuite(driver, driverCases, suite, { wanted: id => quick.includes(id) });
  t.strictSame(
    results.map(({ id }) => id),
    quick,
  );
  for (const each of results) t.match(each, { outcome: 'fail', message: /the driver's close.*\n.*dispose\(\)/ });
});

t.test('hang: in a test runner, the reason, what is left behind, and the fix, in message and stack', async t => {
  const failures: Error[] = [];
  const runner: ContractTest = {
    test: (_, { skip }, body) =>
      skip === false ? body().catch((error: unknown) => void failures.push(error as Error)) : undefined,
  };
  const others = driverCases.map(({ id }) => id).filter(id => id !== cases[0]);
  await driverContract(runner, {
    make: async () => neverEndingCall(),
    features,
    gaps: Object.fromEntries(others.map(id => [id, 'not this one'])),
  });
  t.equal(failures.length, 1);
  for (const text of [failures[0]?.message, failures[0]?.stack])
    t.match(text, /page 2 of the scan.*\n.*dispose\(\).*\nFix: /);
});

const moduleOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

/** A package whose driver hangs, and then keeps its process alive. */
const hanging = t.testdir({
  'package.json': JSON.stringify({ name: 'acme', type: 'module', platen: { conformance: './suites.js' } }),
  'suites.js': `import { neverEndingCall } from ${moduleOf('./broken/driverHangs.js')};
import { fakeFeatures } from ${moduleOf('./fakeRig.js')};
setInterval(() => undefined, 1000);
const { packageUrl, ...features } = fakeFeatures;
const make = async () => neverEndingCall();
export default [{ kind: 'driver', name: 'Acme', make, features: { ...features, timeoutMs: 2000 } }];`,
});

t.test('hang: platen-conformance, the process ends and names the case', async t => {
  const program = fileURLToPath(new URL('../bin/platen-conformance.mjs', import.meta.url));
  const { code, out } = await ended([program, '.', '--only', '3']);
  t.equal(code, 1);
  t.match(out, /3-signal-ends-a-hang \(Acme\): a hanging scan/);
});

t.test('hang: node --test with --test-force-exit, the process ends and names the case', async t => {
  const others = driverCases.map(({ id }) => id).filter(id => !cases.includes(id));
  writeFileSync(
    join(hanging, 'acme.test.mjs'),
    `import { test } from 'node:test';
import { packageContract } from ${moduleOf('./conformance.js')};
import suites from './suites.js';
const gaps = Object.fromEntries(${JSON.stringify(others)}.map(id => [id, 'not this one']));
void test('Acme', t => packageContract(t, suites.map(each => ({ ...each, gaps }))));`,
  );
  const { code, out } = await ended(['--test', '--test-force-exit', '--test-reporter=tap', 'acme.test.mjs']);
  t.equal(code, 1);
  t.match(out, /not ok \d+ - 3-signal-ends-a-hang/);
  t.match(out, /page 2 of the scan/);
  t.match(out, /ok \d+ - 3-aborted-open-throws-at-once/);
});

/** The exit code of Node in that folder, and what it printed. */
function ended(args: readonly string[]): Promise<{ code: number | null; out: string }> {
  const env = Object.entries(process.env).filter(([name]) => !/^(NODE_OPTIONS|NODE_V8|NODE_TEST|_?TAP)/i.test(name));
  const child = spawn(process.execPath, args, { cwd: hanging, env: Object.fromEntries(env) });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (out += text));
  return new Promise((resolve, reject) => child.on('error', reject).on('close', code => resolve({ code, out })));
}
