/** Pages of auto-scan that nobody had taken: they outlive the service, and go to who enabled it. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { imageOf, quick, eventLines } from '../spec/autoscanCalls.js';
import { fileOf, logged, scan, until, type Typed } from '../spec/calls.js';
import { sheets, type Ink } from '../topology/sheets.js';
import type { EventStream, StreamEvent } from '../topology/events.js';
import type { Fixture, FixtureOptions } from '../topology/topology.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

const shop = { origin: 'https://shop.example' };
const bank = { origin: 'https://bank.example' };

async function begin(t: Test, options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = await topology.start(options);
  t.teardown(async () => void (await fixture.stop()));
  return fixture;
}

async function enable(
  fixture: Fixture,
  headers: object,
  role: 'duplex' | 'slow' = 'duplex',
): Promise<Typed<{ message: string }>> {
  return (await fixture.request('POST', '/api/twain/autoscan/enable', {
    body: { scannerName: fixture.name(role), parameters: quick },
    headers: { ...headers },
  })) as Typed<{ message: string }>;
}

const events = (fixture: Fixture, headers: object, lastEventId?: string): Promise<EventStream> =>
  fixture.events({ headers: { ...headers }, ...(lastEventId === undefined ? {} : { lastEventId }) });
const keptIn = async (fixture: Fixture): Promise<string[]> =>
  (await readdir(join(fixture.dataDir, 'scans'), { recursive: true }).catch(() => [])).sort();
const waits = async (fixture: Fixture, count: number): Promise<void> =>
  until(async () => (await keptIn(fixture)).filter(name => /\d\.json$/.test(name)).length === count);

t.test('kept pages: the service ends, they wait for the origin that enabled auto-scan and for no other', async t => {
  let fixture = await begin(t);
  const { dataDir } = fixture;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await fixture.load('duplex', sheets(1, 2, 3));
    await enable(fixture, shop);
    await waits(fixture, 3);
    fixture.signal(signal);
    await fixture.ended;

    fixture = await begin(t, { dataDir });
    t.ok(await logged(fixture, /3 pages of an auto-scan on .* wait for https:\/\/shop\.example/), signal);
    for (const headers of [bank, {}]) t.equal((await events(fixture, headers)).status, 409);
    t.equal((await enable(fixture, bank)).json.message, 'Auto-scan is enabled.');
    const stranger = await events(fixture, bank);
    await fixture.insert('duplex', sheets(7));
    t.same(await eventLines(await stranger.come(1)), ['1: 7']);
    await fixture.request('POST', '/api/twain/autoscan/disable', { headers: bank });

    t.match((await enable(fixture, shop)).json, {
      message: /^Auto-scan is enabled\. 3 pages of an earlier auto-scan wait and come first\.$/,
    });
    const reader = await events(fixture, shop);
    await fixture.insert('duplex', sheets(5));
    t.same(
      await eventLines(await reader.come(4)),
      ['1: 1', '2: 2', '3: 3', '4: 5'],
      'with the numbers that they had; the new one goes on',
    );
    await fixture.request('POST', '/api/twain/autoscan/disable', { headers: shop });
    await reader.ended;
    t.equal((await events(fixture, shop)).status, 409);
    await until(async () => (await keptIn(fixture)).length === 0);
  }

  await t.test('disable, says how many it discarded in its answer and to the readers', async t => {
    await fixture.load('duplex', sheets(1, 2, 3));
    await enable(fixture, shop);
    await waits(fixture, 3);
    const { json } = await fixture.request('POST', '/api/twain/autoscan/disable', { headers: shop });
    t.match(json, { success: true, message: /\b3\b/ });
    t.ok(await logged(fixture, /3 pages .* discarded/));
    t.equal((await events(fixture, shop)).status, 409);
    await until(async () => (await keptIn(fixture)).length === 0);
  });

  await t.test("the service's own page, enables with an Origin and reads without one", async t => {
    await fixture.load('duplex', sheets(4));
    const own = { origin: fixture.url, 'sec-fetch-site': 'same-origin' };
    await enable(fixture, own);
    await waits(fixture, 1);
    await fixture.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
    t.equal((await events(fixture, {})).status, 409);
    const reader = await events(fixture, { 'sec-fetch-site': 'same-origin' });
    t.match(await eventLines(await reader.ended), ['1: 4', /^disabled/]);
    // What was delivered is kept for a while; disable lets go of it.
    await enable(fixture, own);
    await fixture.request('POST', '/api/twain/autoscan/disable', { headers: own });
    await until(async () => (await keptIn(fixture)).length === 0);
  });

  await t.test('auto-scan is off, they can be read, followed by how that auto-scan ended', async t => {
    await fixture.load('duplex', sheets(1, 2));
    await enable(fixture, shop);
    await waits(fixture, 2);
    await fixture.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
    t.ok(await logged(fixture, /Auto-scan on .* is off: .*2 pages .* wait/));
    const reader = await events(fixture, shop);
    t.equal(reader.headers['x-autoscan-series'], undefined);
    t.match(await eventLines(await reader.ended), ['1: 1', '2: 2', /^disabled: .*closed/]);
    t.equal((await events(fixture, shop)).status, 409, 'an EventSource stops here');
  });
});

t.test(
  'kept pages: service killed during captures, every announced page comes once, in order and byte for byte, and no draft is left',
  async t => {
    const inks: Ink[] = [1, 2, 3, 4, 5, 6, 7];
    const first = await begin(t);
    await first.load('slow', sheets(...inks));
    const { json } = await scan(first, 'slow', quick);
    const wanted = new Map(json.images.map((image, at) => [inks[at], image.base64Data]));
    await first.load('slow', sheets(...inks, ...inks));

    let fixture = first;
    const got: StreamEvent[] = [];
    const kills = 3;
    for (let round = 0; round <= kills; round++) {
      await enable(fixture, shop, 'slow');
      const reader = await events(fixture, shop, got.findLast(({ event }) => event === 'image')?.id);
      t.equal(reader.status, 200);
      if (round === kills) {
        await until(async () => (await fixture.waiting('slow')) === 0);
        await fixture.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
        got.push(...(await reader.ended));
        // What was delivered is kept for a while; disable lets go of it.
        await enable(fixture, shop, 'slow');
        t.match(await fixture.request('POST', '/api/twain/autoscan/disable', { headers: shop }), {
          json: { message: 'Auto-scan is disabled.' },
        });
        break;
      }
      // At another moment of a sheet each time: fed, or announced.
      await until(async () => (await fixture.scanned('slow')) > 2 * round);
      if (round % 2 === 1) await reader.come(1);
      fixture.signal('SIGKILL');
      await fixture.ended;
      got.push(...(await reader.ended));
      fixture = await begin(t, { dataDir: first.dataDir });
      await until(async () => (await keptIn(fixture)).every(name => !name.endsWith('.draft')));
    }

    const images = got.filter(({ event }) => event === 'image');
    t.equal(new Set(images.map(({ id }) => id)).size, images.length, 'each once');
    const series = new Map<string, number>();
    for (const { id = '', data } of images) {
      const [its = '', n] = id.split('-');
      // Its first number follows those of the pages that waited then.
      t.equal(Number(n), (series.get(its) ?? Number(n) - 1) + 1, id);
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
    await until(async () => (await keptIn(fixture)).length === 0);
  },
);

t.test('kept pages: not fetched within autoscan.keptHours, discarded and their number logged', async t => {
  const fixture = await begin(t, { config: { autoscan: { keptHours: 1 / 3600 } } });
  await fixture.load('duplex', sheets(1, 2));
  await enable(fixture, shop);
  await waits(fixture, 2);
  await fixture.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
  await until(async () => /auto-scan on Duplex feeder .* discarded .* 2 /.test(fixture.log()));
  t.equal((await events(fixture, shop)).status, 409);
  await until(async () => (await keptIn(fixture)).length === 0);
});
