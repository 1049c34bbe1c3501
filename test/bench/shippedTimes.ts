/**
 * Times of the shipped installation, and of the same service with SANE's driver alone, in its own network namespace.
 * Prints JSON.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SHEETS, TESTER } from '../sane/testBackend.js';
import { startShipped, type Shipped } from '../shipped/startShipped.js';
import type { ScanJson } from '../spec/calls.js';

const ROUNDS = 9;
const resolutions = [75, 300] as const;

export type Side = 'list' | 'status' | `${'shipped' | 'alone' | 'scanimage'} ${(typeof resolutions)[number]}`;
/** Milliseconds of each round. */
export type ShippedTimes = Readonly<Record<Side, readonly number[]>>;

async function timed(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  try {
    await call();
  } catch (error) {
    if (!(error instanceof Hung)) throw error;
    return timed(call);
  }
  return performance.now() - began;
}

async function scan(fixture: Shipped, resolution: number): Promise<void> {
  const { status, json } = await fixture.post('/api/twain/scan', {
    scannerName: TESTER,
    parameters: { resolution, colorMode: 'Color', imageFormat: 'Jpeg', pageSize: 'A4' },
  });
  const { imageCount } = json as ScanJson;
  if (status !== 200 || imageCount !== SHEETS) throw new Error(`${status} with ${imageCount} pages`);
}

async function scanimage(fixture: Shipped, resolution: number): Promise<void> {
  const out = await mkdtemp(join(tmpdir(), 'platen-scanimage-'));
  const args = [
    '-d',
    'test:0',
    '--source',
    'Automatic Document Feeder',
    '--mode',
    'Color',
    '--depth',
    '8',
    '--resolution',
    String(resolution),
    '-l',
    '0',
    '-t',
    '0',
    '-x',
    '210',
    '-y',
    '297',
    '--format=jpeg',
    `--batch=${join(out, '%d')}`,
  ];
  const ended = await promisify(execFile)('scanimage', args, {
    env: { ...process.env, SANE_CONFIG_DIR: fixture.saneConfigDir },
    timeout: HANGS_MS,
    killSignal: 'SIGKILL',
  }).catch((error: unknown) => error as { killed?: boolean });
  await rm(out, { recursive: true });
  if ('killed' in ended && ended.killed) throw new Hung();
}

/**
 * About once in seventy starts, the backend's reader thread ends with a lock of the dynamic linker held: scanimage
 * hangs.
 */
const HANGS_MS = 20_000;
class Hung extends Error {}

/** Each call some time after the last: what is fresh from it would otherwise be answered from memory. */
const rest = () => new Promise(resolve => setTimeout(resolve, 1200));

const folder = await mkdtemp(join(tmpdir(), 'platen-alone-'));
const config = join(folder, 'platen.json');
await writeFile(
  config,
  JSON.stringify({ plugins: ['@platen/driver-sane', '@platen/format-jpeg'].map(use => ({ use })) }),
  { mode: 0o600 },
);
const [shipped, alone] = [await startShipped(), await startShipped(config)];
try {
  const sides: Record<Side, () => Promise<unknown>> = {
    list: () => shipped.get('/api/twain/scanners'),
    status: () => shipped.get('/api/twain/status'),
    'shipped 75': () => scan(shipped, 75),
    'alone 75': () => scan(alone, 75),
    'scanimage 75': () => scanimage(shipped, 75),
    'shipped 300': () => scan(shipped, 300),
    'alone 300': () => scan(alone, 300),
    'scanimage 300': () => scanimage(shipped, 300),
  };
  const names = Object.keys(sides) as Side[];
  const times = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Side, number[]>;
  for (const name of names) await timed(sides[name]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 ? names : names.toReversed()) {
      await rest();
      times[name].push(await timed(sides[name]));
    }
  }
  console.log(JSON.stringify(times));
} finally {
  await shipped.stop();
  await alone.stop();
  await rm(folder, { recursive: true });
}
