/** One fault with one kind of scanner: the scan's code, its pages, the next scan, and what is left when the service has ended. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOf } from '../scans/frozen.js';
import { keptIds } from '../scans/keptFolder.js';
import { pause, untilFed } from '../spec/calls.js';
import { deleteScan, ended, inkOf, pageOf, sha256, startScan, type ScanResource } from '../spec/scanCalls.js';
import { untilListed } from '../topology/fixture.js';
import { sheets, type Ink } from '../topology/sheets.js';
import type { Fixture, Role, Topology } from '../topology/topology.js';
import type { Column } from './columns.js';
import type { Row } from './rows.js';

/** What a cell of the table says: `paper-jam, 1 page`; or why it was not tried. */
export type Cell =
  | { readonly outcome: 'held' | 'failed'; readonly words: string }
  | { readonly outcome: 'none'; readonly words: string };

const NEXT: Ink = 5;
/**
 * Beside a fault of this scanner, another one scans these sheets undisturbed, where there is another. Other rows harm the
 * service or its helpers.
 */
const BESIDE = { of: 'duplex', role: 'slow', inks: [7, 6, 4] } as const satisfies {
  of: Role;
  role: Role;
  inks: readonly Ink[];
};
/** For what the service starts again, for what is ending, and a person who presses the button again: also on a busy machine. */
const PATIENCE_MS = 300_000;

