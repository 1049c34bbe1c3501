/** Shared by this package's tests: libsane with simulated backends, and their processes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childrenNamed, lacking as lackingOne } from '@platen/conformance';
import { nullLog, type DriverCode } from '@platen/core/plugin';
import { createHelper, type DeviceDriver, type Helper } from '@platen/driver-kit';
import { saneDriver } from './driver.js';
import { helperOf, repair, saneProgram, type MakeHelper } from './helper.js';
import type { Deadlines } from './settings.js';

export { never, orderOf, scanned } from '@platen/conformance';

/** Why tests with the real libsane cannot run here; `false` if they can. In CI they must. */
export function lacking(): string | false {
  return lackingOne(saneProgram.command) || lackingOne('scanimage') || lackingOne('cc');
}

export interface Body {
  readonly driver: DeviceDriver;
  readonly deviceId: string;
  /** The folder of SANE's configuration. */
  readonly config: string;
  /** Replaces /dev/bus/usb; empty. */
  readonly usb: string;
  readonly said: string[];
  dispose(): Promise<void>;
}

export interface BodyOptions {
  readonly deadlines?: Partial<Deadlines>;
  readonly devices?: readonly string[];
  /** Wraps each helper of the driver. */
  around?(helper: Helper): Helper;
  /** Instead of the native helper: a program with its arguments. */
  readonly program?: readonly [string, ...string[]];
}

type Files = Readonly<Record<string, string>>;

async function bodyOf(deviceId: string, files: Files, env: NodeJS.ProcessEnv, options: BodyOptions): Promise<Body> {
  const { deadlines, devices, around, program } = options;
  const config = await mkdtemp(join(tmpdir(), 'sane-'));
  const usb = join(config, 'usb');
  await mkdir(usb);
  for (const [name, text] of Object.entries(files)) await writeFile(join(config, name), text);
  const said: string[] = [];
  const say = (message: string) => void said.push(message);
  const make = program ? programOf(program) : helperOf({ configDir: config, dataDir: '/', env });
  const driver = saneDriver({
    options: { localOnly: true, silenceSeconds: 60, ...(devices ? { devices } : {}) },
    log: { ...nullLog, info: say, warn: say, error: say },
    createHelper: (log, wishes) => (around ? around(make(log, wishes)) : make(log, wishes)),
    ...(deadlines ? { deadlines } : {}),
    usb,
  });
  const dispose = async () => {
    await driver.close();
    await rm(config, { recursive: true, force: true });
  };
  return { driver, deviceId, config, usb, said, dispose };
}

function programOf([file, ...args]: readonly [string, ...string[]]): MakeHelper {
  return log => createHelper({ name: 'sane', command: file, args, log, repair, startMs: 60_000, exitMs: 500 });
}

/** Without libsane: the program answers instead. */
export function scripted(...program: readonly [string, ...string[]]): Promise<Body> {
  return bodyOf('fake:0', {}, {}, { program });
}

/** libsane's own `test` backend, with an area that holds A4. @param conf lines of its test.conf */
export function testBackend(options: BodyOptions = {}, conf: readonly string[] = []): Promise<Body> {
  const lines = ['geometry_max 300', 'number_of_devices 1', ...conf, ''];
  return bodyOf('test:0', { 'dll.conf': 'test\n', 'test.conf': lines.join('\n') }, {}, options);
}

export interface Simulated extends Body {
  /** @param sheet what is on it, as native/simulation/sheet.h describes; absent: a plain one */
  load(sheets: number, sheet?: string): Promise<void>;
  remaining(): Promise<number>;
  /** The sheet's fault, by the simulated backend's name; sheet 0: the opening. */
  fault(sheet: number, word: string): Promise<void>;
  clearFaults(): Promise<void>;
  /** Takes the scanner away, and says so as the kernel does. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
  /** Puts another scanner of the same kind beside it. */
  beside(name: string): Promise<{ readonly deviceId: string; load(sheets: number, sheet?: string): Promise<void> }>;
  readonly body: string;
  /** The environment in which libsane has only this scanner. */
  readonly env: NodeJS.ProcessEnv;
}

