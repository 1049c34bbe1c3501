/** An installation for `platen scan`: virtual scanners with trays, a data folder, and an output folder. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { request } from '../topology/client.js';
import { installCertificate } from '../topology/certificate.js';
import { bundleFlags } from '../topology/serviceBundle.js';
import { platen, serve, type Exit, type Platen } from '../topology/platen.js';
import { drawSide, type Sheet } from '../topology/sheets.js';
import { insertFile } from '../topology/virtualTopology.js';

export interface Installation {
  /** The output folder. */
  readonly out: string;
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  readonly data: string;
  /** Starts the service on a free port; from then on, scans go through it. */
  serve(...args: readonly string[]): Promise<Service>;
  /** Runs `platen scan` in the output folder. */
  scan(...args: readonly string[]): Platen;
  /** The same with a pipe as its standard input. */
  scanTyped(...args: readonly string[]): Platen;
  /** The same with its stdout closed by the reader. @returns its exit code */
  scanUnread(...args: readonly string[]): Promise<number | null>;
  /** Inserts sheets into a scanner's tray. */
  load(scanner: string, sheets: readonly Sheet[]): Promise<void>;
  /** The sheets left in the tray. */
  waiting(scanner: string): Promise<number>;
  /** The names of the files in the output folder, sorted. */
  files(): Promise<string[]>;
}

export type Service = Awaited<ReturnType<typeof serve>>;

const FORMATS = ['png', 'jpeg', 'tiff', 'bmp'];

/**
 * @param scanners options of the virtual driver, by name; each has a tray with its name
 * @param more names of other plugins
 */
export async function createInstallation(
  t: Test,
  scanners: Readonly<Record<string, object>>,
  more: readonly string[] = [],
): Promise<Installation> {
  const own = await mkdtemp(join(tmpdir(), 'platen-scan-'));
  t.teardown(() => rm(own, { recursive: true, force: true }));
  const [data, out, config] = [join(own, 'data'), join(own, 'out'), join(own, 'platen.json')];
  await mkdir(out);
  await mkdir(data, { mode: 0o700 });
  const tray = (scanner: string): string => join(data, 'trays', scanner);
  for (const name of Object.keys(scanners)) await mkdir(tray(name), { recursive: true });
  const all = Object.entries(scanners).map(([name, options]) => ({ name, tray: `trays/${name}`, ...options }));
  const plugins = [
    { use: '@platen/driver-virtual', options: { scanners: all } },
    ...[...FORMATS.map(name => `format-${name}`), ...more].map(name => ({ use: `@platen/${name}` })),
  ];
  await writeFile(config, JSON.stringify({ plugins }), { mode: 0o600 });
  const env = { PLATEN_DATA_DIR: data, PLATEN_CONFIG: config, PLATEN_PORT: '0' };
  return {
    out,
    config,
    data,
    env,
    async serve(...args) {
      await installCertificate(data, 'valid');
      const service = await serve(args, { env });
      t.teardown(() => (service.signal('SIGTERM'), service.ended));
      return service;
    },
    scan: (...args) => platen(['scan', ...args], { env, cwd: out }),
    scanTyped: (...args) => platen(['scan', ...args], { env, cwd: out, isTyped: true }),
    scanUnread(...args) {
      const program = fileURLToPath(new URL('bin/platen.cjs', import.meta.resolve('@platen/server/package.json')));
      const child = spawn(process.execPath, [...bundleFlags(), program, 'scan', ...args], {
        env: { ...process.env, ...env },
        cwd: out,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      t.teardown(() => child.kill('SIGKILL'));
      child.stdout.destroy();
      return new Promise(resolve => child.once('close', resolve));
    },
    async load(scanner, sheets) {
      for (const [at, { front, back, size }] of sheets.entries()) {
        await insertFile(tray(scanner), `${at}.front.png`, await drawSide(front, size));
        if (back !== undefined) await insertFile(tray(scanner), `${at}.back.png`, await drawSide(back, size));
      }
    },
    waiting: async scanner => (await readdir(tray(scanner))).filter(name => name.endsWith('.front.png')).length,
    files: async () => (await readdir(out)).sort(),
  };
}

export interface ScanJson {
  readonly id: string;
  readonly state: string;
  readonly pageCount: number;
  readonly pages: readonly { readonly number: number; readonly sha256: string }[];
}

/** The scans of programs that the service keeps. */
export async function scansOf({ port }: Service): Promise<readonly ScanJson[]> {
  return ((await request(port, 'GET', '/api/scans')).json as { scans: ScanJson[] }).scans;
}

/** The folders of scans that a data folder keeps. */
export async function keptIn(data: string): Promise<string[]> {
  return readdir(join(data, 'scans'));
}

/** SHA-256 in hexadecimal. */
export async function digest(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** Each of these invalid flags ends with code 2 and this sentence, and prints nothing. */
export async function areRefused(
  t: Test,
  scan: Installation['scan'],
  wrong: readonly (readonly [flags: string, sentence: RegExp])[],
): Promise<void> {
  for (const [flags, sentence] of wrong) {
    const { code, log, out } = await scan(...flags.split(' ')).ended;
    t.equal(code, 2, flags);
    t.match(log, sentence);
    t.equal(out, '');
  }
}

/** A scanner's name with orders for a terminal in it, as its driver gives it and as it is. */
export const orders = { given: 'A\u001b]0;title\u0007\u009b2JB\tC', name: 'A ]0;title  2JB C' };

/** Nothing that was printed is an order for a terminal. */
export const isPlain = (t: Test, { out, log }: Exit): boolean => t.notMatch(out + log, /[^\P{Cc}\n\t]/u);
