/** Auto-scan's pages that nobody had taken, as scans of the origin that enabled it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { until } from '../spec/calls.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import {
  cancelScan,
  continueScan,
  deleteScan,
  eventsOf,
  findScan,
  inkOf,
  listScans,
  pageOf,
  sha256,
} from '../spec/scanCalls.js';

const shop = { origin: 'https://shop.example' };
const colour = { resolution: 75, colorMode: 'Color' } as const;

const enable = async (fixture: Fixture): Promise<void> => {
  const body = { scannerName: fixture.name('duplex'), parameters: colour };
  const { status } = await fixture.request('POST', '/api/twain/autoscan/enable', { body, headers: shop });
  if (status !== 200) throw new Error(`enable: ${status}`);
};
const disable = (fixture: Fixture) => fixture.request('POST', '/api/twain/autoscan/disable', { headers: shop });

function keptFiles({ dataDir }: Fixture): string[] {
  const kept = join(dataDir, 'scans');
  return existsSync(kept) ? readdirSync(kept, { recursive: true, encoding: 'utf8' }) : [];
}
const untilKept = (fixture: Fixture, pages: number): Promise<void> =>
  until(async () => keptFiles(fixture).filter(name => /\d\.json$/.test(name)).length === pages);

let fixture = await topology.start();
t.teardown(() => fixture.stop());

/** The service is killed while three pages of auto-scan wait, and the next one started. */
async function kill(): Promise<void> {
  await fixture.load('duplex', sheets(1, 2, 3));
  await enable(fixture);
  await untilKept(fixture, 3);
  fixture.signal('SIGKILL');
  await fixture.ended;
  fixture = await fixture.again();
}

t.test('auto-scan: the service is killed, its pages are an interrupted scan of that origin', async t => {
  await kill();
  const listed = await listScans(fixture, shop);
  t.match(listed, [{ kind: 'autoscan', state: 'interrupted', code: 'service-ended', pageCount: 3 }]);
  t.same(await listScans(fixture), []);
  const [{ id } = { id: '' }] = listed;
  t.equal((await findScan(fixture, id)).status, 404);
  const { pages } = (await findScan(fixture, id, shop)).json;
  t.same(
    pages.map(({ number }) => number),
    [1, 2, 3],
  );
  for (const { number, sha256: digest } of pages) {
    const { status, bytes } = await pageOf(fixture, id, number, shop);
    t.match({ status, digest: sha256(bytes) }, { status: 200, digest });
    t.equal(await inkOf(bytes), number);
  }
  const events = await (await eventsOf(fixture, id, shop)).ended;
  t.same(
    events.filter(({ event }) => event === 'page').map(({ data }) => data),
    pages,
  );
  t.match(events.at(-1), { event: 'state', id: '3.interrupted', data: { state: 'interrupted' } });
  t.equal((await continueScan(fixture, id, shop)).status, 400);
  t.match((await cancelScan(fixture, id, shop)).json, { state: 'interrupted' });
  t.equal((await deleteScan(fixture, id, shop)).status, 200);
  t.same(await listScans(fixture, shop), []);
  await until(async () => keptFiles(fixture).length === 0);
});

t.test('auto-scan: disable discards what waits, also what is listed as a scan', async t => {
  await kill();
  t.equal((await listScans(fixture, shop)).length, 1);
  await enable(fixture);
  t.match(await disable(fixture), { status: 200, json: { message: /\b3\b/ } });
  t.same(await listScans(fixture, shop), []);
  await until(async () => keptFiles(fixture).length === 0);
});
