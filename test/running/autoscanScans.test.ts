/** Undelivered pages of an auto-scan that is over: a scan of the origins that enabled it, beside the event stream. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { imageOf, quick } from '../spec/autoscanCalls.js';
import { fileOf, until } from '../spec/calls.js';
import type { Fixture, FixtureOptions } from '../topology/topology.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

const shop = { origin: 'https://shop.example' };
const bank = { origin: 'https://bank.example' };

interface Page {
  readonly number: number;
  readonly bytes: number;
  readonly url: string;
}
interface Scan {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly code?: string;
  readonly pageCount: number;
  readonly pages: readonly Page[];
}

async function begin(t: Test, options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = await topology.start(options);
  t.teardown(async () => void (await fixture.stop()));
  return fixture;
}

const listed = async (fixture: Fixture, headers: object): Promise<readonly Scan[]> =>
  ((await fixture.request('GET', '/api/scans', { headers: { ...headers } })).json as { scans: Scan[] }).scans;
const scanOf = async (fixture: Fixture, id: string, headers: object) =>
  fixture.request('GET', `/api/scans/${id}`, { headers: { ...headers } });
const keptIn = async (fixture: Fixture): Promise<string[]> =>
  readdir(join(fixture.dataDir, 'scans'), { recursive: true }).catch(() => []);

/** An auto-scan with three pages that nobody reads. */
async function unread(fixture: Fixture): Promise<Fixture> {
  await fixture.load('duplex', sheets(1, 2, 3));
  await fixture.request('POST', '/api/twain/autoscan/enable', {
    body: { scannerName: fixture.name('duplex'), parameters: quick },
    headers: shop,
  });
  await until(async () => (await keptIn(fixture)).filter(name => /\d\.json$/.test(name)).length === 3);
  return fixture;
}

t.test('auto-scan as a scan: the service was killed, its pages are an interrupted scan of that origin', async t => {
  const first = await unread(await begin(t));
  t.same(await listed(first, shop), [], 'it is on');
  first.signal('SIGKILL');
  await first.ended;
  const fixture = await begin(t, { dataDir: first.dataDir });
  for (const headers of [bank, {}]) t.same(await listed(fixture, headers), []);
  const [summary] = await listed(fixture, shop);
  t.match(summary, { kind: 'autoscan', state: 'interrupted', code: 'service-ended', pageCount: 3 });
  const { id = '' } = summary ?? {};
  t.equal((await scanOf(fixture, id, bank)).status, 404);
  const { pages } = (await scanOf(fixture, id, shop)).json as Scan;
  t.same(
    pages.map(({ number }) => number),
    [1, 2, 3],
  );
  t.equal((await fixture.request('POST', `/api/scans/${id}/continue`, { headers: shop })).status, 400);

  // The first page comes here, the rest in the event stream.
  const response = await fixture.request('GET', pages[0]?.url ?? '', { headers: shop });
  t.equal(response.status, 200);
  await until(async () => (await keptIn(fixture)).some(name => name.endsWith('1.sent.json')));
  const reader = await fixture.events({ headers: shop });
  const events = await reader.ended;
  const images = events.filter(({ event }) => event === 'image').map(({ data }) => imageOf(data));
  t.same(
    images.map(({ pageNumber }) => pageNumber),
    [2, 3],
  );
  t.same(
    images.map(image => fileOf(image).length),
    pages.slice(1).map(({ bytes }) => bytes),
  );
  await until(async () => (await listed(fixture, shop)).length === 0);
  t.equal((await scanOf(fixture, id, shop)).status, 200, 'until it is deleted, or for a while');
  t.equal((await fixture.request('DELETE', `/api/scans/${id}`, { headers: shop })).status, 200);
  t.equal((await scanOf(fixture, id, shop)).status, 404);
  t.same(await keptIn(fixture), []);
  await t.test('all its pages are fetched, the event stream has none of them', t => fetched(t, fixture));
});

async function fetched(t: Test, fixture: Fixture): Promise<void> {
  await unread(fixture);
  await fixture.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
  const [summary] = await listed(fixture, shop);
  t.match(summary, { kind: 'autoscan', state: 'completed', pageCount: 3 });
  const { pages } = (await scanOf(fixture, summary?.id ?? '', shop)).json as Scan;
  for (const { url } of pages) t.equal((await fixture.request('GET', url, { headers: shop })).status, 200);
  await until(async () => (await listed(fixture, shop)).length === 0);
  const reader = await fixture.events({ headers: shop });
  t.equal(reader.status, 409);
}
