/** The driver suite finds what it is there to find: for each of its cases a driver that breaks the promise fails it. */
import t, { type Test } from 'tap';
import assert from 'node:assert/strict';
import { shortTimeout, type BrokenDriver } from './broken/brokenDriver.js';
import { driverAbandoning } from './broken/driverAbandoning.js';
import { driverControls } from './broken/driverControls.js';
import { driverDevices } from './broken/driverDevices.js';
import { driverFeeding } from './broken/driverFeeding.js';
import { driverPlugs } from './broken/driverPlugs.js';
import { driverProcess } from './broken/driverProcess.js';
import { driverState } from './broken/driverState.js';
import { driverTruth } from './broken/driverTruth.js';
import type { ContractTest } from './contractTest.js';
import { driverCases, driverContract } from './driverContract.js';
import { fakeFeatures, fakeRig } from './fakeRig.js';

const broken: readonly BrokenDriver[] = [
  ...driverDevices,
  ...driverState,
  ...driverFeeding,
  ...driverAbandoning,
  ...driverTruth,
  ...driverControls,
  ...driverPlugs,
  ...driverProcess,
];

t.test('driverContract: every case, has a driver that breaks it', async t => {
  t.same(
    driverCases.map(each => each.id).filter(id => !broken.some(each => each.breaks === id)),
    [],
  );
});

t.test('driverContract: every promise that is visible from outside, has a case', async t => {
  for (let promise = 1; promise <= 10; promise++)
    t.ok(
      driverCases.some(each => each.id.startsWith(`${promise}-`)),
      `promise ${promise}`,
    );
});

t.test('driverContract: ids of cases, unique', async t => {
  t.equal(new Set(driverCases.map(each => each.id)).size, driverCases.length);
});

async function fails(t: Test, { breaks, says, features, make }: BrokenDriver): Promise<void> {
  const found = driverCases.find(each => each.id === breaks);
  assert.ok(found, 'a broken driver names no case');
  const rig = make();
  const its = { ...fakeFeatures, ...features };
  t.equal(found.skip?.(its) ?? found.untried?.(its), undefined);
  await t.rejects(found.run(rig, its), { name: 'AssertionError', message: says });
  await rig.dispose?.();
}

const deaf = broken.filter(({ features }) => features === shortTimeout);
for (const each of broken.filter(each => !deaf.includes(each)))
  t.test(`${each.breaks}: a driver that ${each.how}, fails`, t => fails(t, each));

t.test('drivers that never answer, each waited for at the same time', { jobs: deaf.length }, async t => {
  for (const each of deaf)
    void t.test(`${each.breaks}: a driver that ${each.how}, fails`, { buffered: true }, t => fails(t, each));
});

t.test('driverContract: a case that makes a driver, closes it', async t => {
  for (const each of driverCases) {
    const rig = fakeRig();
    let closes = 0;
    const { driver } = rig;
    const counting = {
      ...rig,
      driver: {
        ...driver,
        open: driver.open.bind(driver),
        devices: driver.devices.bind(driver),
        close: () => (closes++, driver.close()),
      },
    };
    await each.run(counting, fakeFeatures);
    t.ok(closes > 0, each.id);
  }
});

t.test('driverContract: failure of a case with a hint, the message ends with it', async t => {
  const slow = broken.find(({ breaks }) => breaks === 'close-ends-a-scan');
  assert.ok(slow);
  const failures: unknown[] = [];
  const runner: ContractTest = {
    test: (_, { skip }, body) =>
      skip === false ? body().catch((error: unknown) => void failures.push(error)) : Promise.resolve(),
  };
  const gaps = Object.fromEntries(
    driverCases.filter(({ id }) => id !== slow.breaks).map(({ id }) => [id, 'not this one']),
  );
  await driverContract(runner, { make: async () => slow.make(), features: fakeFeatures, gaps });
  t.equal(failures.length, 1);
  t.match(failures[0], { message: /oneScan.*endable/ });
});

t.test('driverContract: known gap, a skip with its sentence; one that names no case, an error', async t => {
  const seen: [string, string | boolean | undefined][] = [];
  const runner: ContractTest = { test: async (name, { skip }) => void seen.push([name, skip]) };
  const suite = { make: async () => fakeRig(), features: { ...fakeFeatures, flatbed: false } };
  await driverContract(runner, { ...suite, gaps: { '4-second-scan-is-busy': 'the device queues' } });
  const skipOf = (id: string) => seen.find(([name]) => name.startsWith(`${id}: `))?.[1];
  t.equal(seen.length, driverCases.length);
  t.equal(skipOf('4-second-scan-is-busy'), 'the device queues');
  t.equal(skipOf('4-glass-yields-one-page'), 'the device has no flatbed');
  t.equal(skipOf('5-front-before-back'), false);
  await t.rejects(driverContract(runner, { ...suite, gaps: { '4-second': 'misspelt' } }), {
    message: /names no case: 4-second/,
  });
});
