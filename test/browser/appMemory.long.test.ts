/** Page at /app/: the memory that a tab needs does not grow with the bytes of its pages. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { choose, decoded, drawn, launch, openApp, toTry, untilIdle, untilPages } from './appPage.js';

const PAGES = 60;
/** An uncompressed Letter page at 100 dpi. */
const PAGE_BYTES = 850 * 1100 * 3;

void t.test('page at /app/: 60 pages, their bytes stay at the service', async t => {
  if (!needs(t, 'chromium')) return;
  const config = JSON.parse(await toTry()) as { plugins: { options: { scanners: object[] } }[] };
  config.plugins[0]?.options.scanners.push({ name: 'Feeder L', feeder: true, samples: PAGES });
  const fixture = await start(t, virtualTopology, { configText: JSON.stringify(config) });
  const { page, problems } = await openApp(await launch(t), fixture);
  for (const name of ['Read text', 'Read barcodes']) await page.getByRole('switch', { name }).uncheck();
  await choose(page, 'Feeder L');
  await page.getByLabel('Resolution').selectOption({ label: '100 dpi' });
  await page.getByLabel('File format').selectOption({ label: 'BMP' });

  const tools = await page.context().newCDPSession(page);
  await Promise.all(
    ['HeapProfiler.enable', 'Performance.enable', 'Network.enable'].map(name => tools.send(name as 'Network.enable')),
  );
  let received = 0;
  tools.on('Network.loadingFinished', ({ encodedDataLength }) => void (received += encodedDataLength));
  const heap = async (): Promise<number> => {
    await tools.send('HeapProfiler.collectGarbage');
    const { metrics } = await tools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN;
  };

  const before = await heap();
  await page.locator('#scan:enabled').click();
  await untilPages(page, PAGES);
  await untilIdle(page);
  await page.getByRole('button', { name: 'Page 1', exact: true }).press('End');
  await drawn(page.locator('.stage canvas'));
  await decoded(page.locator('.thumb img').last());
  const grown = (await heap()) - before;
  const all = PAGES * PAGE_BYTES;
  t.comment(
    `heap: ${Math.round(grown / 1024)} KiB more; received: ${Math.round(received / 1024)} KiB of ${Math.round(all / 1024)} KiB`,
  );
  t.ok(grown < all / 50, 'the heap');
  t.ok(received < all / 10, 'what was received');
  t.same(problems, []);
});
