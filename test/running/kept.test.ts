/** Pages of auto-scan that nobody had taken: they outlive the service, and go to who enabled it. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { imageOf, quick, told } from '../spec/autoscanCalls.js';
import { fileOf, scan, until, type Typed } from '../spec/calls.js';
import { sheets, type Ink } from '../topology/sheets.js';
import type { EventStream, StreamEvent } from '../topology/events.js';
import type { House, HouseOptions } from '../topology/topology.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

const shop = { origin: 'https://shop.example' };
const bank = { origin: 'https://bank.example' };

async function begin(t: Test, options: HouseOptions = {}): Promise<House> {
  const house = await topology.start(options);
  t.teardown(async () => void (await house.stop()));
  return house;
}

async function enable(house: House, headers: object, role: 'duplex' | 'slow' = 'duplex'): Promise<Typed<{ message: string }>> {
  return (await house.request('POST', '/api/twain/autoscan/enable', { body: { scannerName: house.name(role), parameters: quick }, headers: { ...headers } })) as Typed<{ message: string }>;
}

const events = (house: House, headers: object, lastEventId?: string): Promise<EventStream> =>
  house.events({ headers: { ...headers }, ...(lastEventId === undefined ? {} : { lastEventId }) });
const keptIn = async (house: House): Promise<string[]> => (await readdir(join(house.dataDir, 'spool', 'kept'), { recursive: true }).catch(() => [])).sort();
const waits = async (house: House, count: number): Promise<void> => until(async () => (await keptIn(house)).filter(name => /\d\.json$/.test(name)).length === count);

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  t.test(`the service ends by ${signal}: pages that nobody took wait for the origin that enabled it, and for no other`, async t => {
    const first = await begin(t);
    await first.load('duplex', sheets(1, 2, 3));
    await enable(first, shop);
    await waits(first, 3);
    first.signal(signal);
    await first.ended;

    const house = await begin(t, { dataDir: first.dataDir });
    t.match(house.log(), /3 pages of an auto-scan on .* wait for https:\/\/shop\.example/);
    for (const headers of [bank, {}]) t.equal((await events(house, headers)).status, 409);
    t.equal((await enable(house, bank)).json.message, 'Auto-scan is enabled.');
    const stranger = await events(house, bank);
    await house.insert('duplex', sheets(7));
    t.same(await told(await stranger.come(1)), ['1: 7']);
    await house.request('POST', '/api/twain/autoscan/disable', { headers: bank });

    t.match((await enable(house, shop)).json, { message: /^Auto-scan is enabled\. 3 pages of an earlier auto-scan wait and come first\.$/ });
    const reader = await events(house, shop);
    await house.insert('duplex', sheets(5));
    t.same(await told(await reader.come(4)), ['1: 1', '2: 2', '3: 3', '1: 5'], 'with the numbers that they had');
    await house.request('POST', '/api/twain/autoscan/disable', { headers: shop });
    await reader.ended;
    t.equal((await events(house, shop)).status, 409);
    await until(async () => (await keptIn(house)).length === 0);
  });
}

t.test('while auto-scan is off, what waits is read by itself, and how that auto-scan ended is said', async t => {
  const house = await begin(t);
  await house.load('duplex', sheets(1, 2));
  await enable(house, shop);
  await waits(house, 2);
  t.equal((await scan(house, 'flatbed', quick)).status, 200);
  t.match(house.log(), /Auto-scan on .* is off: .*2 pages that nobody had taken wait/);
  const reader = await events(house, shop);
  t.equal(reader.headers['x-autoscan-series'], undefined);
  t.match(await told(await reader.ended), ['1: 1', '2: 2', /^disabled: .*a scan on .* began/]);
  t.equal((await events(house, shop)).status, 409, 'an EventSource stops here');
});

t.test('disable says how many pages it discarded: in its answer, and to the readers', async t => {
  const house = await begin(t);
  await house.load('duplex', sheets(1, 2, 3));
  await enable(house, shop);
  await waits(house, 3);
  const { json } = await house.request('POST', '/api/twain/autoscan/disable', { headers: shop });
  t.match(json, { success: true, message: /discarded: 3\./ });
  t.match(house.log(), /3 pages that nobody had taken were discarded/);
  t.equal((await events(house, shop)).status, 409);
  await until(async () => (await keptIn(house)).length === 0);
});

t.test('a page of the service\'s own origin: it enables with an Origin, and reads without one', async t => {
  const house = await begin(t);
  await house.load('duplex', sheets(4));
  await enable(house, { origin: house.url, 'sec-fetch-site': 'same-origin' });
  await waits(house, 1);
  await house.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
  t.equal((await events(house, {})).status, 409);
  const reader = await events(house, { 'sec-fetch-site': 'same-origin' });
  t.match(await told(await reader.ended), ['1: 4', /^disabled/]);
});

t.test('killed in the middle of captures: every page that was announced comes once, in its order, byte for byte, and no draft is left', async t => {
  const inks: Ink[] = [1, 2, 3, 4, 5, 6, 7];
  const first = await begin(t);
  await first.load('slow', sheets(...inks));
  const { json } = await scan(first, 'slow', quick);
  const wanted = new Map(json.images.map((image, at) => [inks[at], image.base64Data]));
  await first.load('slow', sheets(...inks, ...inks));

  let house = first;
  const got: StreamEvent[] = [];
  const kills = 4;
  for (let round = 0; round <= kills; round++) {
    await enable(house, shop, 'slow');
    const reader = await events(house, shop, got.findLast(({ event }) => event === 'image')?.id);
    t.equal(reader.status, 200);
    if (round === kills) {
      await until(async () => (await house.waiting('slow')) === 0);
      await house.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
      got.push(...(await reader.ended));
      // What was delivered is kept for a while; disable lets go of it.
      await enable(house, shop, 'slow');
      t.match(await house.request('POST', '/api/twain/autoscan/disable', { headers: shop }), { json: { message: 'Auto-scan is disabled.' } });
      break;
    }
    // At another moment of a sheet each time.
    await until(async () => (await house.scanned('slow')) > 2 * round);
    await new Promise(resolve => setTimeout(resolve, round * 170));
    house.signal('SIGKILL');
    await house.ended;
    got.push(...(await reader.ended));
    house = await begin(t, { dataDir: first.dataDir });
    await until(async () => (await keptIn(house)).every(name => !name.endsWith('.draft')));
  }

  const images = got.filter(({ event }) => event === 'image');
  t.equal(new Set(images.map(({ id }) => id)).size, images.length, 'each once');
  const series = new Map<string, number>();
  for (const { id = '', data } of images) {
    const [its = '', n] = id.split('-');
    t.equal(Number(n), (series.get(its) ?? 0) + 1, id);
    series.set(its, Number(n));
    const sent = imageOf(data);
    t.equal(fileOf(sent).length, sent.fileSizeBytes);
  }
  t.ok(series.size > 1);
  const seen = images.map(({ data }) => inks.find(ink => wanted.get(ink) === imageOf(data).base64Data));
  t.notOk(seen.includes(undefined), 'byte for byte');
  // A sheet that was in the path when the service was killed was never announced.
  const fed = [...inks, ...inks];
  let missing = 0;
  for (const ink of seen) while (fed.length > 0 && fed.shift() !== ink) missing++;
  missing += fed.length;
  t.ok(missing <= kills, `${missing} sheets were in the path`);
  t.equal(seen.length + missing, inks.length * 2, 'in their order');
  await until(async () => (await keptIn(house)).length === 0);
});

t.test('pages that nobody fetches are discarded after autoscan.keptHours, and the log has the number', async t => {
  const house = await begin(t, { config: { autoscan: { keptHours: 1 / 3600 } } });
  await house.load('duplex', sheets(1, 2));
  await enable(house, shop);
  await waits(house, 2);
  await house.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
  await until(async () => house.log().includes('2 pages of an auto-scan on Duplex feeder that nobody took were discarded'));
  t.equal((await events(house, shop)).status, 409);
  await until(async () => (await keptIn(house)).length === 0);
});
