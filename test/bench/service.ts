/** A service for the benchmark: a process of its own with default limits, and scanners that cost nothing. */
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installCertificate } from '../topology/certificate.js';
import { serve, unitMemory } from '../topology/platen.js';
import type { StackOptions } from './plugin/stacks.js';
import type { MemoryLimit } from './memoryLimit.js';
import { sheet, type SheetSize } from './sheets.js';

export interface Service {
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** The most memory that the process ever had resident, in bytes; undefined where the system does not say. */
  peakBytes(): Promise<number | undefined>;
  /** Milliseconds of the processor that it has used so far, in all threads; undefined where the system does not say. */
  processorMs(): Promise<number | undefined>;
  /** @throws where it ends with a failure */
  stop(): Promise<void>;
}

const plugin = fileURLToPath(new URL('./plugin/stacks.js', import.meta.url));

export interface ServiceWishes {
  /** Raw pages. */
  readonly files: readonly string[];
  /** A scanner for each: how many sheets it has. */
  readonly stacks: readonly number[];
  /** The pages are in memory before a scan begins. */
  readonly hold: boolean;
  /** A4 at 300 dpi if absent. */
  readonly size?: SheetSize;
  /** Where the driver records each page's last byte. */
  readonly log?: string;
  /** A socket on which the plugin prepares the pages of the next scan: they cost that scan nothing. */
  readonly ready?: string;
}

export function startService(folder: string, wishes: ServiceWishes, start: StartWishes = {}): Promise<Service> {
  return startServiceWith(folder, stacksOf(wishes), start);
}

/** Resolves when the plugin at this socket has the pages of the next scan in memory. */
export async function prepare(ready: string): Promise<void> {
  await once(connect(ready).resume(), 'close');
}

/** The plugin that brings such scanners, as an entry of a configuration. */
export function stacksOf({ size: { width, height, dpi } = sheet, ...wishes }: ServiceWishes): {
  readonly use: string;
  readonly options: StackOptions;
} {
  return { use: plugin, options: { ...wishes, width, height, dpi } };
}

export interface StartWishes {
  /** Flags of Node's own, to look closer. */
  readonly node?: readonly string[];
  /** More of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** More of its configuration. */
  readonly config?: object;
  readonly limit?: MemoryLimit;
  /** More plugins. */
  readonly plugins?: readonly object[];
}

/** @param driver the one plugin that brings scanners */
export async function startServiceWith(
  folder: string,
  driver: { readonly use: string; readonly options: object },
  { node = [], env = {}, config = {}, limit, plugins: more = [] }: StartWishes = {},
): Promise<Service> {
  const own = await mkdtemp(join(folder, 'service-'));
  const dataDir = join(own, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  await installCertificate(dataDir, 'valid');
  const plugins = [
    { ...driver, required: true },
    { use: '@platen/format-png', required: true },
    { use: '@platen/format-jpeg', required: true },
    ...more,
  ];
  const configFile = join(own, 'platen.json');
  await writeFile(configFile, JSON.stringify({ plugins, log: { level: 'warn' }, ...config }));
  const start = (): ReturnType<typeof serve> =>
    serve(['--config', configFile], {
      env: { PLATEN_DATA_DIR: dataDir, PLATEN_PORT: '0', ...unitMemory, ...env },
      node,
      asPublished: true,
    });
  const { port, pid, signal, ended } = await (limit ? limit.around(start) : start());
  return {
    port,
    pid,
    dataDir,
    peakBytes: () => peakOf(pid),
    processorMs: () => processorMsOf(pid),
    async stop() {
      signal('SIGTERM');
      const { code, log } = await ended;
      await rm(own, { recursive: true, force: true });
      if (code !== 0) throw new Error(`The service ended with ${code}: ${log}`);
    },
  };
}

/** VmHWM of proc(5), which only Linux has. */
async function peakOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** User and system time of proc(5), in ticks of 10 ms. */
async function processorMsOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name in brackets, which may hold spaces, state is the third field; user and system time are 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? undefined : (Number(fields[11]) + Number(fields[12])) * 10;
}
