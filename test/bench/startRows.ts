/** The start of the shipped configuration: until it listens, until the first page, and what it holds when idle. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { shippedConfig } from '../shipped/startShipped.js';
import type { ScanJson } from '../spec/calls.js';
import { installCertificate } from '../topology/certificate.js';
import { request } from '../topology/client.js';
import { platen, serve } from '../topology/platen.js';
import { spell, spreadOf, table, verdict } from './numbers.js';

const ROUNDS = 5;
const IDLE_MS = 10_000;
const SCANNER = 'Flatbed B';
const MEBI = 1024;

export async function startRows(
  folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  say('the start of the shipped configuration: about a minute and a half');
  const loadBefore = oneMinuteLoad();
  const config = await withVirtualScanner(folder);
  const rounds: Round[] = [];
  // The first one fills the system's caches.
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = {
      ...(await idle(folder)),
      pageSeconds: await firstPage(folder, config),
      commandSeconds: await withoutService(folder, config),
    };
    say(`round ${round} of ${ROUNDS}: listens after ${measured.listenSeconds.toFixed(2)} s`);
    if (round > 0) rounds.push(measured);
  }
  const row = (what: string, unit: string, of: (round: Round) => number, wanted?: number): string[] => {
    const spread = spreadOf(rounds.map(of));
    const digits = unit === 'MB' ? 0 : 2;
    const judged = wanted === undefined ? '' : verdict('≤', spread.median, wanted, unit === 's' ? 1 : 0);
    return [what, unit, spell(spread, digits), judged];
  };
  const loads = `Load of the machine: ${loadBefore.toFixed(1)} before, ${oneMinuteLoad().toFixed(1)} after.`;
  const rows = table(
    ['`server/config/platen.json`', 'unit', 'measured', 'wanted'],
    [
      row('from the start until it listens', 's', round => round.listenSeconds, 0.7),
      row('processor time until then', 's', round => round.processorSeconds),
      row('from the start to the first page of a virtual scanner, JPEG, 300 dpi', 's', round => round.pageSeconds, 1.5),
      row(
        'the same page by `platen scan`, from its start to its end, without a running service',
        's',
        each => each.commandSeconds,
      ),
      row('of the two, pair by pair', '×', ({ commandSeconds, pageSeconds }) => commandSeconds / pageSeconds),
      row('resident when it listens (RSS)', 'MB', round => round.firstMegabytes),
      row('resident after 10 s without a request (RSS)', 'MB', round => round.idleMegabytes, 90),
      row('the same, shared pages in part (PSS)', 'MB', round => round.idleShareMegabytes),
    ],
  );
  return `${rows}\n\n${loads}`;
}

/** The system's average of one minute. */
const oneMinuteLoad = (): number => loadavg()[0] ?? NaN;

interface Round {
  readonly listenSeconds: number;
  readonly processorSeconds: number;
  readonly pageSeconds: number;
  readonly commandSeconds: number;
  readonly firstMegabytes: number;
  readonly idleMegabytes: number;
  readonly idleShareMegabytes: number;
}

/** The shipped configuration with a scanner, as the figures should not depend on one's being at hand. */
export async function withVirtualScanner(folder: string): Promise<string> {
  const shipped = JSON.parse(await readFile(shippedConfig, 'utf8')) as { plugins: readonly object[] };
  const options = { scanners: [{ name: SCANNER, feeder: false, flatbed: true }] };
  const file = join(folder, 'platen-with-scanner.json');
  const plugins = [{ use: '@platen/driver-virtual', options }, ...shipped.plugins];
  await writeFile(file, JSON.stringify({ plugins }), { mode: 0o600 });
  return file;
}

export type Running = Awaited<ReturnType<typeof serve>>;

export async function idle(folder: string): Promise<Omit<Round, 'pageSeconds' | 'commandSeconds'>> {
  return withService(folder, shippedConfig, async ({ pid }, started) => {
    const listenSeconds = (performance.now() - started) / 1000;
    const processorSeconds = await processorSecondsOf(pid);
    const firstMegabytes = await megabytesOf(pid, 'Rss');
    await setTimeout(IDLE_MS);
    const [idleMegabytes, idleShareMegabytes] = [await megabytesOf(pid, 'Rss'), await megabytesOf(pid, 'Pss')];
    return { listenSeconds, processorSeconds, firstMegabytes, idleMegabytes, idleShareMegabytes };
  });
}

/** Of a configuration with that scanner. @returns seconds from the start to its first page */
export function firstPage(folder: string, config: string): Promise<number> {
  return withService(folder, config, async ({ port }, started) => {
    const body = {
      scannerName: SCANNER,
      parameters: { resolution: 300, colorMode: 'Color', imageFormat: 'Jpeg', pageSize: 'A4' },
    };
    const { status, json, text } = await request(port, 'POST', '/api/twain/scan', { body });
    if (status !== 200 || (json as ScanJson).imageCount !== 1) throw new Error(`${status}: ${text.slice(0, 300)}`);
    return (performance.now() - started) / 1000;
  });
}

async function withoutService(folder: string, config: string): Promise<number> {
  const dataDir = await mkdtemp(join(folder, 'start-'));
  const wish = ['--dpi', '300', '--color', 'color', '--size', 'a4'];
  const started = performance.now();
  const { code, log } = await platen(
    ['scan', '--config', config, '--scanner', SCANNER, '--out', join(dataDir, 'page.jpg'), ...wish],
    { env: { PLATEN_DATA_DIR: dataDir }, asPublished: true },
  ).ended;
  if (code !== 0) throw new Error(`platen scan ended with ${code}: ${log}`);
  return (performance.now() - started) / 1000;
}

/**
 * Runs a service with a certificate, and ends it.
 * @param used its data folder; a new one if absent
 */
export async function withService<T>(
  folder: string,
  config: string,
  measure: (service: Running, started: number) => Promise<T>,
  used?: string,
): Promise<T> {
  const dataDir = used ?? (await mkdtemp(join(folder, 'start-')));
  await installCertificate(dataDir, 'valid');
  const started = performance.now();
  const service = await serve(['--config', config], {
    env: { PLATEN_DATA_DIR: dataDir, PLATEN_PORT: '0' },
    asPublished: true,
  });
  try {
    return await measure(service, started);
  } finally {
    service.signal('SIGTERM');
    await service.ended;
  }
}

/** proc(5); NaN where there is none. */
async function megabytesOf(pid: number, field: 'Rss' | 'Pss'): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(text)?.[1] ?? NaN) / MEBI;
}

/** User and system time of proc(5), in ticks of 10 ms. */
async function processorSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
