/** What the soak's clients do, job by job; a job ends with nothing of its own left, except where it says so. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ScanJson } from '../spec/calls.js';
import { pagePath } from '../spec/scanCalls.js';
import { autoscanOf } from './autoscanJob.js';
import {
  away,
  begin,
  chosen,
  completed,
  fetchPage,
  holdImages,
  idle,
  over,
  takeOldest,
  type Desk,
  type KeptPage,
} from './desk.js';

type Job = (desk: Desk) => Promise<void>;

const MOST_KEPT = 6;

/** Pages one by one while the scan runs, some of them also small or turned. */
const fetchedScan: Job = async desk => {
  const { caller, random } = desk;
  const { id } = await begin(desk, await chosen(desk));
  const first = caller.call('GET', `${pagePath(id, 1)}?wait=60`, [200]);
  const scan = await over(desk, id);
  completed(desk, scan);
  const [page] = scan.pages;
  if (page) await caller.page((await first).bytes, page);
  await Promise.all(scan.pages.slice(1).map(each => fetchPage(desk, id, each)));
  if (random.chance(0.4)) await caller.call('GET', `${pagePath(id, 1)}?width=${100 + random.whole(500)}`, [200]);
  if (random.chance(0.2)) await caller.call('GET', `${pagePath(id, 1)}?rotate=90`, [200]);
  await away(desk, id);
};

const wholeScan: Job = async desk => {
  const { json } = await desk.caller.call('POST', '/api/twain/scan', [200], { body: await chosen(desk) });
  await holdImages(desk, json as ScanJson);
};

const envelope: Job = async desk => {
  const { caller } = desk;
  const { scannerName, parameters } = await chosen(desk);
  const send = async (method: string, params?: object): Promise<unknown> => {
    const body = { kind: 'twainlocalscanner', method, ...(params ? { params } : {}) };
    const { json } = await caller.call('POST', '/api/twain', [200], { body });
    const { results, data } = json as { results: { success: boolean; code: string }; data: unknown };
    caller.expect(results.success, () => `${method} of ${scannerName}: ${results.code}`);
    return data;
  };
  await send('getSources');
  await send('openSource', { sourceName: scannerName });
  await send('getCapabilities');
  await send('getStatus');
  const { imageFormat, ...rest } = parameters;
  await holdImages(desk, (await send('scan', { ...rest, outputFormat: imageFormat })) as ScanJson);
  await send('closeSource');
};

/** Cancels after the first page, or at any time; then the second cancel, which has no effect. */
const cancelled: Job = async desk => {
  const { caller, random, house } = desk;
  const name = random.chance(0.5) ? house.slow : random.pick(house.scanners.slice(0, 3)).name;
  const { id } = await begin(desk, { scannerName: name, parameters: { resolution: 100, colorMode: 'Color' } });
  await pause(random.whole(1500));
  await caller.call('POST', `/api/scans/${id}/cancel`, [200]);
  const scan = await over(desk, id);
  await caller.call('POST', `/api/scans/${id}/cancel`, [200]);
  for (const page of scan.pages) await fetchPage(desk, id, page);
  await away(desk, id);
};

/** `POST /scan`, ended by its `requestId`. */
const cancelledCall: Job = async ({ caller, random, house }) => {
  const requestId = `soak-${random.whole(1e9)}`;
  const body = { scannerName: house.slow, requestId, parameters: { resolution: 75, imageFormat: 'Jpeg' } };
  const answer = caller.call('POST', '/api/twain/scan', [200], { body });
  await pause(200 + random.whole(1500));
  await caller.call('POST', '/api/twain/cancel', [200], { body: { requestId } });
  const { status } = (await answer).json as ScanJson;
  caller.expect(/^(?:Cancelled|Success)$/.test(status), () => `a cancelled call is ${status}`);
};

/** Clients that leave in the middle of a call; what was scanned stays as a scan, which the next client deletes. */
const left: Job = async desk => {
  const { caller, random } = desk;
  const body = await chosen(desk);
  await caller.leave(random.whole(800), 'POST', '/api/twain/scan', { body });
  await idle(desk);
};

/** A reader of events that loses its connection, and comes back with the last event's id. */
const watched: Job = async desk => {
  const { caller, random, house } = desk;
  const { id } = await begin(desk, {
    scannerName: house.slow,
    parameters: { resolution: 100, imageFormat: 'Jpeg', sheets: 2 },
  });
  const path = `/api/scans/${id}/events`;
  const first = await caller.events([200], { path });
  await pause(random.whole(2500));
  first.hangUp();
  const last = first.events.findLast(({ event }) => event === 'page')?.id;
  const second = await caller.events([200, 204], { path, ...(last === undefined ? {} : { lastEventId: last }) });
  const events = [...first.events, ...(await second.ended)].filter(({ event }) => event === 'page');
  const scan = await over(desk, id);
  completed(desk, scan);
  const [came, wanted] = [events.map(each => each.id).join(), scan.pages.map(({ number }) => number).join()];
  caller.expect(came === wanted, () => `pages ${wanted} came as ${came} over a reader that left`);
  for (const { data } of events) await fetchPage(desk, id, data as KeptPage);
  await away(desk, id);
};

