/** What ten thousand kept scans cost: until the service listens, a part of their list, and the next scan. */
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from '../topology/client.js';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { withService, withVirtualScanner, type Running } from './startRows.js';

export const SCANS = 10_000;
const ROUNDS = 5;
/** Of each call: most of their time is the network's and the timers'. */
const CALLS = 20;
const SMALL = { resolution: 75, colorMode: 'Grayscale', imageFormat: 'Jpeg', pageSize: 'A6' };

interface Round {
  readonly listenSeconds: number;
  /** From listening until the list is answered: the scans are read meanwhile. */
  readonly readSeconds: number;
  readonly listMs: number;
  readonly scanMs: number;
}

export async function growthRows(
  folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  say(`${SCANS} kept scans: about a minute`);
  const { none, many } = await growSides(folder);
  const rounds: { readonly none: Round; readonly many: Round }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = { none: await none(), many: await many() };
    say(`round ${round} of ${ROUNDS}: listens after ${measured.many.listenSeconds.toFixed(2)} s`);
    if (round > 0) rounds.push(measured);
  }
  const row = (what: string, of: (round: Round) => number, digits: number, wanted: number): string[] => {
    const [few, all] = [spreadOf(rounds.map(each => of(each.none))), spreadOf(rounds.map(each => of(each.many)))];
    const ratio = spreadOf(rounds.map(each => of(each.many) / of(each.none)));
    return [what, spell(few, digits), spell(all, digits), spell(ratio, 2), verdict('≤', ratio.median, wanted)];
  };
  const list = spreadOf(rounds.map(({ many: { listMs } }) => listMs));
  const read = spreadOf(rounds.map(({ many: { readSeconds } }) => readSeconds));
  return table(
    ['kept scans', 'none', `${SCANS}`, '× of none', 'wanted'],
    [
      row('s from the start until it listens', each => each.listenSeconds, 2, 1.5),
      row('ms for one small scan, kept', each => each.scanMs, 1, 1.2),
      ['ms for 50 scans of the list', '', spell(list, 1), '', verdict('≤', list.median, 5, 0)],
      ['s from listening until they are read', '', spell(read, 1), '', ''],
    ],
  );
}

/** A start without kept scans, and one with all of them. */
export async function growSides(folder: string): Promise<Readonly<Record<'none' | 'many', () => Promise<Round>>>> {
  const config = await withVirtualScanner(folder);
  const none = await mkdtemp(join(folder, 'none-'));
  const many = await mkdtemp(join(folder, 'many-'));
  await withService(folder, config, async ({ port }) => void (await keptScan(port)), many);
  await multiply(join(many, 'scans'));
  return { none: () => measure(folder, config, none, 0), many: () => measure(folder, config, many, SCANS) };
}

function measure(folder: string, config: string, dataDir: string, expected: number): Promise<Round> {
  const body = async ({ port }: Running, started: number): Promise<Round> => {
    const listening = performance.now();
    const { json } = await request(port, 'GET', '/api/scans?limit=1');
    if ((json as { count: number }).count !== Math.min(expected, 1)) throw new Error('The scans are not there.');
    const readSeconds = (performance.now() - listening) / 1000;
    // The first is slower than the others.
    await smallScan(port);
    const scanMs = await times(() => smallScan(port));
    const listMs = await times(async () => {
      const { json: part } = await request(port, 'GET', '/api/scans?limit=50');
      if ((part as { count: number }).count !== Math.min(expected, 50)) throw new Error('The list is not whole.');
    });
    return { listenSeconds: (listening - started) / 1000, readSeconds, listMs, scanMs };
  };
  return withService(folder, config, body, dataDir);
}

/** @returns the median's milliseconds */
async function times(call: () => Promise<void>): Promise<number> {
  const each: number[] = [];
  for (let count = 0; count < CALLS; count++) {
    const started = performance.now();
    await call();
    each.push(performance.now() - started);
  }
  return spreadOf(each).median;
}

/** Kept, and done: there are as many as before. */
async function smallScan(port: number): Promise<void> {
  const { status, text } = await request(port, 'DELETE', `/api/scans/${await keptScan(port)}`);
  if (status !== 200) throw new Error(text);
}

async function keptScan(port: number): Promise<string> {
  const body = { scannerName: 'Flatbed B', parameters: SMALL };
  const { status, json, text } = await request(port, 'POST', '/api/scans', { body });
  const { id } = json as { id: string };
  if (status !== 201) throw new Error(text);
  // The stream ends with the scan.
  await request(port, 'GET', `/api/scans/${id}/events`);
  const scan = await request(port, 'GET', `/api/scans/${id}`);
  if ((scan.json as { state: string }).state !== 'completed') throw new Error(scan.text);
  return id;
}

/** Copies of the one that is there, of the last day. */
async function multiply(scans: string): Promise<void> {
  const [first = ''] = await readdir(scans);
  const facts = JSON.parse(await readFile(join(scans, first, 'facts.json'), 'utf8')) as object;
  const files = (await readdir(join(scans, first))).filter(name => name !== 'facts.json');
  for (let n = 1; n < SCANS; n++) {
    const [id, createdAt] = [randomUUID(), Date.now() - n * 1000];
    await mkdir(join(scans, id), { mode: 0o700 });
    for (const name of files) await copyFile(join(scans, first, name), join(scans, id, name));
    await writeFile(join(scans, id, 'facts.json'), JSON.stringify({ ...facts, id, createdAt, endedAt: createdAt }));
  }
}
