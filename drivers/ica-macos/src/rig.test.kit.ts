/** Shared by this package's tests: the helper over the simulated ImageCaptureCore, with folders as scanners. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childrenNamed, lacking as lackingOne } from '@platen/conformance';
import { nullLog, type DriverCode } from '@platen/core/plugin';
import type { DeviceDriver } from '@platen/driver-kit';
import { icaDriver } from './driver.js';
import { helperOf } from './helper.js';
import type { Deadlines, IcaOptions } from './settings.js';

export { never, orderOf, scanned } from '@platen/conformance';

/** Why the simulation cannot be built here; `false` if it can. In CI it must. */
export function lacking(): string | false {
  const compiler = lackingOne('gcc') || lackingOne('make') || lackingOne('python3') || lackingOne('gnustep-config');
  return compiler || lackingOne(execFileSync('gcc', ['-print-prog-name=cc1obj'], { encoding: 'utf8' }).trim());
}

const built = new Map<boolean, string>();

/** The helper's path; `sanitised`: under AddressSanitizer and UBSan. Built once for all test files. */
export function simulation(sanitised = false): string {
  const build = fileURLToPath(new URL('../native/simulation/build.mjs', import.meta.url));
  const program =
    built.get(sanitised) ??
    execFileSync(process.execPath, [build, ...(sanitised ? ['sanitised'] : [])], { encoding: 'utf8' });
  built.set(sanitised, program);
  return program;
}

export interface BodyOptions {
  /** Words of `is` (native/simulation/body.h). */
  readonly is: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Partial<IcaOptions>;
  readonly deadlines?: Partial<Deadlines>;
  readonly sanitised?: boolean;
  /** Another rig's folder: a second driver of the same scanner. */
  readonly root?: string;
  /** A second scanner, like the first. */
  readonly second?: boolean;
}

export interface Body {
  readonly driver: DeviceDriver;
  readonly deviceId: string;
  /** The scanner's folder, and the folder of all scanners. */
  readonly folder: string;
  readonly root: string;
  readonly said: string[];
  /** @param sheet as native/simulation/sheet.h of the SANE driver describes it */
  load(sheets: number, sheet?: string): Promise<void>;
  /** Into the feeder of the second scanner, `desk-2`. */
  loadSecond(sheets: number, sheet?: string): Promise<void>;
  remaining(): Promise<number>;
  /** A fault, by the simulation's name; sheet 0: the opening. */
  fault(sheet: number, word: string): Promise<void>;
  clearFaults(): Promise<void>;
  unplug(): Promise<void>;
  plug(): Promise<void>;
  dispose(): Promise<void>;
}

/** Deadlines that only what never comes passes. */
const patient = {
  list: 60_000,
  // A scanner that was unplugged does not come: with a new helper, its opening ends by this one, within the suite's own.
  look: 20_000,
  open: 60_000,
  ready: 60_000,
  select: 60_000,
  describe: 60_000,
  close: 60_000,
};

export async function bodyOf({
  is,
  files = {},
  options,
  deadlines,
  sanitised = false,
  root: shared,
  second = false,
}: BodyOptions): Promise<Body> {
  const root = shared ?? (await mkdtemp(join(tmpdir(), 'ica-')));
  const folder = join(root, 'desk');
  const beside = join(root, 'desk-2');
  for (const [each, name] of [[folder, 'Desk'], ...(second ? [[beside, 'Desk 2']] : [])] as const) {
    await mkdir(join(each, 'feeder'), { recursive: true });
    for (const [file, text] of Object.entries({ name, area: '105 148', ...files, is }))
      await writeFile(join(each, file), text);
  }
  const said: string[] = [];
  const say = (message: string) => void said.push(message);
  const env = {
    ...process.env,
    PLATEN_ICA_SIMULATION: root,
    ASAN_OPTIONS: 'detect_leaks=0',
    UBSAN_OPTIONS: 'print_stacktrace=1',
  };
  const driver = icaDriver({
    options: { transfer: 'memory', network: false, silenceSeconds: 60, ...options },
    log: { ...nullLog, info: say, warn: say, error: say },
    createHelper: helperOf(simulation(sanitised), env),
    // A busy machine answers slowly.
    deadlines: { ...patient, ...deadlines },
  });
  const off = join(folder, 'off');
  let loaded = 0;
  const loadInto = async (its: string, sheets: number, sheet: string) => {
    for (let i = 0; i < sheets; i++) await writeFile(join(its, 'feeder', String(++loaded).padStart(6, '0')), sheet);
  };
  return {
    driver,
    deviceId: 'desk',
    folder,
    root,
    said,
    load: (sheets, sheet = '') => loadInto(folder, sheets, sheet),
    loadSecond: (sheets, sheet = '') => loadInto(beside, sheets, sheet),
    remaining: async () => (await readdir(join(folder, 'feeder'))).length,
    fault: (sheet, word) => writeFile(join(folder, 'fault'), `${sheet} ${word}`),
    async clearFaults() {
      for (const file of [join(folder, 'fault'), off]) await rm(file, { force: true });
    },
    unplug: () => writeFile(off, ''),
    plug: () => rm(off, { force: true }),
    async dispose() {
      await driver.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Features as vendors have them, of each type: the first two are Canon's (github.com/klep/scanline/issues/21). */
export const vendorFeatures = [
  'boolean|CVF_DESCREEN|Descreen|Reduces a stripe pattern (moire).|1',
  'boolean|CVF_REDUCE_SHOW_THROGHT|Reduce Show-through||0',
  'enumeration|CVF_IMAGE_ADJUSTMENT|Image Adjustment|What the original is.|0=Auto,2=Photo,5=Document',
  'enumeration|paperDetection|Automatische Größenerkennung||Aus,Ein',
  'range|CVF_BRIGHTNESS|Brightness||-50,50,5,0',
].join('\n');

/** The simulation's name for each fault that a macOS scanner can have. */
export const words: Readonly<Partial<Record<DriverCode | 'hang', string>>> = {
  'no-paper': 'no-paper',
  'paper-jam': 'jam',
  busy: 'used',
  'device-offline': 'unplug',
  unsupported: 'invalid',
  cancelled: 'pressed',
  'driver-failed': 'broken',
  hang: 'deaf',
};

/** Process ids of the helpers that this process started and that still run. */
export const helpers = (): number[] => childrenNamed('platen-ica-helper');
