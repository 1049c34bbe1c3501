/** The virtual driver's suites: in each of its shapes, without a gap. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineSuites, type DriverFeatures, type DriverRig } from '@platen/conformance';
import { driverCodes } from '@platen/core/driver';
import { nullLog } from '@platen/core/plugin';
import sharp from 'sharp';
import { virtualDriver } from './driver.js';
import { readOptions, type Fault, type ScannerOptions } from './options.js';
import { deviceId, files, plain, put } from './rig.test.kit.js';

/** 4 x 5.6 in at the resolution of most scans of the suite, so that they resample nothing; white with a mark. */
const sheet = await sharp(await plain(300, 420, '#ffffff', 75))
  .composite([{ input: await plain(75, 60, '#202020'), left: 112, top: 150 }])
  .withDensity(75)
  .png()
  .toBuffer();
const mm = (pixels: number) => (pixels * 25.4) / 75;
const mark = { area: { x: mm(112), y: mm(150), width: mm(75), height: mm(60) }, lightness: 0x20 };

/** @param sheets that lie on the flatbed */
async function make(options: Partial<ScannerOptions>, sheets = 0): Promise<DriverRig> {
  const dir = await mkdtemp(join(tmpdir(), 'virtual-'));
  const [tray, secondTray, unplugged] = ['tray', 'second', 'unplugged'].map(name => join(dir, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([tray, secondTray].map(each => mkdir(each)));
  const faults: Fault[] = [];
  const scanners = [
    { name: deviceId, tray: 'tray', ...options, faults },
    { name: 'B', tray: 'second', ...options },
  ];
  const driver = virtualDriver(readOptions({ scanners }, dir), nullLog);
  for (const each of [tray, secondTray]) for (let i = 0; i < sheets; i++) await put(each, `flat${i}.png`, sheet);
  let loaded = 0;
  const loadInto = async (folder: string, more: number) => {
    for (let i = 0; i < more; i++) await put(folder, `sheet${String(++loaded).padStart(4, '0')}.png`, sheet);
  };
  return {
    driver,
    deviceId,
    load: more => loadInto(tray, more),
    second: { deviceId: 'B', load: more => loadInto(secondTray, more) },
    remaining: async () => (await files(tray)).length,
    fault: async (at, fault) => void faults.splice(0, faults.length, { sheet: at, fault }),
    async tear(at) {
      const file = (await files(tray))[at - 1]!;
      await put(tray, file, sheet.subarray(0, sheet.length >> 1));
    },
    clearFaults: async () => void faults.splice(0, faults.length),
    /** A scanner is where its tray is. */
    async unplug() {
      await rename(tray, unplugged);
      await writeFile(tray, 'not a folder');
    },
    async plug() {
      await rm(tray);
      await rename(unplugged, tray);
    },
    dispose: () => rm(dir, { recursive: true, force: true }),
  };
}

const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults: [...driverCodes, 'hang'],
  tears: true,
  unplugs: true,
  devices: 2,
  largePage: { resolution: 300, colorMode: 'Color' },
  controls: ['area', 'sheets'],
  driverOptions: true,
  marks: [{ source: 'feeder', ...mark }],
  // A busy machine may be slower than a scanner.
  timeoutMs: 60_000,
  packageUrl: new URL('./plugin.js', import.meta.url),
};
const shapes: Readonly<
  Record<string, { options: Partial<ScannerOptions>; features?: Partial<DriverFeatures>; sheets?: number }>
> = {
  'duplex, feeder and flatbed': { options: { duplex: true, flatbed: true } },
  continuous: { options: { duplex: true, flatbed: true, feeding: 'continuous' } },
  'flatbed only': {
    options: { feeder: false, flatbed: true },
    features: { feeder: false, duplex: false, controls: ['area'], marks: [{ source: 'flatbed', ...mark }] },
    sheets: 1,
  },
  'simplex, feeder only': { options: {}, features: { duplex: false, flatbed: false } },
  'no paper sensor': { options: { duplex: true, flatbed: true, paperSensor: false } },
  slow: { options: { duplex: true, flatbed: true, msPerPage: 20 } },
};

export default defineSuites(
  Object.entries(shapes).map(([name, { options, features, sheets }], at) => ({
    kind: 'driver',
    name,
    make: () => make(options, sheets),
    // 200 pages of one shape tell what is kept of a page; the others have fewer sheets, for the tests' time.
    features: { ...full, ...(at > 0 && { pages: 20 }), ...features },
  })),
);

/** The plugin takes no options without scanners. */
export const options = { scanners: [{ name: 'Scanner', samples: 3 }] };
