/** Promise 9: every failure carries a code. */
import assert from 'node:assert/strict';
import { codeOf, type Page } from '@platen/core/plugin';
import type { DriverFeatures } from '../driverRig.js';
import { expectSame, failsWith, thrownBy, wordsOf } from './expect.js';
import { listOf } from './facts.js';
import { neverAborted } from './scan.js';
import {
  cause,
  flatbedFaults,
  needsFeeder,
  needsFlatbed,
  onDriver,
  onSession,
  type DriverCase,
  type Trial,
} from './trial.js';

const codesOf = (features: DriverFeatures) => features.faults.filter(each => each !== 'hang');
const flatbedCodesOf = (features: DriverFeatures) => flatbedFaults(features).filter(each => each !== 'hang');

const causesCodes: DriverCase['untried'] = features =>
  codesOf(features).length > 0 ? undefined : 'the rig cannot cause a failure';

const causesFlatbedCodes: DriverCase['untried'] = features =>
  flatbedCodesOf(features).length > 0 ? undefined : 'the rig cannot cause a failure on the flatbed';

/** An empty feeder after a page is an end and no failure, so `no-paper` comes before the first one. */
const sheetOf = (fault: string) => (fault === 'no-paper' ? 1 : 2);

async function failing(
  trial: Trial,
  fault: ReturnType<typeof codesOf>[number],
): Promise<{ pages: Page[]; error: unknown }> {
  await trial.rig.load(2);
  await cause(trial.rig, sheetOf(fault), fault);
  const scan = trial.scan();
  const pages: Page[] = [];
  const error = await thrownBy(
    (async () => {
      for (let page = await scan.pull(); page; page = await scan.pull()) pages.push(page);
      return pages;
    })(),
    `a scan whose sheet ${sheetOf(fault)} meets ${fault} should fail with it`,
  );
  return { pages, error };
}

export const failureCases: readonly DriverCase[] = [
  {
    id: '9-unknown-device-is-device-not-found',
    title: 'opening a device that does not exist is device-not-found',
    run: onDriver(async (rig, _, within) => {
      const opened = rig.driver.open('no-such-device-0', { signal: neverAborted() });
      await failsWith(within(opened, 'open of an unknown device'), 'device-not-found', 'open of an unknown device');
    }),
  },
  {
    id: '9-faults-arrive-with-their-code',
    title: 'each fault that the rig can cause arrives with its own code, after the pages before it',
    skip: needsFeeder,
    untried: causesCodes,
    run: onSession(async trial => {
      for (const fault of codesOf(trial.features)) {
        const { pages, error } = await failing(trial, fault);
        assert.equal(codeOf(error), fault, `a scan that meets ${fault} failed with ${wordsOf(error)}`);
        expectSame(
          listOf(pages),
          sheetOf(fault) === 1 ? 'no page' : 'sheet 1 front',
          `the pages before ${fault} at sheet ${sheetOf(fault)}`,
        );
        await trial.rig.clearFaults?.();
        await trial.reopen(`after ${fault}`);
      }
    }),
  },
  {
    id: '9-usable-after-a-fault',
    title: 'after each fault is cleared the session scans again, or says device-offline and can be opened again',
    skip: needsFeeder,
    untried: causesCodes,
    run: onSession(async trial => {
      for (const fault of codesOf(trial.features)) {
        await failing(trial, fault);
        await trial.usable(`after ${fault}`);
      }
    }),
  },
  {
    id: '9-flatbed-faults-arrive-with-their-code',
    title: 'each fault that the rig can cause on the flatbed arrives with its own code',
    skip: needsFlatbed,
    untried: causesFlatbedCodes,
    run: onSession(async trial => {
      for (const fault of flatbedCodesOf(trial.features)) {
        await cause(trial.rig, 1, fault);
        await failsWith(trial.scan({ source: 'flatbed' }).rest(), fault, `a scan of the flatbed that meets ${fault}`);
        await trial.rig.clearFaults?.();
        await trial.reopen(`after ${fault} on the flatbed`);
      }
    }),
  },
  {
    id: '9-flatbed-usable-after-a-fault',
    title:
      'after a fault on the flatbed is cleared the session scans it again, or says device-offline and can be opened again',
    skip: needsFlatbed,
    untried: causesFlatbedCodes,
    run: onSession(async trial => {
      for (const fault of flatbedCodesOf(trial.features)) {
        await cause(trial.rig, 1, fault);
        const what = `a scan of the flatbed that meets ${fault} should fail`;
        await thrownBy(trial.scan({ source: 'flatbed' }).rest(), what);
        await trial.usable(`after ${fault} on the flatbed`, 'flatbed');
      }
    }),
  },
  {
    id: '9-scan-after-close-carries-a-code',
    title: 'a scan on a closed session fails with a code',
    run: onSession(async trial => {
      if (trial.features.feeder) await trial.rig.load(1);
      await trial.within(trial.session.close(), 'close');
      await failsWith(trial.scan().rest(), undefined, 'a scan on a closed session');
    }),
  },
];
