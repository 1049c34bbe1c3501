/** Opening and closing a device. */
import assert from 'node:assert/strict';
import { driverCodes } from '@platen/core/driver';
import { codeOf } from '@platen/core/plugin';
import { failsWith, orFail, wordsOf } from './expect.js';
import { listOf } from './facts.js';
import { assertDevice } from './deviceCases.js';
import { neverAborted, type Scan } from './scan.js';
import { endFromOutside, needsFeeder, onSession, type DriverCase, type Trial } from './trial.js';

const open = ({ rig, within }: Trial, what: string) =>
  within(rig.driver.open(rig.deviceId, { signal: neverAborted() }), what);

/** Closing ended the scan: it may still yield what it had in its path, and then ends or fails with a code. */
async function assertEnded(scan: Scan, loaded: number, after: string): Promise<void> {
  let pages;
  try {
    pages = await scan.rest();
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    const code = codeOf(error);
    assert.ok(
      driverCodes.some(each => each === code),
      `${after} the scan failed without a code that a driver may use: ${wordsOf(error)}`,
    );
    return;
  }
  assert.ok(pages.length < loaded, `${after} the scan went on to the last sheet: ${listOf(pages)}`);
}

export const sessionCases: readonly DriverCase[] = [
  {
    id: 'open-gives-the-device-asked-for',
    title: 'the session is that of the device that was opened',
    run: onSession(async ({ session, rig }) => {
      assertDevice(session.device);
      assert.equal(
        session.device.id,
        rig.deviceId,
        `device ${rig.deviceId} was opened, the session says ${session.device.id}`,
      );
    }),
  },
  {
    id: 'open-twice-is-busy',
    title: 'opening a device that is open is busy, and the first session goes on',
    run: onSession(async trial => {
      await failsWith(open(trial, 'a second open'), 'busy', 'open of a device that is open already');
      await trial.usable('after a second open was refused');
    }),
  },
  {
    id: 'open-again-after-close',
    title: 'a device that was closed can be opened again',
    run: onSession(async trial => {
      await trial.within(trial.session.close(), 'close');
      const again = await open(trial, 'open after close').catch(orFail('a closed device cannot be opened again'));
      await trial.within(again.close(), 'close');
    }),
  },
  {
    id: 'close-is-idempotent',
    title: 'closing a session or the driver twice is as good as once',
    run: onSession(async ({ session, rig, within }) => {
      for (const part of [session, rig.driver]) {
        const name = part === session ? 'session' : 'driver';
        await within(part.close(), `the ${name}'s close`);
        await within(part.close(), `the ${name}'s second close`).catch(orFail(`the ${name}'s second close fails`));
      }
    }),
  },
  {
    id: 'close-ends-a-scan',
    title: 'closing the session ends its running scan',
    skip: needsFeeder,
    hint: endFromOutside,
    run: onSession(async trial => {
      await trial.rig.load(5);
      const scan = trial.scan();
      await scan.pull();
      await trial.within(trial.session.close(), 'close during a scan');
      await assertEnded(scan, 4, "after the session's close");
    }),
  },
  {
    id: 'close-of-the-driver-ends-a-scan',
    title: 'closing the driver ends its sessions and their scans',
    skip: needsFeeder,
    hint: endFromOutside,
    run: onSession(async trial => {
      await trial.rig.load(5);
      const scan = trial.scan();
      await scan.pull();
      await trial.within(trial.rig.driver.close(), "the driver's close during a scan");
      await assertEnded(scan, 4, "after the driver's close");
    }),
  },
];
