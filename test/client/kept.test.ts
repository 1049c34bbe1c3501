/** Kept pages through the client module: of an earlier auto-scan, and of one that the service's restart ended. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type AutoScan, type ScannedPage } from '@platen/client';
import t from 'tap';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets, whichSide, type Ink } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { relayTo } from './relay.js';

const fixture = await start(t, virtualTopology);
const relay = await relayTo(t, fixture);
const client = createClient({ baseUrl: relay.url });
const name = fixture.name('duplex');
const small = { resolution: 75, colorMode: 'Color' } as const;

const inkOf = async ({ blob }: ScannedPage): Promise<Ink> =>
  (await whichSide(new Uint8Array(await blob.arrayBuffer()))).ink;

async function next(scan: AutoScan): Promise<ScannedPage> {
  const { value } = await scan.next();
  if (!value) throw new Error(`The loop ended: ${scan.end?.message}`);
  return value;
}

t.test("autoScan: pages left by an earlier one, come first, also over a cut connection; then this one's", async t => {
  await fixture.load('duplex', sheets(1, 2, 3));
  await fixture.request('POST', '/api/twain/autoscan/enable', { body: { scannerName: name, parameters: small } });
  await until(async () => (await fixture.waiting('duplex')) === 0);
  await fixture.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
  const scan = client.autoScan(name, small);
  const seen: [number, Ink][] = [];
  const take = async (): Promise<void> => {
    const page = await next(scan);
    seen.push([page.pageNumber, await inkOf(page)]);
  };
  await take();
  t.match(await scan.message, /3 pages of an earlier auto-scan wait/);
  relay.cut();
  await take();
  await take();
  await fixture.insert('duplex', sheets(4));
  await take();
  await until(async () => relay.streams === 1);
  relay.cut();
  await fixture.insert('duplex', sheets(5));
  await take();
  t.same(seen, [
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 5],
  ]);
  await scan.return?.();
});

t.test('autoScan: the service restarts during the loop, every scanned page arrives, then autoscan-off', async t => {
  const first = await virtualTopology.start();
  t.teardown(async () => void (await first.stop()));
  const its = await relayTo(t, first);
  const scan = createClient({ baseUrl: its.url }).autoScan(name, small);
  await first.load('duplex', sheets(1));
  const seen = [await inkOf(await next(scan))];
  // The restart may take any time.
  const letGo = its.hold();
  its.cut();
  await first.insert('duplex', sheets(2, 3));
  await until(
    async () =>
      (await first.waiting('duplex')) === 0 &&
      (await readdir(join(first.dataDir, 'scans'), { recursive: true })).some(file => file.endsWith('3.json')),
  );
  first.signal('SIGKILL');
  await first.ended;
  const again = await start(t, virtualTopology, { dataDir: first.dataDir });
  its.port = again.port;
  letGo();
  for (let n = 0; n < 2; n++) seen.push(await inkOf(await next(scan)));
  t.same(seen, [1, 2, 3]);
  await t.rejects(scan.next(), { code: 'autoscan-off' });
});