/** PDF and TIFF of a scan, and one document of two scans. */
const documents: Job = async desk => {
  const { caller, random } = desk;
  const one = await begin(desk, await chosen(desk));
  const format = random.pick(['pdf', 'pdf', 'tiff']);
  const { bytes } = await caller.call('GET', `/api/scans/${one.id}/document?format=${format}&rotate=all:90`, [200]);
  const magic = bytes.subarray(0, 4).toString('latin1');
  caller.expect(/^(?:%PDF|II\*\0|MM\0\*|II\+\0)$/.test(magic), () => `a document begins with ${JSON.stringify(magic)}`);
  completed(desk, await over(desk, one.id));
  const other = await begin(desk, await chosen(desk));
  completed(desk, await over(desk, other.id));
  const pages = [one, other].map(({ id }) => ({ scan: id, page: 1 }));
  await caller.call('POST', '/api/documents', [200], { body: { format, pages } });
  if (random.chance(0.3)) await caller.leave(random.whole(50), 'GET', `/api/scans/${other.id}/document`);
  for (const { id } of [one, other]) await away(desk, id);
};

/** The text of one page. */
const recognised: Job = async desk => {
  const parameters = { resolution: 150, sheets: 1, imageFormat: 'Jpeg', ocrEnabled: true, autoDeskew: true };
  const body = { scannerName: 'Desk', parameters };
  const { json } = await desk.caller.call('POST', '/api/twain/scan', [200], { body });
  await holdImages(desk, json as ScanJson);
  const { id } = await begin(desk, { scannerName: 'Desk', parameters: { resolution: 150, sheets: 1 } });
  await desk.caller.call('GET', `/api/scans/${id}/document?searchable=true`, [200]);
  await over(desk, id);
  await away(desk, id);
};

const jam: Job = async desk => {
  const { caller, house } = desk;
  const parameters = { resolution: 75, imageFormat: 'Jpeg' };
  const { id } = await begin(desk, { scannerName: house.jamming, parameters });
  let scan = await over(desk, id);
  caller.expect(scan.code === 'paper-jam' && scan.pages.length === 1, () => `a jam is ${scan.code ?? scan.state}`);
  // The second sheet of each turn jams, until there is one sheet less than that.
  for (let turn = 0; turn < 2; turn++) {
    await caller.call('POST', `/api/scans/${id}/continue`, [200]);
    scan = await over(desk, id);
  }
  completed(desk, scan);
  for (const page of scan.pages) await fetchPage(desk, id, page);
  await away(desk, id);
  await caller.call('POST', '/api/twain/scan', [500], { body: { scannerName: house.empty, parameters } });
};

/** Refused before any paper moves. */
const refused: Job = async desk => {
  const { caller, house } = desk;
  const body = { scannerName: 'Nowhere', parameters: { resolution: 75 } };
  await caller.call('POST', '/api/scans', [404], { body });
  const { id } = await begin(desk, { scannerName: house.slow, parameters: { resolution: 75, sheets: 1 } });
  const busy = { scannerName: 'Desk', parameters: { resolution: 75, sheets: 1 } };
  await caller.call('POST', '/api/twain/scan', [409], { body: busy });
  await caller.call('DELETE', `/api/scans/${id}`, [409]);
  await over(desk, id);
  await away(desk, id);
  const wrong = { scannerName: 'Desk', parameters: { resolution: 'many' } };
  await caller.call('POST', '/api/scans', [400], { body: wrong, asIs: true });
  await caller.call('POST', '/api/scans', [400], { rawBody: '{', headers: { 'content-type': 'application/json' } });
  await caller.call('GET', `/api/scans/${id}`, [404]);
  await caller.call('GET', '/nothing/here', [404]);
};

/** The same request twice is one scan. */
const repeated: Job = async desk => {
  const { random, caller } = desk;
  const headers = { 'idempotency-key': `soak-${random.whole(1e9)}` };
  const body = await chosen(desk);
  const one = await begin(desk, body, headers);
  const two = await begin(desk, body, headers, [200]);
  caller.expect(one.id === two.id, () => 'the same key began two scans');
  completed(desk, await over(desk, one.id));
  await away(desk, one.id);
};

/** Leaves a scan for later, and finishes the oldest one: its pages are still what they were. */
const keep: Job = async desk => {
  const { kept } = desk;
  const { id } = await begin(desk, await chosen(desk));
  completed(desk, await over(desk, id));
  kept.push(id);
  if (kept.length > MOST_KEPT) await takeOldest(desk);
};

/** Documents are inserted one by one, readers leave and come back, and all pages arrive in order. */
const autoscan: Job = async desk => {
  const { random } = desk;
  await autoscanOf(desk, 1 + random.whole(4), { resolution: random.pick([75, 100, 150]), imageFormat: 'Jpeg' });
};

/** How often each is done: jobs that take long are rare. */
export const jobs: Readonly<Record<string, { readonly job: Job; readonly weight: number }>> = {
  fetchedScan: { job: fetchedScan, weight: 8 },
  wholeScan: { job: wholeScan, weight: 5 },
  envelope: { job: envelope, weight: 3 },
  cancelled: { job: cancelled, weight: 3 },
  cancelledCall: { job: cancelledCall, weight: 2 },
  left: { job: left, weight: 3 },
  watched: { job: watched, weight: 2 },
  documents: { job: documents, weight: 3 },
  recognised: { job: recognised, weight: 1 },
  jam: { job: jam, weight: 2 },
  refused: { job: refused, weight: 2 },
  repeated: { job: repeated, weight: 1 },
  keep: { job: keep, weight: 4 },
  autoscan: { job: autoscan, weight: 4 },
};
