/** The fake driver at the far end of a connection, in each of its shapes, for the contract's suite. */
import {
  type ContractTest,
  driverContract,
  type DriverFeatures,
  type DriverRig,
  fakeDriver,
  type FakeDriverOptions,
  testPage,
} from '@platen/conformance';
import { toBilevelTiff } from '@platen/core/plugin';
import { linked, memoryPair, socketPair } from './rpc.test.kit.js';

const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults: ['paper-jam', 'double-feed', 'cover-open', 'device-offline', 'no-paper', 'driver-failed', 'hang'],
  // A busy machine may be slower than a scanner.
  timeoutMs: 60_000,
  packageUrl: new URL('../remote.js', import.meta.url),
};

interface Shape {
  readonly options: FakeDriverOptions;
  readonly features?: Partial<DriverFeatures>;
  /** Over a real socket, with the bands of a real page. */
  readonly over?: 'unix' | 'tcp';
  readonly paper?: 'unknown';
}

const page = testPage({ pixels: 'bw1' });
const encoded = {
  mimeType: 'image/tiff',
  width: page.width,
  height: page.height,
  pixels: 'bw1',
  data: toBilevelTiff(page),
} as const;

const largeOverTcp: Shape = {
  options: { page: { width: 1000, height: 500, pixels: 'rgb24', padding: 4 } },
  over: 'tcp',
};

/** With the bands of real pages, both ways of feeding and both kinds of pages. */
export const firstShapes: Readonly<Record<string, Shape>> = {
  // 200 small pages of the other shapes tell what is kept of a page.
  'over TCP, with large pages': { ...largeOverTcp, features: { pages: 20 } },
  continuous: { options: { devices: [{ feeding: 'continuous' }] } },
  'encoded pages': { options: { encoded } },
};

export const otherShapes: Readonly<Record<string, Shape>> = {
  'duplex, feeder and flatbed': { options: {} },
  'over TCP, with 200 large pages': largeOverTcp,
  'over a Unix socket': { options: {}, over: 'unix' },
  'simplex, feeder only': {
    options: { devices: [{ duplex: false, flatbed: false }] },
    features: { duplex: false, flatbed: false },
  },
  'flatbed only': {
    options: { devices: [{ feeder: false, duplex: false }] },
    features: { feeder: false, duplex: false },
  },
  'no paper sensor': { options: {}, paper: 'unknown' },
  'turns backs itself': { options: { turnsBacks: true, adjusts: ['deskew', 'crop'] } },
};

async function make({ options, over, paper }: Shape): Promise<DriverRig> {
  const fake = fakeDriver(options);
  fake.setPaper(paper);
  const far = over ? {} : { bandBytes: 1000 };
  const { remote, served } = await linked(fake, over ? await socketPair(over) : memoryPair(), { far });
  return {
    driver: remote,
    deviceId: 'fake-1',
    load: async sheets => fake.load(sheets),
    remaining: async () => fake.remaining(),
    fault: async (sheet, fault) => fake.fault(sheet, fault),
    clearFaults: async () => fake.clearFaults(),
    async dispose() {
      await remote.close();
      await served;
      await fake.close();
    },
  };
}

/** The suite watches for what must not happen: mostly it waits, so the shapes wait together. */
export function shapesContract(
  t: { test(name: string, how: { buffered: true }, run: (t: ContractTest) => Promise<void>): unknown },
  shapes: Readonly<Record<string, Shape>>,
): void {
  for (const [name, shape] of Object.entries(shapes))
    void t.test(name, { buffered: true }, t =>
      driverContract(t, { make: () => make(shape), features: { ...full, ...shape.features } }),
    );
}
