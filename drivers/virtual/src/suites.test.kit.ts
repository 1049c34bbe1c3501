/** The virtual driver's suites: in each of its shapes, without a gap. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineSuites, type DriverFeatures, type DriverRig } from '@platen/conformance';
import { driverCodes, nullLog } from '@platen/core/plugin';
import sharp from 'sharp';
import { virtualDriver } from './driver.js';
import { readOptions, type Fault, type ScannerOptions } from './options.js';
import { deviceId, files, plain, put } from './rig.test.kit.js';

/** 4 x 5.6 in at 100 dpi, white with a mark. */
const sheet = await sharp(await plain(400, 560, '#ffffff', 100))
  .composite([{ input: await plain(100, 80, '#202020'), left: 150, top: 200 }])
  .withDensity(100)
  .png()
  .toBuffer();
const mm = (pixels: number) => pixels * 0.254;
const mark = { area: { x: mm(150), y: mm(200), width: mm(100), height: mm(80) }, lightness: 0x20 };

/** @param sheets that lie on the flatbed */
async function make(options: Partial<ScannerOptions>, sheets = 0): Promise<DriverRig> {
  const dir = await mkdtemp(join(tmpdir(), 'virtual-'));
  const tray = join(dir, 'tray');
  await mkdir(tray);
  const faults: Fault[] = [];
  const driver = virtualDriver(
    readOptions({ scanners: [{ name: deviceId, tray: 'tray', ...options, faults }] }, dir),
    nullLog,
  );
  for (let i = 0; i < sheets; i++) await put(tray, `flat${i}.png`, sheet);
  let loaded = 0;
  return {
    driver,
    deviceId,
    async load(more) {
      for (let i = 0; i < more; i++) await put(tray, `sheet${++loaded}.png`, sheet);
    },
    remaining: async () => (await files(tray)).length,
    fault: async (at, fault) => void faults.splice(0, faults.length, { sheet: at, fault }),
    clearFaults: async () => void faults.splice(0, faults.length),
    dispose: () => rm(dir, { recursive: true, force: true }),
  };
}

const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults: [...driverCodes, 'hang'],
  controls: ['area', 'sheets'],
  driverOptions: true,
  marks: [{ source: 'feeder', ...mark }],
  packageUrl: new URL('./plugin.js', import.meta.url),
};
const shapes: Readonly<
  Record<string, { options: Partial<ScannerOptions>; features?: Partial<DriverFeatures>; sheets?: number }>
> = {
  'duplex, feeder and flatbed': { options: { duplex: true, flatbed: true } },
  'simplex, feeder only': { options: {}, features: { duplex: false, flatbed: false } },
  continuous: { options: { duplex: true, flatbed: true, feeding: 'continuous' } },
  'flatbed only': {
    options: { feeder: false, flatbed: true },
    features: { feeder: false, duplex: false, controls: ['area'], marks: [{ source: 'flatbed', ...mark }] },
    sheets: 1,
  },
  'no paper sensor': { options: { duplex: true, flatbed: true, paperSensor: false } },
  slow: { options: { duplex: true, flatbed: true, msPerPage: 20 } },
};

export default defineSuites(
  Object.entries(shapes).map(([name, { options, features, sheets }]) => ({
    kind: 'driver',
    name,
    make: () => make(options, sheets),
    features: { ...full, ...features },
  })),
);
