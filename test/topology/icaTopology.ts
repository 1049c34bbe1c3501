/**
 * A Mac's scanners in the service: the driver and its helper over the simulated ImageCaptureCore, where a scanner
 * is a folder.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs, type NeedyTest } from '@platen/conformance';
import { sheetFaults, topologyOf, type Scanners } from './fixture.js';
import { countSheets, insertSheets } from './sheetFolder.js';
import type { Fault, Role, Topology } from './topology.js';

/** A scanner's files, as drivers/ica-macos/native/simulation/body.h describes them. */
interface Body {
  readonly name: string;
  readonly is: string;
  readonly faults?: readonly Fault[];
  readonly sideMs?: number;
}

const scannerByRole: Readonly<Partial<Record<Role, Body>>> = {
  duplex: { name: 'Duplex feeder', is: 'feeder sensor duplex' },
  flatbed: { name: 'Glas & Söhne 50% A/B?', is: 'flatbed document' },
  both: { name: 'Feeder and flatbed', is: 'feeder sensor flatbed document' },
  jamming: { name: 'Jamming feeder', is: 'feeder sensor', faults: [{ sheet: 2, fault: 'paper-jam' }] },
  hanging: { name: 'Hanging feeder', is: 'feeder sensor', faults: [{ sheet: 2, fault: 'hang' }] },
  slow: { name: 'Slow feeder', is: 'feeder sensor', sideMs: 600 },
  blind: { name: 'Blind feeder', is: 'feeder' },
};
const roles = Object.keys(scannerByRole) as Role[];

const words: Readonly<Record<string, string>> = {
  'paper-jam': 'jam',
  'double-feed': 'double',
  'cover-open': 'cover',
  'device-offline': 'unplug',
  'driver-failed': 'broken',
  unsupported: 'invalid',
  busy: 'used',
  cancelled: 'pressed',
  hang: 'deaf',
};

export const icaTopology: Topology = topologyOf(
  { name: 'a Mac’s scanners in the service', roles, faults: Object.keys(words) },
  icaScanners,
);

const at = (path: string): string =>
  fileURLToPath(new URL(path, import.meta.resolve('@platen/driver-ica-macos/package.json')));

function icaScanners(): Scanners {
  const folderOf = (dataDir: string, role: Role): string => join(dataDir, 'ica', role);
  const tray = (dataDir: string, role: Role): string => join(folderOf(dataDir, role), 'feeder');
  return {
    name: role => bodyOf(role).name,
    async build(dataDir) {
      for (const role of roles) {
        await mkdir(tray(dataDir, role), { recursive: true });
        await mkdir(join(folderOf(dataDir, role), 'scanned'));
        const { name, is, sideMs = 0 } = bodyOf(role);
        for (const [file, text] of Object.entries({
          name,
          is,
          'side-ms': String(sideMs),
          area: '215.9 279.4',
          resolutions: '75 100 150 200 300',
        }))
          await writeFile(join(folderOf(dataDir, role), file), text);
      }
    },
    async script(dataDir, faults) {
      for (const role of roles) {
        const lines = sheetFaults(faults[role] ?? bodyOf(role).faults).map(
          ({ sheet, fault }) => `${sheet} ${words[fault] ?? fault}\n`,
        );
        await writeFile(join(folderOf(dataDir, role), 'fault'), lines.join(''));
      }
    },
    plugins: () => [{ use: at('dist/simulated.test.kit.js'), options: { program: simulation() } }],
    async load(dataDir, role, sheets) {
      for (const folder of ['feeder', 'scanned']) {
        await rm(join(folderOf(dataDir, role), folder), { recursive: true, force: true });
        await mkdir(join(folderOf(dataDir, role), folder));
      }
      await insertSheets(tray(dataDir, role), sheets);
    },
    insert: (dataDir, role, sheets) => insertSheets(tray(dataDir, role), sheets),
    waiting: (dataDir, role) => countSheets(tray(dataDir, role)),
    scanned: (dataDir, role) => countSheets(join(folderOf(dataDir, role), 'scanned')),
    unplug: (dataDir, role) => writeFile(join(folderOf(dataDir, role), 'off'), ''),
    plugIn: (dataDir, role) => rm(join(folderOf(dataDir, role), 'off')),
    hang: (dataDir, role, when) =>
      writeFile(join(folderOf(dataDir, role), 'fault'), when ? `0 ${when === 'open' ? 'deaf' : 'unclosed'}\n` : ''),
    tray,
    comeLater: true,
  };
}

function bodyOf(role: Role): Body {
  const body = scannerByRole[role];
  if (!body) throw new Error(`There is no scanner ${role}.`);
  return body;
}

let built: string | undefined;

/** The helper over the simulation; built if it is missing. */
export function simulation(): string {
  built ??= execFileSync(process.execPath, [at('native/simulation/build.mjs')], { encoding: 'utf8' });
  return built;
}

/** Whether the simulation can be built: it needs an Objective-C compiler and GNUstep. */
export function needsIca(t: NeedyTest): boolean {
  if (!['gcc', 'make', 'python3', 'gnustep-config'].every(program => needs(t, program))) return false;
  return needs(t, execFileSync('gcc', ['-print-prog-name=cc1obj'], { encoding: 'utf8' }).trim());
}