export async function tryCell(row: Row, { clear, codes = {} }: Column, topology: Topology): Promise<Cell> {
  const why = row.cannot?.(topology);
  if (why !== undefined) return { outcome: 'none', words: why };
  const folder = await mkdtemp(join(tmpdir(), 'platen-faults-'));
  const occasion = row.prepare?.(join(folder, 'occasion')) ?? {};
  let fixture: Fixture | undefined;
  try {
    fixture = await topology.start(occasion.options);
    // A driver may still look for its scanners, and opens each to ask what it can do.
    await untilListed(fixture.port, [fixture.name(row.role)]);
    const inks = ([1, 2, 3, 4, 6, 7] as const).slice(0, row.sheets ?? 3);
    await fixture.load(row.role, sheets(...inks));
    await occasion.begin?.(fixture);
    const started = await startScan(fixture, row.role);
    const isAlone = row.role !== BESIDE.of || fixture.name(BESIDE.of) === fixture.name(BESIDE.role);
    const beside = isAlone ? undefined : await startBeside(fixture);
    let scan: ScanResource;
    if (started.status === 201) {
      if (occasion.cause) {
        await untilFed(fixture, row.role);
        await firstPage(fixture, started.json.id);
        fixture = (await occasion.cause(fixture)) ?? fixture;
      }
      scan = await ended(fixture, started.json.id);
    } else scan = { ...started.json, pages: [], state: 'failed' };
    await holdPages(fixture, row, scan, inks);
    await beside?.();
    const code = scan.state === 'completed' ? 'completed' : (scan.code ?? scan.state);
    const allowed = codes[row.id] ?? row.codes;
    if (!allowed.includes(code)) throw new Error(`the code is ${code}, not ${allowed.join(' or ')}`);
    await clear?.(fixture, row.role);
    await occasion.takeAway?.(fixture);
    const next = await nextScans(fixture, row);
    for (const id of [scan.id, ...next]) if (id !== undefined) await deleteScan(fixture, id);
    await holdNothingLeft(fixture);
    return { outcome: 'held', words: `${code}, ${scan.pages.length} of ${inks.length}` };
  } catch (error) {
    const log = fixture?.log().split('\n').slice(-4).join('\n') ?? '';
    return { outcome: 'failed', words: `${(error as Error).message}\n${log}` };
  } finally {
    occasion.over?.();
    await fixture?.stop().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Scans on another scanner. @returns what waits for its end, and throws unless it was undisturbed */
async function startBeside(fixture: Fixture): Promise<() => Promise<void>> {
  const { role, inks } = BESIDE;
  await fixture.load(role, sheets(...inks));
  const { status, json } = await startScan(fixture, role);
  if (status !== 201) throw new Error(`the scan on another scanner is refused: ${status} ${json.error}`);
  return async () => {
    const scan = await ended(fixture, json.id);
    if (scan.state !== 'completed') throw new Error(`the scan on another scanner is ${scan.state}: ${scan.error}`);
    await holdPages(fixture, { leastPages: inks.length }, scan, inks);
    await deleteScan(fixture, json.id);
  };
}

/** Waits until the first page is announced. */
async function firstPage(fixture: Fixture, id: string): Promise<void> {
  for (;;) {
    const { json } = await fixture.request('GET', `/api/scans/${id}`);
    const { pageCount, state } = json as ScanResource;
    if (pageCount > 0 || state !== 'running') return;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** Every announced page is served as it was announced, in the order of the sheets. */
async function holdPages(
  fixture: Fixture,
  row: Pick<Row, 'leastPages'>,
  scan: ScanResource,
  inks: readonly Ink[],
): Promise<void> {
  if (scan.pages.length < row.leastPages)
    throw new Error(`${scan.pages.length} pages are there, and ${row.leastPages} went through`);
  for (const [at, { number, sha256: announced }] of scan.pages.entries()) {
    const { status, bytes } = await pageOf(fixture, scan.id, number);
    if (status !== 200 || sha256(bytes) !== announced) throw new Error(`page ${number} is not what was announced`);
    if ((await inkOf(bytes)) !== inks[at]) throw new Error(`page ${number} is not sheet ${at + 1}`);
  }
}

/** A person tries again: a process may be starting, or its link. @returns the ids of the scans, the last one of which worked */
async function nextScans(fixture: Fixture, row: Row): Promise<string[]> {
  const ids: string[] = [];
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const { id, failure } = await nextScan(fixture, row);
    if (id !== undefined) ids.push(id);
    if (failure === undefined) return ids;
    if (performance.now() > until) throw new Error(failure);
    await pause(500);
  }
}

async function nextScan(fixture: Fixture, { role }: Row): Promise<{ id?: string; failure?: string }> {
  await fixture.load(role, sheets(NEXT));
  const { status, json } = await startScan(fixture, role);
  if (status !== 201) return { failure: `the next scan is refused: ${status} ${json.error}` };
  const { id } = json;
  const { state, pages, error = '' } = await ended(fixture, id);
  if (state !== 'completed' || pages.length !== 1) return { id, failure: `the next scan is ${state}: ${error}` };
  if ((await inkOf((await pageOf(fixture, id, 1)).bytes)) !== NEXT) throw new Error('the next scan has old pages');
  return { id };
}

/** Of all processes but Wine's desktop, which the first window starts, and which lives as long as other programs there. */
function commandsOf(fixture: Fixture): readonly string[] {
  return processesOf(fixture)
    .map(pid => `${pid} ${commandOf(pid)}`)
    .filter(command => !command.includes('explorer.exe /desktop'));
}

/** Empty where it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** The service ends in order, and leaves no process, no scan and no file that waited. */
async function holdNothingLeft(fixture: Fixture): Promise<void> {
  const scans = keptIds(fixture);
  if (scans.length > 0) throw new Error(`scans that were deleted are left: ${scans.join(', ')}`);
  fixture.signal('SIGTERM');
  const { code } = await fixture.ended;
  if (code !== 0) throw new Error(`the service ended with ${code}`);
  await fixture.desktop?.stop();
  const until = performance.now() + PATIENCE_MS;
  while (commandsOf(fixture).length > 0) {
    if (performance.now() > until) throw new Error(`processes are left: ${commandsOf(fixture).join(', ')}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  const files = readdirSync(join(fixture.dataDir, 'spool'), { recursive: true, withFileTypes: true });
  const left = files.filter(each => each.isFile()).map(({ name }) => name);
  if (left.length > 0) throw new Error(`files are left: ${left.join(', ')}`);
}
