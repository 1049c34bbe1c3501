/** Finds the plugin whose driver has a scanner, one plugin at a time: then nothing else of the installation runs. */
import {
  loadPlugins,
  nullLog,
  ScanError,
  type Device,
  type Driver,
  type PluginEntry,
  type ContributionSet,
} from '@platen/core';
import { ConfigError } from '../../machine/configError.js';
import { loadSettings, type LoadPlace } from '../../service/loading.js';

/** How long a driver may look for its scanners. */
const LIST_MS = 60_000;

export interface WantedScanner {
  /** As `platen scan --list` prints it, or the driver's id of it. Absent: the only one. */
  readonly scanner?: string | undefined;
  readonly driver?: string | undefined;
}

export interface Candidate {
  readonly entry: PluginEntry;
  readonly driver: string;
  readonly device: Device;
}

export interface LoadedEntry {
  readonly registry: ContributionSet;
  /** The package and its version. */
  readonly plugin: string;
}

/** Loads one plugin into this process, isolated or not: the trace is taken there. */
export async function loadEntry(entry: PluginEntry, place: LoadPlace): Promise<LoadedEntry> {
  const { registry, reports } = await loadPlugins({
    ...loadSettings(place),
    entries: [{ ...entry, isolate: false, required: false }],
    log: () => nullLog,
  });
  const { use = entry.use, version = '' } = reports[0] ?? {};
  // A path may name somebody.
  const isPackage = /^(?:@[\w.-]+\/)?\w[\w.-]*$/.test(use);
  return { registry, plugin: `${isPackage ? use : '(a path)'} ${version}`.trim() };
}

/** @throws ScanError `device-not-found`; {ConfigError} if there are several scanners and none is named */
export async function findScanner(
  entries: readonly PluginEntry[],
  place: LoadPlace,
  { scanner, driver }: WantedScanner,
): Promise<Candidate> {
  const all: Candidate[] = [];
  let isElsewhere = false;
  for (const entry of entries) {
    const { registry } = await loadEntry(entry, place);
    try {
      for (const each of registry.drivers) {
        // Its scanners are another program's.
        isElsewhere ||= each.link !== undefined;
        if (each.link || (driver !== undefined && each.id !== driver)) continue;
        for (const device of await listed(each)) all.push({ entry, driver: each.id, device });
      }
    } finally {
      await registry.close();
    }
    const found = scanner === undefined ? undefined : all.find(({ device }) => isCalled(device, scanner));
    if (found) return found;
  }
  const names = [...new Set(all.map(({ device }) => `"${device.name}"`))].join(', ');
  if (scanner === undefined && all.length > 1)
    throw new ConfigError(
      `There are several scanners. Name one with --scanner, or its driver with --driver: ${names}.`,
      {
        code: 'usage',
      },
    );
  const [only] = all;
  if (scanner === undefined && only) return only;
  const what = scanner === undefined ? 'There is no scanner.' : `There is no scanner "${scanner}".`;
  const others = names === '' ? '' : ` There is: ${names}.`;
  const desktop = isElsewhere
    ? ' Scanners of the desktop application are traced where it runs: platen trace --host.'
    : '';
  throw new ScanError('device-not-found', `${what}${others}${desktop}`);
}

const isCalled = ({ name, id }: Device, wanted: string): boolean =>
  id === wanted || name.toLowerCase() === wanted.toLowerCase();

/** A driver that cannot list has no scanner to trace. */
async function listed(driver: Driver): Promise<Device[]> {
  const found: Device[] = [];
  try {
    for await (const device of driver.devices({ signal: AbortSignal.timeout(LIST_MS) })) found.push(device);
  } catch {
    // `platen doctor` says why.
  }
  return found;
}
