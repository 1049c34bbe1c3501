/** What a new user does with an installation as it is shipped, in a network of its own: list, scan, scan again, restart. Prints what came of it as JSON. */
import { drawSide } from '../topology/sheets.js';
import type { ScanJson } from '../spec/calls.js';
import { TESTER } from '../sane/testBackend.js';
import { NETWORK, startShipped, type Shipped } from './house.js';

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
  readonly unknown: { readonly status: number; readonly error: string };
  readonly warnings: readonly string[];
}

const parameters = { resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg', pageSize: 'A4' };

async function scan(house: Shipped, scannerName: string): Promise<Scanned> {
  const { status, json } = await house.post('/api/twain/scan', { scannerName, parameters });
  const { status: result, imageCount } = json as ScanJson;
  return { status, result, pages: imageCount };
}

const list = async (house: Shipped): Promise<readonly ListedScanner[]> => ((await house.get('/api/twain/scanners')).json as { scanners: ListedScanner[] }).scanners;

/** A network scanner answers when it does. */
async function listedOnline(house: Shipped): Promise<readonly ListedScanner[]> {
  for (let turn = 0; turn < 1000; turn++) {
    const listed = await list(house);
    if ([TESTER, NETWORK].every(name => listed.some(each => each.name === name && each.isOnline))) return listed;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`Not both scanners are listed: ${JSON.stringify(await list(house))}\n${house.log()}`);
}

async function visit(): Promise<Visit> {
  const house = await startShipped();
  try {
    const sheet = { front: await drawSide(1, 'A4') };
    const listed = await listedOnline(house);
    const { scannerStatus } = (await house.get('/api/twain/status')).json as { scannerStatus: { isOnline: boolean } };
    const { capabilities } = (await house.get(`/api/twain/scanners/${encodeURIComponent(TESTER)}/capabilities`)).json as { capabilities: { resolutions: number[] } };
    const sane = await scan(house, TESTER);
    const saneAgain = await scan(house, TESTER);
    await house.device.insert([sheet, sheet]);
    const network = await scan(house, NETWORK);
    await house.device.insert([sheet]);
    const networkAgain = await scan(house, NETWORK);
    const { status, json } = await house.post('/api/twain/scan', { scannerName: 'Nowhere' });
    await house.restart();
    const remembered = await list(house);
    await house.device.insert([sheet]);
    const afterRestart = await scan(house, NETWORK);
    const warnings = house.log().split('\n').filter(line => /"level":[45]0/.test(line));
    const scans = { sane, saneAgain, network, networkAgain, afterRestart };
    return { listed, isOnline: scannerStatus.isOnline, resolutions: capabilities.resolutions, scans, remembered, unknown: { status, error: (json as { error: string }).error }, warnings };
  } finally {
    await house.stop();
  }
}

console.log(JSON.stringify(await visit()));
