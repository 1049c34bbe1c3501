/** A device that is taken away and brought back. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, type Page } from '@platen/core/plugin';
import type { DriverRig } from '../driverRig.js';
import { TIMEOUT_MS, type Within } from './deadline.js';
import { list } from './deviceCases.js';
import { failsWith, orFail, thrownBy, wordsOf } from './expect.js';
import { assertFacts, listOf } from './facts.js';
import { neverAborted } from './scan.js';
import { onSession, type DriverCase, type Trial } from './trial.js';

const untried: DriverCase['untried'] = ({ unplugs }) => (unplugs ? undefined : 'the rig cannot unplug the device');

async function unplug(rig: DriverRig): Promise<void> {
  assert.ok(rig.unplug && rig.plug, 'features.unplugs is true, so the rig needs unplug() and plug()');
  await rig.unplug();
}

/** Watches the driver meanwhile, as core does: what it is told of a change makes its next listing a new one. */
const onWatched = (body: (trial: Trial) => Promise<void>): DriverCase['run'] =>
  onSession(async trial => {
    const end = trial.rig.driver.watch?.(() => {});
    try {
      await body(trial);
    } finally {
      end?.();
    }
  });

const gone = (code: string | undefined) => code === 'device-offline' || code === 'device-not-found';

export const unplugCases: readonly DriverCase[] = [
  {
    id: 'unplug-ends-a-scan',
    title: 'a scan whose device is unplugged fails with device-offline, after the pages that it had',
    untried,
    run: onSession(async trial => {
      const { feeder } = trial.features;
      if (feeder) await trial.rig.load(5);
      const scan = trial.scan();
      const pages: Page[] = [];
      if (feeder) pages.push((await scan.pull())!);
      await unplug(trial.rig);
      await failsWith(
        (async () => {
          for (let page = await scan.pull(); page; page = await scan.pull()) pages.push(page);
          return pages;
        })(),
        'device-offline',
        'a scan whose device was unplugged',
      );
      const wanted = pages.map((_, i) => `sheet ${i + 1} front`).join(', ') || 'no page';
      assert.equal(listOf(pages), wanted, `before the device was unplugged came ${listOf(pages)}`);
      for (const page of pages) await assertFacts(page);
    }),
  },
  {
    id: 'unplug-is-listed',
    title:
      'an unplugged device is not listed as online; opening it, or the scan, is device-offline or device-not-found',
    untried,
    run: onWatched(async trial => {
      const { rig, within, features } = trial;
      await within(trial.session.close(), 'close');
      await listedAs(rig, within, true, features.timeoutMs);
      await unplug(rig);
      await listedAs(rig, within, false, features.timeoutMs);
      const scanned = (async () => {
        await trial.reopen('of a device that was unplugged');
        return trial.scan().rest();
      })();
      const error = await thrownBy(
        scanned,
        'open of an unplugged device, or its scan, should fail with device-offline',
      );
      assert.ok(gone(codeOf(error)), `open of an unplugged device, or its scan, failed with ${wordsOf(error)}`);
    }),
  },
  {
    id: 'unplug-is-told-to-watches',
    title: 'when a scan ends because the device is unplugged, the watches of the driver and of its session call back',
    untried,
    run: onSession(async trial => {
      const { rig, session, within } = trial;
      const ends: ((() => void) | undefined)[] = [];
      const told = ([rig.driver, session] as const).map((each, i) => {
        const call = new Promise<void>(resolve => {
          if (each.watch) ends.push(each.watch(() => resolve()));
          else resolve(); // An optional facet: core asks again by itself.
        });
        return () => within(call, `a watch of the ${i === 0 ? 'driver' : 'session'}, after the device was unplugged`);
      });
      // As core does: a watch that another process keeps is there before this status is.
      await within(session.status({ signal: neverAborted() }), 'status');
      await unplug(rig);
      // A scanner on a network is seen to be gone when it does not answer.
      await trial
        .scan()
        .rest()
        .catch(() => {});
      await Promise.all(told.map(wait => wait())).finally(() => ends.forEach(end => end?.()));
    }),
  },
  {
    id: 'unplug-and-plug-scans-again',
    title: 'a device that is plugged in again is listed, opens and scans, without a new driver',
    untried,
    run: onWatched(async trial => {
      const { rig, features, within } = trial;
      if (features.feeder) await rig.load(1);
      await unplug(rig);
      await trial
        .scan()
        .rest()
        .catch(() => {});
      await within(trial.session.close(), 'close after the device was unplugged');
      await listedAs(rig, within, false, features.timeoutMs);
      await rig.plug!();
      await listedAs(rig, within, true, features.timeoutMs);
      await trial
        .reopen('after the device was plugged in again')
        .catch(orFail('a device that is back cannot be opened'));
      await trial.usable('after the device was plugged in again');
    }),
  },
];

/** Waits until the listing says so: a driver may need a moment to see it. */
async function listedAs(rig: DriverRig, within: Within, online: boolean, timeoutMs = TIMEOUT_MS): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const device = (await list(rig.driver, within)).find(({ id }) => id === rig.deviceId);
    if ((device?.online ?? false) === online) return;
    const state = device ? `listed as ${device.online ? 'online' : 'offline'}` : 'not listed';
    const asked = online ? 'plugged in' : 'unplugged';
    assert.ok(Date.now() < end, `${timeoutMs / 1000} s after the device was ${asked} it is still ${state}`);
    await pause(50);
  }
}
