/** Scanners behind the real libsane inside the service: simulated scanners of drivers/sane's test backend. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs, type NeedyTest } from '@platen/conformance';
import { millimetres } from '@platen/core/driver';
import { helperPath } from '@platen/driver-kit';
import { sheetFaults, topologyOf, type Scanners } from './fixture.js';
import { countSheets, insertSheets } from './sheetFolder.js';
import { roles, type Fault, type Role, type Topology } from './topology.js';

/** A scanner's files, as drivers/sane/native/simulation/platen.c reads them. */
interface Body {
  /** The first word is the manufacturer. */
  readonly name: string;
  readonly is: string;
  readonly faults?: readonly Fault[];
  readonly resolutions?: readonly number[];
  /** Millimetres. */
  readonly area?: readonly [number, number];
  readonly sideMs?: number;
}

const feeder = 'feeder sensors';
const scannerByRole: Readonly<Record<Role, Body>> = {
  duplex: { name: 'Duplex feeder', is: `${feeder} duplex-source` },
  flatbed: { name: 'Glas & Söhne 50% A/B?', is: 'flatbed document' },
  both: { name: 'Feeder and flatbed', is: `${feeder} flatbed document` },
  small: {
    name: 'Card scanner',
    is: `${feeder} grey`,
    resolutions: [150, 300],
    area: [millimetres.Executive.width, millimetres.Executive.height],
  },
  jamming: { name: 'Jamming feeder', is: feeder, faults: [{ sheet: 2, fault: 'paper-jam' }] },
  hanging: { name: 'Hanging feeder', is: feeder, faults: [{ sheet: 2, fault: 'hang' }] },
  slow: { name: 'Slow feeder', is: feeder, sideMs: 600 },
  blind: { name: 'Blind feeder', is: 'feeder' },
};

/** The backend's names of faults. SANE has none for a scanner that is too slow or in use by another program. */
const words: Readonly<Record<string, string>> = {
  'paper-jam': 'JAMMED',
  'double-feed': 'DOUBLE_FEED',
  'cover-open': 'COVER_OPEN',
  'device-offline': 'IO_ERROR',
  'driver-failed': 'NO_MEM',
  unsupported: 'UNSUPPORTED',
  busy: 'DEVICE_BUSY',
  cancelled: 'CANCELLED',
  hang: 'DEAF',
};

export const saneTopology: Topology = topologyOf(
  { name: 'SANE in the service', roles, faults: Object.keys(words) },
  saneScanners,
);

function saneScanners(): Scanners {
  const bodyOf = (dataDir: string, role: Role): string => join(dataDir, 'sane', 'bodies', role);
  const tray = (dataDir: string, role: Role): string => join(bodyOf(dataDir, role), 'feeder');
  return {
    name: role => scannerByRole[role].name,
    env: { LD_LIBRARY_PATH: backend() },
    async build(dataDir) {
      for (const role of roles) {
        await mkdir(tray(dataDir, role), { recursive: true });
        await mkdir(join(bodyOf(dataDir, role), 'scanned'));
        for (const [file, text] of Object.entries(filesOf(scannerByRole[role])))
          await writeFile(join(bodyOf(dataDir, role), file), text, 'latin1');
      }
      await writeFile(join(dataDir, 'sane', 'dll.conf'), 'platen\n');
    },
    async script(dataDir, faults) {
      for (const role of roles) {
        const lines = sheetFaults(faults[role] ?? scannerByRole[role].faults).map(
          ({ sheet, fault }) => `${sheet} ${wordFor(fault)}\n`,
        );
        await writeFile(join(bodyOf(dataDir, role), 'fault'), lines.join(''));
      }
    },
    plugins: () => [{ use: '@platen/driver-sane', options: { configDir: 'sane', localOnly: true } }],
    async load(dataDir, role, sheets) {
      for (const folder of ['feeder', 'scanned']) {
        await rm(join(bodyOf(dataDir, role), folder), { recursive: true, force: true });
        await mkdir(join(bodyOf(dataDir, role), folder));
      }
      await insertSheets(tray(dataDir, role), sheets);
    },
    insert: (dataDir, role, sheets) => insertSheets(tray(dataDir, role), sheets),
    waiting: (dataDir, role) => countSheets(tray(dataDir, role)),
    scanned: (dataDir, role) => countSheets(join(bodyOf(dataDir, role), 'scanned')),
    unplug: (dataDir, role) => writeFile(join(bodyOf(dataDir, role), 'off'), ''),
    plugIn: (dataDir, role) => rm(join(bodyOf(dataDir, role), 'off')),
    async hang(dataDir, role, when) {
      for (const each of ['open', 'close']) await rm(join(bodyOf(dataDir, role), `hangs-${each}`), { force: true });
      if (when) await writeFile(join(bodyOf(dataDir, role), `hangs-${when}`), '');
    },
    tray,
    comeLater: true,
  };
}

function filesOf({ name, is, resolutions = [75, 100, 150, 200, 300], area, sideMs }: Body): Record<string, string> {
  return {
    is,
    // Latin-1, like all names in SANE.
    name: `${name.split(' ')[0]}\n${name}`,
    resolutions: resolutions.join(' '),
    ...(area && { area: area.join(' ') }),
    ...(sideMs !== undefined && { 'side-ms': String(sideMs) }),
  };
}

function wordFor(fault: string): string {
  const word = words[fault];
  if (word === undefined) throw new Error(`A SANE scanner cannot have the fault ${fault}.`);
  return word;
}

let built: string | undefined;

/** Whether this topology can run: it needs libsane, the driver's helper and a compiler. */
export function needsSane(t: NeedyTest): boolean {
  const helper = helperPath(
    new URL('.', import.meta.resolve('@platen/driver-sane/package.json')),
    'platen-sane-helper',
  );
  return ['cc', 'scanimage', helper].every(program => needs(t, program));
}

/** The folder with the backend, compiled once for a test file and removed at its end. */
export function backend(): string {
  if (built) return built;
  const folder = mkdtempSync(join(tmpdir(), 'platen-backend-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const source = new URL('native/simulation/platen.c', import.meta.resolve('@platen/driver-sane/package.json'));
  execFileSync('cc', [
    '-std=gnu11',
    '-O2',
    '-shared',
    '-fPIC',
    '-o',
    join(folder, 'libsane-platen.so.1'),
    fileURLToPath(source),
  ]);
  return (built = folder);
}
