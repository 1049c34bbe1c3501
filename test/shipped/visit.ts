/**
 * What a new user does with the shipped installation, in its own network namespace: list, scan, scan again, restart,
 * auto-scan. Prints results and times as JSON.
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { StreamEvent } from '../topology/events.js';
import { drawSide } from '../topology/sheets.js';
import type { ScanJson } from '../spec/calls.js';
import { TESTER } from '../sane/testBackend.js';
import { NETWORK, startShipped, type Shipped } from './startShipped.js';

interface ListedScanner {
  readonly name: string;
  readonly isOnline: boolean;
}

export interface Scanned {
  readonly status: number;
  readonly result: string;
  readonly pages: number;
}

export interface Visit {
  readonly listed: readonly ListedScanner[];
  readonly isOnline: boolean;
  readonly resolutions: readonly number[];
  readonly scans: Readonly<Record<'sane' | 'saneAgain' | 'network' | 'networkAgain' | 'afterRestart', Scanned>>;
  /** The first list of a service that has been started again. */
  readonly remembered: readonly ListedScanner[];
  /**
   * Page numbers that a reader of auto-scan gets: at first, when it reconnects, and after the service was killed and
   * auto-scan enabled again.
   */
  readonly autoscan: readonly (readonly number[])[];
  /** Milliseconds of each step: for people. */
  readonly took: Readonly<Record<string, number>>;
  readonly unknown: { readonly status: number; readonly error: string };
  readonly warnings: readonly string[];
}

const parameters = { resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg', pageSize: 'A4' };

async function scan(fixture: Shipped, scannerName: string): Promise<Scanned> {
  const { status, json } = await fixture.post('/api/twain/scan', { scannerName, parameters });
  const { status: result, imageCount } = json as ScanJson;
  return { status, result, pages: imageCount };
}

const list = async (fixture: Shipped): Promise<readonly ListedScanner[]> =>
  ((await fixture.get('/api/twain/scanners')).json as { scanners: ListedScanner[] }).scanners;

/** A network scanner answers when it does. */
async function listedOnline(fixture: Shipped): Promise<readonly ListedScanner[]> {
  for (;;) {
    const listed = await list(fixture);
    if ([TESTER, NETWORK].every(name => listed.some(each => each.name === name && each.isOnline))) return listed;
    await pause(50);
  }
}

/**
 * Two pages for a reader that leaves after the first, one more without a reader, and one whose service is killed before
 * it is read.
 */
async function autoscan(fixture: Shipped, insert: () => Promise<void>): Promise<number[][]> {
  const enable = () => fixture.post('/api/twain/autoscan/enable', { scannerName: NETWORK, parameters });
  const numbers = (events: readonly StreamEvent[]): number[] =>
    events.map(({ data }) => (data as { pageNumber: number }).pageNumber);
  await enable();
  const first = await fixture.events();
  await insert();
  const [one] = await first.come(1);
  first.hangUp();
  // What is inserted while nobody reads waits.
  await insert();
  const second = await fixture.events(one?.id);
  const back = await second.come(1);
  second.hangUp();
  await insert();
  // Safely kept, and announced to nobody.
  const kept = join(fixture.dataDir, 'scans');
  while (!(await readdir(kept, { recursive: true }).catch(() => [])).some(name => basename(name) === '3.json'))
    await pause(20);
  await fixture.restart('SIGKILL');
  await listedOnline(fixture);
  const again = await enable();
  if (again.status !== 200) throw new Error(again.text);
  const third = await fixture.events();
  const last = await third.come(1);
  third.hangUp();
  await fixture.post('/api/twain/autoscan/disable', {});
  return [numbers(one ? [one] : []), numbers(back), numbers(last)];
}

async function visit(): Promise<Visit> {
  const fixture = await startShipped();
  const took: Record<string, number> = {};
  const timed = async <T>(step: string, call: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await call();
    took[step] = Math.round(performance.now() - began);
    return result;
  };
  try {
    const sheet = { front: await drawSide(1, 'A4') };
    const listed = await timed('both scanners online, from the start of the service', () => listedOnline(fixture));
    await timed('list', () => list(fixture));
    const { scannerStatus } = (await timed('status', () => fixture.get('/api/twain/status'))).json as {
      scannerStatus: { isOnline: boolean };
    };
    const { capabilities } = (await fixture.get(`/api/twain/scanners/${encodeURIComponent(TESTER)}/capabilities`))
      .json as { capabilities: { resolutions: number[] } };
    const sane = await timed('scan, SANE', () => scan(fixture, TESTER));
    const saneAgain = await timed('scan again, SANE', () => scan(fixture, TESTER));
    await fixture.device.insert([sheet, sheet]);
    const network = await timed('scan, network', () => scan(fixture, NETWORK));
    await fixture.device.insert([sheet]);
    const networkAgain = await timed('scan again, network', () => scan(fixture, NETWORK));
    const { status, json } = await fixture.post('/api/twain/scan', { scannerName: 'Nowhere' });
    await fixture.restart();
    const remembered = await timed('first list after a restart', () => list(fixture));
    await fixture.device.insert([sheet]);
    const afterRestart = await timed('scan after a restart, network', () => scan(fixture, NETWORK));
    const pages = await timed('auto-scan', () => autoscan(fixture, () => fixture.device.insert([sheet])));
    const warnings = fixture
      .log()
      .split('\n')
      .filter(line => /"level":[45]0/.test(line));
    const scans = { sane, saneAgain, network, networkAgain, afterRestart };
    return {
      listed,
      isOnline: scannerStatus.isOnline,
      resolutions: capabilities.resolutions,
      scans,
      remembered,
      autoscan: pages,
      took,
      unknown: { status, error: (json as { error: string }).error },
      warnings,
    };
  } finally {
    await fixture.stop();
  }
}

console.log(JSON.stringify(await visit()));
