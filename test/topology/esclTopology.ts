/**
 * Network scanners: the service calls test devices of @platen/driver-escl/testing on loopback, one a role, in the
 * test's own process.
 */
import { millimetres } from '@platen/core/driver';
import {
  startDevice,
  type Area,
  type Device,
  type DeviceOptions,
  type Fault as DeviceFault,
  type SheetImages,
} from '@platen/driver-escl/testing';
import sharp from 'sharp';
import { sheetFaults, topologyOf, type Scanners } from './fixture.js';
import { drawSide, type Sheet } from './sheets.js';
import { roles, type Fault, type Fixture, type Role, type Topology } from './topology.js';

type Body = Omit<DeviceOptions, 'model'> & { readonly name: string; readonly faults?: readonly Fault[] };

const units = ({ width, height }: Area): Area => ({
  width: Math.round((width / 25.4) * 300),
  height: Math.round((height / 25.4) * 300),
});

/** 1-bit pages, which JPEG cannot hold, arrive as TIFF, as from some devices. */
const usual = { resolutions: [75, 100, 150, 200, 300], formats: ['image/jpeg', 'image/tiff'] } as const;
const feeder = { feeder: 'simplex', flatbed: false } as const;
const scannerByRole: Readonly<Record<Role, Body>> = {
  duplex: { name: 'Duplex feeder', feeder: 'duplex', flatbed: false, forgets: true },
  flatbed: { name: 'Glas & Söhne 50% A/B?', feeder: 'none' },
  both: { name: 'Feeder and flatbed', feeder: 'simplex' },
  small: {
    name: 'Card scanner',
    ...feeder,
    resolutions: [150, 300],
    colorModes: ['Grayscale8'],
    feederArea: units(millimetres.Executive),
  },
  jamming: { name: 'Jamming feeder', ...feeder, faults: [{ sheet: 2, fault: 'paper-jam' }] },
  hanging: { name: 'Hanging feeder', ...feeder, faults: [{ sheet: 2, fault: 'hang' }] },
  slow: { name: 'Slow feeder', ...feeder, sideMs: 600 },
  blind: { name: 'Blind feeder', ...feeder, sensor: false },
};

/**
 * The device's names of faults. A sheet that jams stays in the feeder. A busy device answers so before the first sheet.
 */
const words: Readonly<Record<string, DeviceFault>> = {
  'paper-jam': 'mispick',
  'double-feed': 'multipick',
  'cover-open': 'hatch',
  'device-offline': 'offline',
  'driver-failed': 'aborted',
  cancelled: 'gone',
  hang: 'hang',
};

const facts = { name: 'network scanners of the service', roles, faults: Object.keys(words) };

export const esclTopology: Topology = {
  ...facts,
  async start(options) {
    const network = createNetwork();
    const fixture = await topologyOf(facts, () => network.scanners)
      .start(options)
      .catch(async (error: unknown) => {
        await network.close();
        throw error;
      });
    const withNetwork = (service: Fixture): Fixture => ({
      ...service,
      async again() {
        network.forgetClient();
        return withNetwork(await service.again());
      },
      async stop() {
        const exit = await service.stop();
        await network.close();
        return exit;
      },
    });
    return withNetwork(fixture);
  },
};

interface Network {
  readonly scanners: Scanners;
  /** The devices end the job of a service that was killed. */
  forgetClient(): void;
  close(): Promise<void>;
}

/** Addresses of the devices of a fixture, which run beside its service. */
function createNetwork(): Network {
  const devices = new Map<Role, Device>();
  /** The number of sheets that were scanned before the last load. */
  const before = new Map<Role, number>();
  const device = (role: Role): Device => {
    const found = devices.get(role);
    if (!found) throw new Error(`There is no device ${role}.`);
    return found;
  };
  async function insert(role: Role, sheets: readonly Sheet[]): Promise<void> {
    await device(role).insert(await Promise.all(sheets.map(imagesOf)));
    // Inserting paper also clears the device's fault.
    device(role).detect(undefined);
  }
  const scanners: Scanners = {
    name: role => scannerByRole[role].name,
    build: async () => undefined,
    async script(_dataDir, faults) {
      for (const role of roles) {
        const { name, faults: own = [], ...build } = scannerByRole[role];
        const started = await startDevice({ model: name, ...usual, ...build });
        devices.set(role, started);
        for (const { sheet, fault } of sheetFaults(faults[role] ?? own)) started.fault(sheet, wordFor(fault));
      }
    },
    plugins: () => [
      {
        use: '@platen/driver-escl',
        options: { devices: roles.map(role => device(role).url), discovery: false, feeding: 'perSheet' },
      },
    ],
    async load(_dataDir, role, sheets) {
      before.set(role, device(role).fed);
      device(role).empty();
      if (scannerByRole[role].feeder !== 'none') await insert(role, sheets);
      else if (sheets[0]) await device(role).lay((await imagesOf(sheets[0])).front);
    },
    insert: (_dataDir, role, sheets) => insert(role, sheets),
    waiting: async (_dataDir, role) => device(role).remaining(),
    scanned: async (_dataDir, role) => device(role).fed - (before.get(role) ?? 0),
    unplug: async (_dataDir, role) => device(role).unplug(),
    plugIn: async (_dataDir, role) => device(role).plug(),
    async hang(_dataDir, role, when) {
      await device(role).clearFaults();
      if (when) device(role).fault('always', when === 'open' ? 'deaf' : 'deafToEnd');
    },
    comeLater: true,
    tray() {
      throw new Error('A network scanner has no folder for its paper.');
    },
  };
  return {
    scanners,
    forgetClient: () => devices.forEach(each => each.expire()),
    close: async () => void (await Promise.all([...devices.values()].map(each => each.close()))),
  };
}

const drawn = new Map<string, Promise<Uint8Array>>();

async function imagesOf({ front, back, size }: Sheet): Promise<Extract<SheetImages, { front: Uint8Array }>> {
  const draw = (name: string, side: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    const image = drawn.get(name) ?? side();
    drawn.set(name, image);
    return image;
  };
  return {
    front: await draw(`${front} ${size}`, () => drawSide(front, size)),
    back: await (back === undefined ? draw('blank', drawBlank) : draw(`${back} ${size}`, () => drawSide(back, size))),
  };
}

/** The area without paper is white, too. */
function drawBlank(): Promise<Uint8Array> {
  return sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
    .withDensity(1)
    .png()
    .toBuffer();
}

function wordFor(fault: string): DeviceFault {
  const word = words[fault];
  if (word === undefined) throw new Error(`A network scanner cannot have the fault ${fault}.`);
  return word;
}
