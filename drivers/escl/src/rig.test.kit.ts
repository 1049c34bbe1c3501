/** The driver over a test device, for the contract's suite and for the driver's own tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DriverRig } from '@platen/conformance';
import { nullLog, type DriverCode } from '@platen/core/plugin';
import sharp from 'sharp';
import { esclDriver, type EsclDriver } from './driver.js';
import { optionsSchema, type Deadlines, type EsclOptions } from './options.js';
import { startDevice, type Device } from './testing/device.js';
import type { Fault } from './testing/faults.js';
import type { DeviceOptions } from './testing/options.js';

export { orderOf } from '@platen/conformance';

/** As core fills them in. */
export function optionsWith(options: Partial<EsclOptions>): EsclOptions {
  const defaults = Object.fromEntries(
    Object.entries(optionsSchema.properties).flatMap(([name, each]) =>
      'default' in each ? [[name, each.default]] : [],
    ),
  );
  return { ...(defaults as unknown as EsclOptions), discovery: false, ...options };
}

/** The device's fault for each code of the contract. */
export const faults = {
  busy: 'busy',
  'paper-jam': 'jam',
  'double-feed': 'multipick',
  'cover-open': 'hatch',
  'no-paper': 'empty',
  'device-offline': 'offline',
  cancelled: 'gone',
  'driver-failed': 'aborted',
  timeout: 'neverReady',
  hang: 'hang',
} as const satisfies Partial<Record<DriverCode | 'hang', Fault>>;

/** Only what never comes passes the long ones: a test of it has its own. */
export const quick: Deadlines = {
  answer: 60_000,
  status: 60_000,
  busy: 300,
  again: 50,
  end: 60_000,
  silence: 60_000,
};

export interface Rig extends DriverRig {
  readonly device: Device;
  readonly dataDir: string;
  readonly driver: EsclDriver;
}

export async function rigOf(
  build: DeviceOptions,
  options: Partial<EsclOptions> = {},
  deadlines: Partial<Deadlines> = {},
  beside?: Device,
): Promise<Rig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'escl-'));
  const device = await startDevice(build);
  const driver = esclDriver({
    options: optionsWith({ devices: [device.url, ...(beside ? [beside.url] : [])], ...options }),
    log: nullLog,
    dataDir,
    deadlines: { ...quick, ...deadlines },
  });
  return {
    driver,
    device,
    dataDir,
    deviceId: device.url,
    load: async sheets => device.load(sheets),
    remaining: async () => device.remaining(),
    fault: async (sheet, fault) => device.fault(sheet, faults[fault as keyof typeof faults]),
    tear: async sheet => device.fault(sheet, 'brokenOff'),
    async decode({ data }) {
      const picture = sharp(data).greyscale().toColourspace('b-w').raw();
      const { data: samples, info } = await picture.toBuffer({ resolveWithObject: true });
      return { width: info.width, height: info.height, pixels: 'gray8', stride: info.width, data: samples };
    },
    clearFaults: () => device.clearFaults(),
    unplug: async () => device.unplug(),
    plug: () => device.plug(),
    ...(beside && { second: { deviceId: beside.url, load: async sheets => beside.load(sheets) } }),
    async dispose() {
      await driver.close();
      await device.close();
      await beside?.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
