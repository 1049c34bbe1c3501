/** Drivers with discoveries that a test controls, and the devices of a service over them. */
import { fakeClock, fakeDriver, type FakeDriver } from '@platen/conformance';
import type { Device, Driver } from '../contract/driver.js';
import { createDevices, type DeviceMemory, type KnownDevice } from './devices.js';

/** A discovery that a test steps through by hand; the driver cannot watch. */
export function steppedDriver(
  id: string,
  script: (call: { signal: AbortSignal }) => AsyncIterable<Device>,
): Driver & { asked: number } {
  const driver = {
    ...fakeDriver({ id }),
    asked: 0,
    devices: (call: { signal: AbortSignal }) => (driver.asked++, script(call)),
  };
  delete (driver as Partial<Driver>).watch;
  return driver;
}

/** A driver whose discoveries never end and find nothing. */
export const silentDriver = (id: string): Driver & { asked: number } =>
  steppedDriver(id, async function* () {
    yield* [];
    await new Promise(() => {});
  });

/** A driver that cannot watch and finds these devices. */
export const fixedDriver = (id: string, found: () => readonly Device[]): Driver & { asked: number } =>
  steppedDriver(id, async function* () {
    yield* found();
  });

export const device = (id: string, name = id): Device => ({
  id,
  name,
  manufacturer: 'M',
  model: 'X',
  online: true,
  feeder: true,
  flatbed: false,
  duplex: false,
  feeding: 'perSheet',
});
export const names = (known: readonly KnownDevice[]): string[] => known.map(each => each.name);
export const fake = (id: string, ...list: string[]): FakeDriver =>
  fakeDriver({ id, devices: list.map((name, i) => ({ id: `${id}-${i}`, name })) });

/** Opens when a test says so, one after the other. */
export function gates(): { readonly pass: () => Promise<void>; open(): void } {
  const closed: (() => void)[] = [];
  return { pass: () => new Promise(resolve => closed.push(resolve)), open: () => closed.shift()?.() };
}

export function setUp(drivers: readonly Driver[], memory?: DeviceMemory, clock = fakeClock()) {
  const warnings: string[] = [];
  const quiet = (): void => undefined;
  const devices = createDevices(
    drivers,
    clock,
    { debug: quiet, info: quiet, error: quiet, warn: message => void warnings.push(message) },
    memory,
  );
  return { clock, devices, warnings };
}
