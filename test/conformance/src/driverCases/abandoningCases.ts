/** Promise 3: `signal`. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { ScanError } from '@platen/core/plugin';
import { staysTrue } from './deadline.js';
import { orFail, thrownBy, wordsOf } from './expect.js';
import { feederStaysAt } from './feedingCases.js';
import { neverAborted } from './scan.js';
import {
  cause,
  causes,
  endFromOutside,
  flatbedFaults,
  needsFeeder,
  needsFlatbed,
  onDriver,
  onSession,
  type DriverCase,
} from './trial.js';

const early = () => new ScanError('cancelled', 'the suite abandoned the call before it began');

const beginWithoutSignal =
  'Fix: begin the job of the device without the signal, with a time limit only, and end the job when it is known. ' +
  'A call that is given up while the device begins leaves a job that nobody can end.';

/** Fails unless exactly this reason was thrown: the caller knows its own reason by identity. */
async function throwsReason(promise: PromiseLike<unknown>, reason: ScanError, what: string): Promise<void> {
  const error = await thrownBy(promise, `${what} should throw signal.reason`);
  assert.ok(error === reason, `${what} should throw signal.reason itself, but threw ${wordsOf(error)}`);
}

export const abandoningCases: readonly DriverCase[] = [
  {
    id: '3-signal-throws-its-reason',
    title: 'a signal while a page is awaited throws its reason',
    skip: needsFeeder,
    hint: endFromOutside,
    run: onSession(async trial => {
      await trial.rig.load(5);
      const scan = trial.scan();
      await scan.pull();
      const second = scan.pull();
      const reason = scan.abandon('timeout');
      // The page may have been ready when the signal came; the next one was not.
      await throwsReason(
        second.then(page => page && scan.pull()),
        reason,
        'a scan that is abandoned while a page is awaited',
      );
    }),
  },
  {
    id: '3-signal-between-pulls-throws-its-reason',
    title: 'a signal between two pulls throws its reason from the next one',
    skip: needsFeeder,
    hint: endFromOutside,
    run: onSession(async trial => {
      await trial.rig.load(5);
      const scan = trial.scan();
      await scan.pull();
      const reason = scan.abandon();
      await throwsReason(scan.pull(), reason, 'a scan that is abandoned between two pulls');
    }),
  },
  {
    id: '3-signal-feeds-nothing-more',
    title: 'after a signal the feeder keeps its sheets',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(5);
      const scan = trial.scan();
      await scan.pull();
      scan.abandon();
      await scan.pull().catch(() => {});
      await feederStaysAt(trial, trial.continuous ? await trial.remaining() : 4, 'after signal between two pulls');
    }),
  },
  {
    id: '3-session-usable-after-signal',
    title: 'after a signal the session scans again, or says device-offline and can be opened again',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(5);
      const scan = trial.scan();
      await scan.pull();
      const second = scan.pull();
      scan.abandon();
      await second.then(page => page && scan.pull()).catch(() => {});
      await trial.usable('after signal');
    }),
  },
  {
    id: '3-signal-ends-a-hang',
    title: 'a signal ends a scan whose page never comes, and the session can be used again',
    skip: needsFeeder,
    untried: causes('hang'),
    hint: endFromOutside,
    run: onSession(async trial => {
      await trial.rig.load(3);
      await cause(trial.rig, 2, 'hang');
      const scan = trial.scan();
      assert.ok(await scan.pull(), 'sheet 2 was told to hang, but sheet 1 did not come either');
      const second = scan.pull();
      await staysTrue(async () => {});
      const reason = scan.abandon('timeout');
      await throwsReason(second, reason, 'a hanging scan that is abandoned');
      await trial.usable('after a hang and signal');
    }),
  },
  {
    id: '3-abandoned-while-it-starts',
    title: 'after scans that were abandoned 0 to 32 ms after their first pull, the session scans again',
    hint: beginWithoutSignal,
    run: onSession(async trial => {
      for (const ms of [0, 1, 2, 4, 8, 16, 32]) {
        if (trial.features.feeder) await trial.rig.load(1);
        const scan = trial.scan();
        const first = scan.pull();
        await pause(ms);
        scan.abandon();
        await first.then(page => page && scan.pull()).catch(() => {});
        await trial.usable(`after a scan that was abandoned ${ms} ms after its first pull`);
      }
    }),
  },
  {
    id: '3-signal-ends-a-hang-of-the-flatbed',
    title: 'a signal ends a scan of the flatbed whose page never comes, and the flatbed can be scanned again',
    skip: needsFlatbed,
    untried: features =>
      flatbedFaults(features).includes('hang') ? undefined : 'the rig cannot cause hang on the flatbed',
    hint: endFromOutside,
    run: onSession(async trial => {
      await cause(trial.rig, 1, 'hang');
      const scan = trial.scan({ source: 'flatbed' });
      const page = scan.pull();
      await staysTrue(async () => {});
      const reason = scan.abandon('timeout');
      await throwsReason(page, reason, 'a hanging scan of the flatbed that is abandoned');
      await trial.usable('after a hang of the flatbed and signal', 'flatbed');
    }),
  },
  {
    id: '3-aborted-scan-throws-at-once',
    title: 'a signal aborted before the first pull throws its reason and feeds nothing',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(2);
      const reason = early();
      await throwsReason(
        trial.scan({}, { signal: AbortSignal.abort(reason) }).rest(),
        reason,
        'a scan with an aborted signal',
      );
      await feederStaysAt(trial, 2, 'after a scan with an aborted signal');
    }),
  },
  {
    id: '3-aborted-open-throws-at-once',
    title: 'open with an aborted signal throws its reason and leaves the device closed',
    run: onDriver(async (rig, _, within) => {
      const reason = early();
      const signal = AbortSignal.abort(reason);
      await throwsReason(
        within(rig.driver.open(rig.deviceId, { signal }), 'open with an aborted signal'),
        reason,
        'open with an aborted signal',
      );
      const again = within(
        rig.driver.open(rig.deviceId, { signal: neverAborted() }),
        'open after an open that was abandoned',
      );
      await again.catch(orFail('after an open that was abandoned the device cannot be opened'));
    }),
  },
  {
    id: '3-aborted-listing-throws-at-once',
    title: 'a listing with an aborted signal throws its reason',
    run: onDriver(async (rig, _, within) => {
      const reason = early();
      const listing = rig.driver.devices({ signal: AbortSignal.abort(reason) })[Symbol.asyncIterator]();
      await throwsReason(
        within(listing.next(), 'a listing with an aborted signal'),
        reason,
        'a listing with an aborted signal',
      );
    }),
  },
];
