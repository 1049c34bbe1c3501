/** The fake driver in each of its shapes, for the contract's suite. */
import { toBilevelTiff } from '@platen/core/plugin';
import type { ContractTest } from './contractTest.js';
import type { DriverFeatures } from './driverRig.js';
import { driverContract } from './driverContract.js';
import type { FakeDriverOptions } from './fakeDriver.js';
import { fakeFeatures, fakeRig } from './fakeRig.js';
import { testPage } from './testPages.js';

const tiff = toBilevelTiff(testPage({ pixels: 'bw1' }));

interface Shape {
  readonly options: FakeDriverOptions;
  readonly features?: Partial<DriverFeatures>;
  readonly paper?: 'unknown';
}

/** Both ways of feeding, both kinds of pages, and a link. */
export const firstShapes: Readonly<Record<string, Shape>> = {
  'duplex, feeder and flatbed': { options: {} },
  continuous: { options: { devices: [{ feeding: 'continuous' }] } },
  'encoded pages': {
    options: { encoded: { mimeType: 'image/tiff', data: tiff, width: 64, height: 48, pixels: 'bw1' } },
    features: { controls: [], marks: [], largePage: undefined },
  },
  linked: { options: { link: { connected: true } } },
};

export const otherShapes: Readonly<Record<string, Shape>> = {
  'simplex, feeder only': {
    options: { devices: [{ duplex: false, flatbed: false }] },
    features: { duplex: false, flatbed: false },
  },
  'flatbed only': {
    options: { devices: [{ feeder: false, duplex: false }] },
    features: { feeder: false, duplex: false },
  },
  'no paper sensor': { options: {}, paper: 'unknown' },
  'padded rows, turning backs itself': { options: { page: { padding: 5 }, adjusts: ['deskew'], turnsBacks: true } },
};

/** The suite watches for what must not happen: mostly it waits, so the shapes wait together. */
export function shapesContract(
  t: { test(name: string, how: { buffered: true }, run: (t: ContractTest) => Promise<void>): unknown },
  shapes: Readonly<Record<string, Shape>>,
): void {
  for (const [name, { options, features, paper }] of Object.entries(shapes)) {
    const make = async () =>
      fakeRig(options, fake => {
        fake.setPaper(paper);
        return fake;
      });
    void t.test(name, { buffered: true }, t => driverContract(t, { make, features: { ...fakeFeatures, ...features } }));
  }
}
