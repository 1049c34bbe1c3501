/** Listing devices: what the contract says of `devices` and of what it yields. */
import assert from 'node:assert/strict';
import { type Device, type Driver, messageOf } from '@platen/core/plugin';
import { readDevice } from '@platen/core/wire';
import { neverAborted } from './scan.js';
import type { Within } from './deadline.js';
import { onDriver, type DriverCase } from './trial.js';
import { expectEqual, expectSame } from './expect.js';

/** All devices; each must come within the time for one answer. */
export async function list(driver: Driver, within: Within): Promise<Device[]> {
  const found: Device[] = [];
  const listing = driver.devices({ signal: neverAborted() })[Symbol.asyncIterator]();
  for (;;) {
    const next = await within(listing.next(), `device ${found.length + 1} of the listing, or its end`);
    if (next.done) return found;
    found.push(next.value);
    assert.ok(found.length < 1000, 'the listing does not end: 1000 devices came');
  }
}

const idsOf = (devices: readonly Device[]) => devices.map(device => device.id).sort();

export const deviceCases: readonly DriverCase[] = [
  {
    id: 'devices-listing-ends-and-names-the-device',
    title: 'a listing ends, and the device under test is in it',
    run: onDriver(async (rig, _, within) => {
      const ids = idsOf(await list(rig.driver, within));
      assert.ok(
        ids.includes(rig.deviceId),
        `the device under test is ${rig.deviceId}; the listing has ${ids.join(', ') || 'none'}`,
      );
    }),
  },
  {
    id: 'devices-ids-are-unique',
    title: 'no two devices of a listing have the same id',
    run: onDriver(async (rig, _, within) => {
      const ids = idsOf(await list(rig.driver, within));
      expectEqual(ids, [...new Set(ids)], 'ids of a listing, each once');
    }),
  },
  {
    id: 'devices-ids-are-stable',
    title: 'a second listing gives the same ids',
    run: onDriver(async (rig, _, within) => {
      const first = idsOf(await list(rig.driver, within));
      expectEqual(idsOf(await list(rig.driver, within)), first, 'ids of a second listing');
    }),
  },
  {
    id: 'devices-are-well-formed',
    title: 'every field of a device is of its kind, and the device under test is what features say',
    run: onDriver(async (rig, features, within) => {
      assert.ok(typeof rig.driver.id === 'string' && rig.driver.id !== '', 'the driver has no id');
      for (const device of await list(rig.driver, within)) {
        assertDevice(device);
        if (device.id !== rig.deviceId) continue;
        for (const facet of ['feeder', 'flatbed', 'duplex'] as const) {
          assert.equal(
            device[facet],
            features[facet],
            `${facet} of device ${device.id} is ${device[facet]}, features say ${features[facet]}`,
          );
        }
      }
    }),
  },
  {
    id: 'devices-watch-can-be-ended',
    title: 'what watch returns ends it, also twice',
    run: onDriver(async ({ driver }) => {
      if (!driver.watch) return; // An optional facet: core lists again instead.
      const end: unknown = driver.watch(() => {});
      expectSame(typeof end, 'function', 'watch returns no function that ends it');
      for (const time of ['once', 'twice']) assert.doesNotThrow(end as () => void, `the watch cannot be ended ${time}`);
    }),
  },
];

export function assertDevice(device: Device): void {
  const name = `device ${String(device?.id)}`;
  let known: Device;
  try {
    known = readDevice(device);
  } catch (error) {
    assert.fail(`${name}: ${messageOf(error)}`);
  }
  for (const field of ['name', 'manufacturer', 'model'] as const) {
    assert.equal(
      device[field],
      known[field],
      `${name}: ${field} has control characters, or more than 256 characters: core changes that`,
    );
  }
}
