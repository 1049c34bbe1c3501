/** The suite of the driver: the fake driver behind the channel, without a gap. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineSuites, type DriverRig, fakeDriver } from '@platen/conformance';
import { systemClock } from '@platen/core/driver';
import { nullLog } from '@platen/core/plugin';
import { dialChannel, listenChannel, serveDriver } from '@platen/driver-remote';
import { desktopDriver, FIRST_DIAL_MS } from './driver.js';

async function make(): Promise<DriverRig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pl-'));
  const fake = fakeDriver({ controls: ['area'], devices: [{}, {}] });
  let served: Promise<void> | undefined;
  const listening = await listenChannel({
    name: 'contract',
    dataDir,
    log: nullLog,
    onStream: stream => void (served = serveDriver(fake, stream, { log: nullLog })),
  });
  const after = (ms: number, callback: () => void): (() => void) => {
    if (ms === FIRST_DIAL_MS) setImmediate(callback);
    return () => undefined;
  };
  const driver = desktopDriver({
    dial: () => dialChannel({ name: 'contract', dataDir }),
    log: nullLog,
    clock: { ...systemClock, after },
  });
  await new Promise(resolve => driver.link.onChange(resolve));
  return {
    driver,
    deviceId: 'fake-1',
    load: async sheets => fake.load(sheets),
    remaining: async () => fake.remaining(),
    fault: async (sheet, fault) => fake.fault(sheet, fault),
    tear: async sheet => fake.fault(sheet, 'torn'),
    clearFaults: async () => fake.clearFaults(),
    unplug: async () => fake.unplug(),
    plug: async () => fake.plug(),
    second: { deviceId: 'fake-2', load: async sheets => fake.load(sheets, 'fake-2') },
    async dispose() {
      await driver.close();
      await served;
      await listening.close();
      await fake.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export default defineSuites([
  {
    kind: 'driver',
    name: 'an application with a scanner',
    make,
    features: {
      feeder: true,
      flatbed: true,
      duplex: true,
      tears: true,
      unplugs: true,
      devices: 2,
      controls: ['area'],
      largePage: { resolution: 300, area: { x: 0, y: 0, width: 100, height: 100 } },
      faults: ['paper-jam', 'double-feed', 'cover-open', 'device-offline', 'no-paper', 'driver-failed', 'hang'],
      packageUrl: new URL('./plugin.js', import.meta.url),
    },
  },
]);