/** The backend of native/simulation: real libsane over a scanner whose paper and faults are files. */
export async function simulated(is: string, options: BodyOptions = {}): Promise<Simulated> {
  const made = await bodyOf('platen:0', { 'dll.conf': 'platen\n' }, { LD_LIBRARY_PATH: backend('platen') }, options);
  const body = join(made.config, 'body');
  const fault = join(body, 'fault');
  const unplugged = join(body, 'unplugged');
  const onUsb = join(made.usb, '001');
  await writeFile(onUsb, '');
  return {
    ...made,
    body,
    env: { ...process.env, SANE_CONFIG_DIR: made.config, LD_LIBRARY_PATH: backend('platen') },
    load: await scannerIn(body, is),
    remaining: async () => (await readdir(join(body, 'feeder'))).length,
    fault: (sheet, word) => writeFile(fault, `${sheet} ${word}`),
    clearFaults: () => rm(fault, { force: true }),
    async unplug() {
      await writeFile(unplugged, '');
      await rm(onUsb);
    },
    async plug() {
      await rm(unplugged);
      await writeFile(onUsb, '');
    },
    beside: async name => ({
      deviceId: `platen:${name}`,
      load: await scannerIn(join(made.config, 'bodies', name), is),
    }),
  };
}

/** A simulated scanner's folder. @returns loads its feeder */
async function scannerIn(body: string, is: string): Promise<Simulated['load']> {
  const feeder = join(body, 'feeder');
  await mkdir(feeder, { recursive: true });
  await writeFile(join(body, 'is'), is);
  let loaded = 0;
  return async (sheets, sheet = '') => {
    for (let i = 0; i < sheets; i++) await writeFile(join(feeder, String(++loaded).padStart(6, '0')), sheet);
  };
}

export interface Bad extends Body {
  /** Devices came or went; resolves when the driver knows. */
  changed(): Promise<void>;
  /** What the backend's next search does; with `none`, it finds a scanner that does not open. */
  breaks(word: 'crash' | 'none'): Promise<void>;
}

/** libsane's `test` backend with one scanner, and a backend that breaks in the search. */
export async function withBadBackend(breaks: 'crash' | 'hang' | 'none', options: BodyOptions = {}): Promise<Bad> {
  const files = { 'dll.conf': 'test\nbad\n', 'test.conf': 'number_of_devices 1\ngeometry_max 300\n' };
  const folder = await mkdtemp(join(tmpdir(), 'sane-bad-'));
  const made = await bodyOf('test:0', files, { LD_LIBRARY_PATH: backend('bad'), BAD_FOLDER: folder }, options);
  const file = join(folder, 'breaks');
  await writeFile(file, breaks);
  let changes = 0;
  let told = 0;
  const end = made.driver.watch!(() => void told++);
  return {
    ...made,
    breaks: word => writeFile(file, word),
    async changed() {
      const before = told;
      await writeFile(join(made.usb, `device-${++changes}`), '');
      while (told === before) await pause(10);
    },
    async dispose() {
      end();
      await made.dispose();
      await rm(folder, { recursive: true });
    },
  };
}

const built = new Map<string, string>();

/** Compiles a backend once per process; the folder is removed at the process's end. */
function backend(name: keyof typeof sources): string {
  const before = built.get(name);
  if (before) return before;
  const folder = mkdtempSync(join(tmpdir(), `sane-${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const source = fileURLToPath(new URL(sources[name], import.meta.url));
  execFileSync('cc', ['-std=gnu11', '-shared', '-fPIC', '-o', join(folder, `libsane-${name}.so.1`), source]);
  built.set(name, folder);
  return folder;
}

const sources = { platen: '../native/simulation/platen.c', bad: '../fixtures/bad.c' };

/** SANE's name for each fault that a device can have. */
export const words: Readonly<Partial<Record<DriverCode | 'hang', string>>> = {
  'no-paper': 'NO_DOCS',
  'paper-jam': 'JAMMED',
  'cover-open': 'COVER_OPEN',
  busy: 'DEVICE_BUSY',
  'device-offline': 'IO_ERROR',
  unsupported: 'UNSUPPORTED',
  cancelled: 'CANCELLED',
  'driver-failed': 'NO_MEM',
};

/** Process ids of the helpers that this process started and that still run. */
export const helpers = (): number[] => childrenNamed('platen-sane-helper');
