import { readFile } from 'node:fs/promises';
import { needs } from '@platen/conformance';
import t from 'tap';
import { launch, openApp, sample, startToTry, untilPages } from './appPage.js';

void t.test('page at /app/: hostile text from paper or a device, shown as text, never as markup', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startToTry(t);
  const { page, problems } = await openApp(await launch(t), fixture);
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const image = await readFile(sample('letter.png'));
  const url = '/api/scans/x/pages/1';
  const scan = {
    success: true,
    id: 'x',
    kind: 'scan',
    scannerName: hostile,
    createdAt: new Date().toISOString(),
    notes: [{ code: 'page-size-changed', text: hostile }],
    progress: { scanned: 1, finished: 1 },
    pageCount: 1,
  };
  const facts = {
    number: 1,
    sheet: 1,
    side: 'front',
    width: 1,
    height: 9,
    resolution: 75,
    format: 'Png',
    mimeType: 'image/png',
    bytes: image.length,
    sha256: '',
    url,
    ocrText: hostile,
    blank: { isBlank: true, ink: 0, why: hostile },
    barcodes: [{ text: hostile, barcodeType: hostile, confidence: 1 }],
    report: [{ parameter: hostile, requested: hostile, result: 'ignored', why: hostile }],
  };
  const events = `id: 1\nevent: page\ndata: ${JSON.stringify(facts)}\n\nid: 1.completed\nevent: state\ndata: ${JSON.stringify({ ...scan, state: 'completed' })}\n\n`;
  await page.route('**/api/scans', route =>
    route.fulfill({ status: 201, json: { ...scan, state: 'running', pages: [], pageCount: 0 } }),
  );
  await page.route('**/api/scans/x/events', route => route.fulfill({ contentType: 'text/event-stream', body: events }));
  await page.route('**/api/scans/x/pages/1*', route => route.fulfill({ contentType: 'image/png', body: image }));
  await page.locator('#scan:enabled').click();
  await untilPages(page, 1);
  t.equal(await page.locator('.read').textContent(), hostile);
  t.equal(await page.locator('.code-text').textContent(), hostile);
  t.equal(await page.locator('.thumb').getAttribute('aria-label'), 'Page 1, blank, 1 barcode');
  t.ok((await page.locator('.meta').textContent())?.includes(hostile));
  t.ok((await page.locator('#notes').textContent())?.includes(hostile));
  t.equal(await page.locator('main img:not(.thumb img), main script').count(), 0);
  const room = (selector: string) => page.locator(selector).evaluate(element => element.clientHeight);
  t.equal(await room('.thumb img'), await room('.thumb-picture'), 'the thumbnail of a narrow strip fills its place');
  t.equal(await page.title(), 'Platen: scan');
  t.same(problems, []);
});
