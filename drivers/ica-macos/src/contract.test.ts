/** Driver contract: over the simulated ImageCaptureCore, in each shape of a scanner and each transfer mode. */
import { driverContract, type DriverFeatures, type DriverRig } from '@platen/conformance';
import t from 'tap';
import { bodyOf, helpers, lacking, simulation, words, type BodyOptions } from './rig.test.kit.js';

async function make(options: BodyOptions): Promise<DriverRig> {
  const { driver, deviceId, load, remaining, fault, clearFaults, dispose } = await bodyOf({
    deadlines: { cancel: 100 },
    ...options,
  });
  return {
    driver,
    deviceId,
    load,
    remaining,
    fault: (sheet, code) => fault(sheet, words[code] ?? code),
    clearFaults,
    dispose,
  };
}

const faults = Object.keys(words) as DriverFeatures['faults'];
// The suite's own timeout is too short for a busy machine.
const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults,
  timeoutMs: 30_000,
  packageUrl: new URL('./plugin.js', import.meta.url),
};
const shapes: Readonly<Record<string, { with: BodyOptions; features?: Partial<DriverFeatures> }>> = {
  'feeder, both sides, and flatbed': { with: { is: 'flatbed feeder duplex sensor unsolicited' } },
  'feeder that reports no paper': { with: { is: 'feeder german tells' }, features: { flatbed: false, duplex: false } },
  'flatbed only': { with: { is: 'flatbed' }, features: { feeder: false, duplex: false } },
  'as files': { with: { is: 'feeder duplex sensor', options: { transfer: 'file' } }, features: { flatbed: false } },
  'quirks, under sanitizers': {
    with: { is: 'flatbed feeder duplex sensor grey-stride rgb4 empty-error', sanitised: true },
  },
};

const skip = lacking();
// Building blocks this process, and anything that waits for a scanner meanwhile would time out.
if (!skip)
  for (const {
    with: { sanitised },
  } of Object.values(shapes))
    simulation(sanitised);
t.jobs = 4;
for (const [name, { with: options, features }] of Object.entries(shapes)) {
  t.test(name, { buffered: true, skip }, t =>
    driverContract(t, { make: () => make(options), features: { ...full, ...features } }),
  );
}

t.teardown(() => {
  if (helpers().length > 0) throw new Error(`helpers are still running: ${helpers().join(', ')}`);
});
