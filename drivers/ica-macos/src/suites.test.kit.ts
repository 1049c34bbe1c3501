/** The suites of the driver: over the simulated ImageCaptureCore, in each shape of a scanner and each transfer mode. */
import { defineSuites, type DriverFeatures, type DriverRig } from '@platen/conformance';
import { bodyOf, lacking, simulation, vendorFeatures, words, type BodyOptions } from './rig.test.kit.js';

const sheet = 'size 105 148 front 150 150 150 mark 40 50 20 10';
/** Pages so large that the pipe to the helper does not hold five: what is unplugged meanwhile has not scanned them. */
const resolutions = '200 300';
const files = { features: vendorFeatures };

async function make(options: BodyOptions): Promise<DriverRig> {
  const { driver, deviceId, load, loadSecond, remaining, fault, clearFaults, unplug, plug, dispose } = await bodyOf({
    deadlines: { cancel: 100 },
    second: true,
    ...options,
    files: { resolutions, ...options.files },
  });
  return {
    driver,
    deviceId,
    load: sheets => load(sheets, sheet),
    remaining,
    fault: (at, code) => fault(at, words[code] ?? code),
    tear: at => fault(at, 'torn'),
    clearFaults,
    unplug,
    plug,
    second: { deviceId: 'desk-2', load: sheets => loadSecond(sheets, sheet) },
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
  tears: true,
  unplugs: true,
  devices: 2,
  controls: ['area'],
  timeoutMs: 60_000,
  largePage: { resolution: 300, colorMode: 'Color' },
  packageUrl: new URL('./plugin.js', import.meta.url),
};
/** With a threshold, options and a mark. */
const all: Partial<DriverFeatures> = {
  controls: ['area', 'threshold'],
  driverOptions: true,
  marks: [{ source: 'feeder', area: { x: 40, y: 50, width: 20, height: 10 }, lightness: 0 }],
};
const shapes: Readonly<Record<string, { with: BodyOptions; features?: Partial<DriverFeatures> }>> = {
  'feeder, both sides, and flatbed': {
    with: { is: 'flatbed feeder duplex sensor threshold unsolicited', files },
    features: all,
  },
  'feeder that reports no paper': { with: { is: 'feeder german tells' }, features: { flatbed: false, duplex: false } },
  'flatbed only': { with: { is: 'flatbed' }, features: { feeder: false, duplex: false } },
  'as files': {
    with: { is: 'feeder duplex sensor threshold', files, options: { transfer: 'file' } },
    // The pipe holds any number of names of files.
    features: { flatbed: false, controls: ['threshold'], driverOptions: true, unplugs: false },
  },
  'quirks, under sanitizers': {
    with: { is: 'flatbed feeder duplex sensor threshold grey-stride rgb4 empty-error', files, sanitised: true },
    features: all,
  },
};

// Building blocks this process, and anything that waits for a scanner meanwhile would time out.
if (!lacking())
  for (const {
    with: { sanitised },
  } of Object.values(shapes))
    simulation(sanitised);

export default defineSuites(
  Object.entries(shapes).map(([name, { with: options, features }], at) => ({
    kind: 'driver',
    name,
    make: () => make(options),
    // 200 pages of one shape tell what is kept of a page; the others have fewer sheets, for the tests' time.
    features: { ...full, ...(at > 0 && { pages: 20 }), ...features },
  })),
);
