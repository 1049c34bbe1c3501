/** The topology of a new installation: virtual scanners in the service. */
import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nextSheet, topologyOf, type Scanners } from './fixture.js';
import { drawSide, type Sheet } from './sheets.js';
import { roles, type Role, type Topology } from './topology.js';

const resolutions = [75, 100, 150, 200, 300];

/** One scanner per role. The flatbed's name must be encoded in a path. */
const scannerByRole: Readonly<Record<Role, { readonly name: string } & Readonly<Record<string, unknown>>>> = {
  duplex: { name: 'Duplex feeder', feeder: true, duplex: true, resolutions },
  flatbed: { name: 'Glas & Söhne 50% A/B?', feeder: false, flatbed: true, resolutions },
  both: { name: 'Feeder and flatbed', feeder: true, flatbed: true, resolutions },
  small: {
    name: 'Card scanner',
    resolutions: [150, 300],
    colorModes: ['Grayscale'],
    pageSizes: ['A6', 'A5', 'Executive'],
  },
  jamming: { name: 'Jamming feeder', resolutions, faults: [{ sheet: 2, fault: 'paper-jam' }] },
  hanging: { name: 'Hanging feeder', resolutions, faults: [{ sheet: 2, fault: 'hang' }] },
  slow: { name: 'Slow feeder', resolutions, msPerPage: 600 },
  blind: {
    name: 'Blind feeder',
    resolutions,
    paperSensor: false,
    largest: 'A3',
    pageSizes: ['Letter', 'Legal', 'A4', 'A3'],
  },
};

export const virtualTopology: Topology = topologyOf({ name: 'virtual in the service', roles, faults: 'all' }, () =>
  virtualScanners(),
);

/** @param entry keys of the plugin's entry in the configuration, beside its options */
export function virtualScanners(entry: object = {}): Scanners {
  const tray = (dataDir: string, role: Role): string => join(dataDir, 'trays', role);
  return {
    name: role => scannerByRole[role].name,
    async build(dataDir) {
      for (const role of roles) await mkdir(tray(dataDir, role), { recursive: true });
    },
    plugins(faults) {
      const scanners = roles.map(role => {
        const { name, ...rest } = scannerByRole[role];
        // The flatbed of "both" has the built-in document; the tray is its feeder.
        return { name, tray: `trays/${role}`, ...rest, ...(faults[role] ? { faults: faults[role] } : {}) };
      });
      return [{ use: '@platen/driver-virtual', ...entry, options: { scanners } }];
    },
    async load(dataDir, role, sheets) {
      await emptyTray(tray(dataDir, role));
      await insertInto(tray(dataDir, role), sheets);
    },
    insert: (dataDir, role, sheets) => insertInto(tray(dataDir, role), sheets),
    waiting: (dataDir, role) => countSheets(tray(dataDir, role)),
    scanned: (dataDir, role) => countSheets(join(tray(dataDir, role), 'scanned')),
    unplug: (dataDir, role) => rm(tray(dataDir, role), { recursive: true }),
    plugIn: async (dataDir, role) => void (await mkdir(tray(dataDir, role))),
    tray,
  };
}

/** The folder itself stays: a concurrent discovery would find the scanner unplugged and log a warning. */
async function emptyTray(tray: string): Promise<void> {
  await mkdir(tray, { recursive: true });
  for (const name of await readdir(tray)) await rm(join(tray, name), { recursive: true, force: true });
}

async function insertInto(tray: string, sheets: readonly Sheet[]): Promise<void> {
  for (const { front, back, size } of sheets) {
    const stem = nextSheet();
    await insertFile(tray, `${stem}.front.png`, await drawSide(front, size));
    if (back !== undefined) await insertFile(tray, `${stem}.back.png`, await drawSide(back, size));
  }
}

/** Puts a file into a tray with an old time of modification, so that it counts as complete. */
export async function insertFile(tray: string, name: string, bytes: string | Uint8Array): Promise<void> {
  const file = join(tray, name);
  const before = new Date(Date.now() - 60_000);
  await writeFile(`${file}.tmp`, bytes);
  await utimes(`${file}.tmp`, before, before);
  await rename(`${file}.tmp`, file);
}

async function countSheets(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return new Set(names.filter(name => /\.\w+$/.test(name)).map(name => name.replace(/\..*$/, ''))).size;
}
