/** The fake driver as a rig for the driver suite. */
import type { Driver, DriverOption, ReservedOption } from '@platen/core/plugin';
import { hardwareControls } from '@platen/core/wire';
import type { DriverFeatures, DriverRig } from './driverRig.js';
import { fakeMark } from './fakeSheet.js';
import { fakeDriver, type FakeDriver, type FakeDriverOptions } from './fakeDriver.js';

/** Everything that the fake can do; promise 7 is tested with `@platen/core/plugin`. */
export const fakeFeatures: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults: ['paper-jam', 'double-feed', 'cover-open', 'device-offline', 'no-paper', 'driver-failed', 'hang'],
  tears: true,
  unplugs: true,
  devices: 2,
  largePage: { resolution: 300, area: { x: 0, y: 0, width: 100, height: 100 } },
  controls: hardwareControls,
  driverOptions: true,
  marks: (['feeder', 'flatbed'] as const).map(source => ({ source, area: fakeMark, lightness: 0 })),
  // A busy machine may be slower than a scanner.
  timeoutMs: 60_000,
  packageUrl: new URL(import.meta.resolve('@platen/core/plugin')),
};

export const fakeOptions: readonly DriverOption[] = [
  { name: 'lamp', type: 'string', values: ['warm', 'cold'], default: 'warm' },
  { name: 'overscan', type: 'number', unit: 'mm', minimum: 0, maximum: 5, default: 0 },
  { name: 'beep', type: 'boolean' },
];

const fakeReserved: readonly ReservedOption[] = [{ name: 'tray', controls: ['source'] }];

/** @param wrap may put another driver in front of the fake: a broken one */
export function fakeRig(options: FakeDriverOptions = {}, wrap: (fake: FakeDriver) => Driver = fake => fake): DriverRig {
  const controls = options.encoded ? undefined : hardwareControls;
  const [device = {}] = options.devices ?? [];
  const fake = fakeDriver({
    ...(controls && { controls }),
    driverOptions: fakeOptions,
    reservedOptions: fakeReserved,
    ...options,
    devices: [device, device],
  });
  return {
    driver: wrap(fake),
    deviceId: 'fake-1',
    load: async sheets => fake.load(sheets),
    remaining: async () => fake.remaining(),
    fault: async (sheet, fault) => fake.fault(sheet, fault),
    tear: async sheet => fake.fault(sheet, 'torn'),
    clearFaults: async () => fake.clearFaults(),
    unplug: async () => fake.unplug(),
    plug: async () => fake.plug(),
    second: { deviceId: 'fake-2', load: async sheets => fake.load(sheets, 'fake-2') },
    dispose: () => fake.close(),
  };
}
