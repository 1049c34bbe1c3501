/** A service for the benchmark: a process of its own with default limits, and scanners that cost nothing. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installCertificate } from '../topology/certificate.js';
import { serve } from '../topology/platen.js';
import type { StackOptions } from './plugin/stacks.js';
import { sheet } from './sheets.js';

export interface Service {
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** The most memory that the process ever had resident, in bytes; undefined where the system does not say. */
  peakBytes(): Promise<number | undefined>;
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
  /** Flags of Node's own, to look closer. */
  readonly node?: readonly string[];
}

export function startService(folder: string, wishes: ServiceWishes): Promise<Service> {
  return startServiceWith(folder, stacksOf(wishes), wishes.node);
}

/** The plugin that brings such scanners, as an entry of a configuration. */
export function stacksOf({ files, stacks, hold }: ServiceWishes): {
  readonly use: string;
  readonly options: StackOptions;
} {
  return { use: plugin, options: { files, stacks, hold, width: sheet.width, height: sheet.height, dpi: sheet.dpi } };
}

/**
 * @param driver the one plugin that brings scanners
 * @param more of its environment
 */
export async function startServiceWith(
  folder: string,
  driver: { readonly use: string; readonly options: object },
  node: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const own = await mkdtemp(join(folder, 'service-'));
  const dataDir = join(own, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  await installCertificate(dataDir, 'valid');
  const plugins = [
    { ...driver, required: true },
    { use: '@platen/format-png', required: true },
    { use: '@platen/format-jpeg', required: true },
  ];
  const configFile = join(own, 'platen.json');
  await writeFile(configFile, JSON.stringify({ plugins, log: { level: 'warn' } }));
  const { port, pid, signal, ended } = await serve(['--config', configFile], {
    env: { PLATEN_DATA_DIR: dataDir, PLATEN_PORT: '0', ...more },
    node,
  });
  return {
    port,
    pid,
    dataDir,
    peakBytes: () => peakOf(pid),
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
