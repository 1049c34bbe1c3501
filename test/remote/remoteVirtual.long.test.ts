/**
 * The virtual driver at the far end of a socket passes the driver contract in each of its shapes, without a known gap.
 */
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driverContract, type DriverFeatures, type DriverRig } from '@platen/conformance';
import { driverCodes } from '@platen/core/driver';
import { nullLog, type Driver, type DriverCode } from '@platen/core/plugin';
import virtual from '@platen/driver-virtual';
import { remoteDriver, serveDriver } from '@platen/driver-remote';
import sharp from 'sharp';
import t from 'tap';

const NAME = 'A';
const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
/** 4 x 5.6 in at 100 dpi, white with a mark. */
const sheet = await sharp(await plain(400, 560, '#ffffff'))
  .composite([{ input: await plain(100, 80, '#202020'), left: 150, top: 200 }])
  .withDensity(100)
  .png()
  .toBuffer();
const mm = (pixels: number) => pixels * 0.254;
const mark = { area: { x: mm(150), y: mm(200), width: mm(100), height: mm(80) }, lightness: 0x20 };

interface Fault {
  readonly sheet: number;
  readonly fault: DriverCode | 'hang';
}

type ScannerOptions = Parameters<typeof virtual.setup>[0]['options']['scanners'][number];

async function virtualDriver(dir: string, options: Partial<ScannerOptions>, faults: readonly Fault[]): Promise<Driver> {
  const scanner = { name: NAME, tray: 'tray', ...options, faults };
  const { drivers = [] } = await virtual.setup({ options: { scanners: [scanner] }, log: nullLog, dataDir: dir });
  return drivers[0]!;
}

async function socketPair(path: string): Promise<[Socket, Socket]> {
  const server = createServer().listen(path);
  await once(server, 'listening');
  const dialled = connect(path);
  const [accepted] = (await once(server, 'connection')) as [Socket];
  server.close();
  return [dialled, accepted];
}

/** @param sheets that lie on the flatbed */
async function make(options: Partial<ScannerOptions>, sheets = 0): Promise<DriverRig> {
  const dir = await mkdtemp(join(tmpdir(), 'remote-'));
  const tray = join(dir, 'tray');
  await mkdir(tray);
  const faults: Fault[] = [];
  const driver = await virtualDriver(dir, options, faults);
  const [near, far] = await socketPair(join(dir, 'link'));
  const served = serveDriver(driver, far, { log: nullLog });
  const remote = remoteDriver(near, { id: 'remote', log: nullLog });
  for (let i = 0; i < sheets; i++) await put(join(tray, `flat${i}.png`));
  let loaded = 0;
  return {
    driver: remote,
    deviceId: NAME,
    async load(sheets) {
      for (let i = 0; i < sheets; i++) await put(join(tray, `sheet${++loaded}.png`));
    },
    remaining: async () => (await readdir(tray, { withFileTypes: true })).filter(entry => entry.isFile()).length,
    fault: async (at, fault) => void faults.splice(0, faults.length, { sheet: at, fault }),
    clearFaults: async () => void faults.splice(0, faults.length),
    async dispose() {
      await remote.close();
      await served;
      await driver.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Writes a file that is a minute old. */
async function put(path: string): Promise<void> {
  await writeFile(path, sheet);
  const past = new Date(Date.now() - 60_000);
  await utimes(path, past, past);
}

const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults: [...driverCodes, 'hang'],
  controls: ['area', 'sheets'],
  driverOptions: true,
  marks: [{ source: 'feeder', ...mark }],
  packageUrl: new URL(import.meta.resolve('@platen/driver-remote')),
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

// The suite mostly waits to check that something does not happen, so the shapes run side by side.
t.jobs = 6;
for (const [name, { options, features, sheets }] of Object.entries(shapes)) {
  t.test(name, { buffered: true }, t =>
    driverContract(t, { make: () => make(options, sheets), features: { ...full, ...features } }),
  );
}
