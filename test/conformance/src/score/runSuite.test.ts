/** Outcomes of cases: each broken driver fails the case that is there for it, and nothing holds up the run. */
import t from 'tap';
import assert from 'node:assert/strict';
import { driverAbandoning } from '../broken/driverAbandoning.js';
import { driverFeeding } from '../broken/driverFeeding.js';
import { driverTruth } from '../broken/driverTruth.js';
import type { ContractCase, Suite } from '../contractTest.js';
import { driverCases } from '../driverContract.js';
import { fakeFeatures, fakeRig } from '../fakeRig.js';
import type { CaseResult } from './report.js';
import { runSuite } from './runSuite.js';
import { uncaught } from './uncaught.js';

const driver = { name: 'Acme F100', kind: 'driver' } as const;

t.test('runSuite: a broken driver, its case failed with the message of the suite', async t => {
  for (const { breaks, how, says, features, make } of [...driverTruth, ...driverFeeding, ...driverAbandoning]) {
    const suite = { make: async () => make(), features: { ...fakeFeatures, ...features } };
    const [result] = await runSuite(driver, driverCases, suite, { wanted: id => id === breaks });
    t.equal(result?.outcome, 'fail', `${breaks}: a driver that ${how}`);
    t.match(result?.message, says);
    t.notMatch(result?.message, /actual - expected/, 'the sentence, without the comparison of Node');
    t.ok(result?.fix, 'and how to fix it');
    t.notMatch(result?.fix, /^Fix:/);
  }
});

t.test('runSuite: the fake, no failure; what does not apply or cannot be tried, with its sentence', async t => {
  const features = { ...fakeFeatures, flatbed: false, marks: [] };
  const seen: CaseResult[] = [];
  const results = await runSuite(
    driver,
    driverCases,
    { make: async () => fakeRig(), features, gaps: { '4-second-scan-is-busy': 'the device queues' } },
    { wanted: id => /^(4-|5-|leaves-)/.test(id), onResult: each => seen.push(each) },
  );
  t.same(seen, results);
  t.same(
    results.filter(each => each.outcome === 'fail'),
    [],
  );
  t.match(
    results.find(each => each.id === '4-second-scan-is-busy'),
    { outcome: 'gap', message: 'the device queues', promise: '4' },
  );
  t.match(
    results.find(each => each.id === '4-glass-yields-one-page'),
    { outcome: 'not-applicable', message: /flatbed/ },
  );
});

/** One case of nothing. */
const run = (
  each: Partial<ContractCase<object, object>>,
  suite: Partial<Suite<object, object>> = {},
  limitMs = 60_000,
) =>
  runSuite(
    driver,
    [{ id: '5-a', title: 'a', run: async () => undefined, ...each }],
    { make: async () => ({}), features: {}, ...suite },
    { limitMs },
  ).then(([result]) => result);

t.test('runSuite: rig that cannot be made, a failure without the hint of the case', async t => {
  const suite = { make: () => Promise.reject(new Error('no port is free')) };
  const result = await run({ hint: 'use oneScan' }, suite);
  t.match(result, { outcome: 'fail', message: /no port is free/ });
  t.notHas(result, 'fix');
});

t.test('runSuite: a case that never ends, a failure', async t => {
  t.match(await run({ run: () => new Promise(() => undefined) }, {}, 100), {
    outcome: 'fail',
    message: /the end of the case/,
  });
});

t.test('runSuite: a rejection that nobody handles, a failure of the case that runs', async t => {
  const ended = uncaught.watch();
  t.teardown(ended);
  const result = await run(
    {
      run: async () => {
        void Promise.reject(new Error('the socket went'));
        await new Promise(resolve => setImmediate(resolve));
        await new Promise(() => undefined);
      },
    },
    {},
    100,
  );
  t.match(result, { outcome: 'fail', message: /nothing caught.*\n.*the socket went/ });
});

t.test('runSuite: what a case cannot try, not tried', async t => {
  t.match(await run({ untried: () => 'the rig cannot tear' }), {
    outcome: 'not-tried',
    message: 'the rig cannot tear',
  });
});

t.test('runSuite: gap that names no case, an error', async t => {
  await t.rejects(run({}, { gaps: { '5-b': 'misspelt' } }), { message: /names no case: 5-b/ });
});

t.test('runSuite: what is thrown and is no Error, told', async t => {
  t.match(await run({ run: () => Promise.reject('no paper' as unknown as Error) }), {
    message: /no paper.*not an Error/,
  });
  t.match(await run({ run: async () => assert.equal(3, 4, 'three') }), { message: /^three$/ });
});
