/** The fake driver keeps every promise of the contract, in each of its shapes, without a gap. */
import { toBilevelTiff } from '@platen/core/plugin';
import t from 'tap';
import type { DriverFeatures } from './driverRig.js';
import { driverContract } from './driverContract.js';
import type { FakeDriverOptions } from './fakeDriver.js';
import { fakeFeatures, fakeRig } from './fakeRig.js';
import { testPage } from './testPages.js';

const tiff = toBilevelTiff(testPage({ pixels: 'bw1' }));

const shapes: Readonly<
  Record<string, { options: FakeDriverOptions; features?: Partial<DriverFeatures>; paper?: 'unknown' }>
> = {
  'duplex, feeder and flatbed': { options: {} },
  'simplex, feeder only': {
    options: { devices: [{ duplex: false, flatbed: false }] },
    features: { duplex: false, flatbed: false },
  },
  continuous: { options: { devices: [{ feeding: 'continuous' }] } },
  'flatbed only': {
    options: { devices: [{ feeder: false, duplex: false }] },
    features: { feeder: false, duplex: false },
  },
  'no paper sensor': { options: {}, paper: 'unknown' },
  'padded rows, turning backs itself': { options: { page: { padding: 5 }, adjusts: ['deskew'], turnsBacks: true } },
  'encoded pages': {
    options: { encoded: { mimeType: 'image/tiff', data: tiff, width: 64, height: 48, pixels: 'bw1' } },
    features: { controls: [], marks: [], largePage: undefined },
  },
  linked: { options: { link: { connected: true } } },
};

// The suite watches for what must not happen: mostly it waits, so the shapes wait together.
t.jobs = 8;
for (const [name, { options, features, paper }] of Object.entries(shapes)) {
  const make = async () =>
    fakeRig(options, fake => {
      fake.setPaper(paper);
      return fake;
    });
  t.test(name, { buffered: true }, t => driverContract(t, { make, features: { ...fakeFeatures, ...features } }));
}
