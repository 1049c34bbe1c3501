/** The drivers that are mutated, and the suites that must find it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../step.mjs';

const built = path => import(pathToFileURL(join(root, path)).href);

/** Files: names without `.ts`. `suites`: the first one is run whole, of the others only what may be run at the same time. */
export const targets = {
  fake: {
    folder: 'test/conformance',
    files: ['fakeDriver', 'fakeScan', 'fakeSession', 'fakeScanner', 'fakeSheet'],
    async suites() {
      const { fakeFeatures, fakeRig } = await built('test/conformance/dist/fakeRig.js');
      const { testJpeg } = await built('test/conformance/dist/testJpeg.js');
      const of = (options, features) => ({
        make: async () => fakeRig(options),
        features: { ...fakeFeatures, ...features },
      });
      const encoded = {
        mimeType: 'image/jpeg',
        data: testJpeg({ width: 64, height: 48 }).file,
        width: 64,
        height: 48,
        pixels: 'rgb24',
      };
      return [
        of({}, {}),
        of({ devices: [{ feeding: 'continuous' }] }, {}),
        of({ devices: [{ feeder: false, duplex: false }] }, { feeder: false, duplex: false }),
        of({ page: { padding: 5 }, adjusts: ['deskew'], turnsBacks: true }, {}),
        of({ encoded }, { controls: [], marks: [], largePage: undefined }),
      ];
    },
  },
  virtual: {
    folder: 'drivers/virtual',
    files: ['driver', 'session', 'scan', 'continuousFeed', 'faults', 'sheetStack', 'traySheets', 'capabilities'],
    async suites() {
      const { default: suites } = await built('drivers/virtual/dist/suites.test.kit.js');
      return ['duplex, feeder and flatbed', 'continuous', 'flatbed only'].map(name =>
        suites.find(each => each.name === name),
      );
    },
  },
};
