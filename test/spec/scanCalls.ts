/** The calls of the scan resource that tests make, with the answers' types. */
import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import sharp from 'sharp';
import { until, type Typed } from './calls.js';
import type { EventStream } from '../topology/events.js';
import { whichSide, type Ink } from '../topology/sheets.js';
import type { Fixture, Role } from '../topology/topology.js';

export interface PageJson {
  readonly isStored?: boolean;
  readonly number: number;
  readonly sheet: number;
  readonly side: 'front' | 'back';
  readonly mimeType: string;
  readonly format: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly url: string;
  readonly code?: string;
  readonly error?: string;
}

export interface StateJson {
  readonly state: 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted';
  readonly code?: string;
  readonly error?: string;
  readonly pageCount: number;
  readonly notes: readonly unknown[];
}

export interface ScanResource extends StateJson {
  readonly success: true;
  readonly id: string;
  readonly scannerName: string;
  readonly requestId?: string;
  readonly createdAt: string;
  readonly kind: 'scan' | 'autoscan';
  readonly progress: { readonly scanned: number; readonly finished: number };
  readonly pages: readonly PageJson[];
}

/** A scan's answer, or why there is none. */
export type ScanAnswer = Typed<ScanResource & { readonly error?: string }>;

/** Small pages. */
export const small = { resolution: 75, colorMode: 'Grayscale', imageFormat: 'Jpeg' } as const;
/** Half a megabyte each: no more fits into a connection's buffers unread. */
export const bare = { resolution: 75, colorMode: 'Grayscale', imageFormat: 'Bmp' } as const;

/** Who calls: the web page of this origin; a program when absent. */
export interface Caller {
  readonly origin?: string;
}
export const headersOf = ({ origin }: Caller): OutgoingHttpHeaders => (origin === undefined ? {} : { origin });

export interface StartOptions extends Caller {
  readonly key?: string;
  readonly parameters?: object;
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

export async function startScan(fixture: Fixture, role: Role, options: StartOptions = {}): Promise<ScanAnswer> {
  const { key, parameters = small, requestId, signal } = options;
  return (await fixture.request('POST', '/api/scans', {
    body: { scannerName: fixture.name(role), parameters, ...(requestId === undefined ? {} : { requestId }) },
    headers: { ...headersOf(options), ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(signal ? { signal } : {}),
  })) as ScanAnswer;
}

const call =
  (method: string, verb = '') =>
  async (fixture: Fixture, id: string, caller: Caller = {}): Promise<ScanAnswer> =>
    (await fixture.request(method, `/api/scans/${id}${verb}`, { headers: headersOf(caller) })) as ScanAnswer;

export const findScan = call('GET');
export const cancelScan = call('POST', '/cancel');
export const continueScan = call('POST', '/continue');
export const deleteScan = call('DELETE');

type Listed = Omit<ScanResource, 'pages'>;

export async function listScans(fixture: Fixture, caller: Caller = {}): Promise<readonly Listed[]> {
  const { json } = await fixture.request('GET', '/api/scans', { headers: headersOf(caller) });
  return (json as { readonly scans: readonly Listed[] }).scans;
}

export const pagePath = (id: string, number: number): string => `/api/scans/${id}/pages/${number}`;

export function pageOf(fixture: Fixture, id: string, number: number, caller: Caller = {}, headers = {}) {
  return fixture.request('GET', pagePath(id, number), { headers: { ...headersOf(caller), ...headers } });
}

export function eventsOf(
  fixture: Fixture,
  id: string,
  caller: Caller = {},
  lastEventId?: string,
): Promise<EventStream> {
  const path = `/api/scans/${id}/events`;
  return fixture.events({ path, headers: headersOf(caller), ...(lastEventId === undefined ? {} : { lastEventId }) });
}

/** When it runs no more. */
export async function ended(fixture: Fixture, id: string, caller: Caller = {}): Promise<ScanResource> {
  let { json } = await findScan(fixture, id, caller);
  if (json.state !== 'running') return json;
  await (
    await eventsOf(fixture, id, caller, String(json.pageCount))
  ).ended;
  await until(async () => ({ json } = await findScan(fixture, id, caller)).json.state !== 'running');
  return json;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Which ink the page shows. */
export async function inkOf(bytes: Buffer): Promise<Ink> {
  return (await whichSide(bytes.subarray(0, 2).toString() === 'BM' ? await pngOf(bytes) : bytes)).ink;
}

/** Of a BMP in grey, which sharp cannot read: rows from the lowest up, each padded to four bytes. */
async function pngOf(bmp: Buffer): Promise<Buffer> {
  const [start, width, height] = [bmp.readUInt32LE(10), bmp.readInt32LE(18), bmp.readInt32LE(22)];
  const rows = { width: Math.ceil(width / 4) * 4, height, channels: 1 as const };
  return sharp(bmp.subarray(start), { raw: rows }).flip().toColourspace('b-w').png().toBuffer();
}
