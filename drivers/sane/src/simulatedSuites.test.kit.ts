/** Suites over the real libsane and a simulated scanner, in each shape of a scanner. */
import { defineSuites, type DriverFeatures, type DriverRig } from '@platen/conformance';
import { simulated, words } from './rig.test.kit.js';

const sheet = 'size 210 297 front 200 200 200 mark 40 50 20 10';

async function make(is: string): Promise<DriverRig> {
  const body = await simulated(is, { deadlines: { abandon: 100 } });
  const second = await body.beside('second');
  return {
    driver: body.driver,
    deviceId: body.deviceId,
    load: sheets => body.load(sheets, sheet),
    remaining: body.remaining,
    fault: (at, fault) =>
      body.fault(at, fault === 'hang' ? 'DEAF' : fault === 'double-feed' ? 'DOUBLE_FEED' : (words[fault] ?? fault)),
    tear: at => body.fault(at, 'TORN'),
    clearFaults: body.clearFaults,
    unplug: body.unplug,
    plug: body.plug,
    second: { deviceId: second.deviceId, load: sheets => second.load(sheets, sheet) },
    dispose: body.dispose,
  };
}

const faults = [...Object.keys(words), 'hang'] as DriverFeatures['faults'];
const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults,
  tears: true,
  unplugs: true,
  devices: 2,
  controls: ['area', 'sheets'],
  largePage: { resolution: 150, colorMode: 'Color' },
  driverOptions: true,
  marks: [{ source: 'feeder', area: { x: 40, y: 50, width: 20, height: 10 }, lightness: 0 }],
  // A busy machine may be slower than a scanner.
  timeoutMs: 60_000,
  packageUrl: new URL('./plugin.js', import.meta.url),
};
const shapes: Readonly<Record<string, { is: string; features?: Partial<DriverFeatures> }>> = {
  'duplex as a source, with sensors': {
    is: 'flatbed feeder duplex-source sensors',
    features: { faults: [...faults, 'double-feed'] },
  },
  'duplex as an option, no sensor': { is: 'flatbed feeder duplex-option' },
  'one side, feeder only': { is: 'feeder sensors', features: { flatbed: false, duplex: false } },
  'flatbed only': {
    is: 'flatbed',
    features: { feeder: false, duplex: false, controls: ['area'], marks: [] },
  },
  'levels, lines of whole 8 pixels': {
    is: 'flatbed feeder duplex-source levels steps8',
    features: { controls: ['area', 'brightness', 'contrast', 'threshold', 'sheets'] },
  },
};

export const simulatedSuites = defineSuites(
  Object.entries(shapes).map(([name, { is, features }], at) => ({
    kind: 'driver',
    name,
    make: () => make(is),
    // 200 pages of one shape tell what is kept of a page; the others have fewer sheets, for the tests' time.
    features: { ...full, ...(at > 0 && { pages: 20 }), ...features },
  })),
);
