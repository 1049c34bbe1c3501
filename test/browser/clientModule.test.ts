/** Client module in Chromium: every call, from a page of another origin that imports it from the service. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Diagnosis } from '@platen/client';
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { canReadPdfs, inksOf, readPdf } from '../client/drawnPdf.js';
import { relayTo } from '../client/relay.js';
import { until, untilFed } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { openPage, pageFile, type Foreign, type Opened } from './foreignPage.js';

const samples = fileURLToPath(new URL('../../../drivers/virtual/samples/', import.meta.url));

interface Shown {
  readonly type: string;
  readonly pageNumber: number;
  readonly fits: boolean;
  readonly ocrText: string;
  readonly barcodes: readonly { readonly text: string }[];
}

interface Outcome {
  readonly status?: string;
  readonly code?: string;
  readonly isPlatenError?: boolean;
  readonly pages: readonly Shown[];
}

interface Given extends Shown {
  readonly sheet: number;
  readonly side: string;
}

/** How a loop over a scan's pages ended. */
interface Loop {
  readonly state: string;
  readonly code?: string;
  readonly pages: readonly Given[];
}

interface Written {
  readonly type: string;
  readonly base64: string;
  readonly state: string;
  readonly code?: string;
}

/** The page's own variables. */
declare const module: {
  names(): Promise<string[]>;
  capabilities(name: string): Promise<{ resolutions: number[] }>;
  diagnose(): Promise<Diagnosis>;
  scan(name: string, parameters: object): Promise<Outcome>;
  stop(): void;
  readonly given: readonly Given[];
  start(name: string, parameters: object): Promise<Loop>;
  rest(): Promise<Loop>;
  goOn(): Promise<Loop>;
  done(): Promise<void>;
  waiting(): Promise<{ id: string; state: string; pageCount: number }[]>;
  resume(id: string): Promise<Loop>;
  strip(id: string, width: number): Promise<{ fits: boolean; width: number }>;
  readonly bytes: number;
  document(name: string, parameters: object): Promise<Written>;
  readonly came: readonly Shown[];
  watch(name: string, parameters: object, count?: number): Promise<{ reason: string }>;
};
declare const window: { readonly ready?: boolean };

async function open(t: Test, query: string, more: Partial<Foreign> = {}): Promise<Opened> {
  const opened = await openPage(t, { html: await pageFile('clientModule.html'), query: () => query, ...more });
  // Frames are not drawn on a busy computer as fast as a page is loaded.
  await opened.page
    .waitForFunction(() => window.ready, undefined, { polling: 100 })
    .catch((error: unknown) => {
      throw new Error(`The page did not become ready: ${opened.problems.join('; ') || 'it has no problem'}.`, {
        cause: error,
      });
    });
  return opened;
}

const at = (key: string, url: string): string => `${key}=${encodeURIComponent(url)}`;

const came = (page: Page, count: number): Promise<readonly Shown[]> =>
  page
    .waitForFunction(wanted => module.came.length >= wanted && module.came, count)
    .then(handle => handle.jsonValue() as Promise<readonly Shown[]>);

/** One service for all tests. */
const fixture = await start(t, virtualTopology, {
  recognisers: ['@platen/barcode', '@platen/ocr', '@platen/document-pdf'],
});
const openHere = (t: Test): Promise<Opened> => open(t, `?${at('from', fixture.url)}`);

t.test('client module: no address given, scans two documents with barcodes and text', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openHere(t);
  const name = fixture.name('duplex');
  t.ok((await page.evaluate(() => module.names())).includes(name));
  t.match(await page.evaluate(it => module.capabilities(it), fixture.name('flatbed')), {
    resolutions: [75, 100, 150, 200, 300],
  });
  t.same(await page.evaluate(() => module.diagnose()), { ok: true, findings: [] });
  // Parts of them: recognition takes most of the time.
  for (const [file, top, height] of [
    ['invoice.png', 320, 260],
    ['labels.png', 300, 900],
  ] as const)
    await sharp(join(samples, file))
      .extract({ left: 0, top, width: 1700, height })
      .withDensity(200)
      .toFile(join(fixture.tray('duplex'), file));
  const { status, pages } = await page.evaluate(
    it => module.scan(it, { resolution: 200, imageFormat: 'Jpeg', barcodeReadingEnabled: true, ocrEnabled: true }),
    name,
  );
  t.equal(status, 'Success');
  t.same(
    pages.map(({ pageNumber, fits, type }) => ({ pageNumber, fits, type })),
    [1, 2].map(pageNumber => ({ pageNumber, fits: true, type: 'image/jpeg' })),
  );
  const [invoice, labels] = pages;
  t.match(invoice?.ocrText, /invoice/i);
  t.ok((labels?.barcodes.length ?? 0) > 3, `${labels?.barcodes.length} barcodes`);
  t.same(problems, []);
});

t.test('client module: a jam, the page before it is kept, the next scan works', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openHere(t);
  const name = fixture.name('jamming');
  const scan = () => page.evaluate(it => module.scan(it, { resolution: 75 }), name);
  await fixture.load('jamming', sheets(1, 2));
  t.match(await scan(), { code: 'paper-jam', isPlatenError: true, pages: [{ pageNumber: 1, fits: true }] });
  await fixture.load('jamming', sheets(2));
  t.match(await scan(), { status: 'Success', pages: [{ pageNumber: 1, fits: true }] });
  t.match(problems, [/500/], "the browser logs only the answer's status");
  t.equal(problems.length, 1);
});

t.test('client module: cancelled by the signal, rejects with the finished pages', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openHere(t);
  await fixture.load('slow', sheets(1, 2, 3, 4, 5));
  const scanning = page.evaluate(it => module.scan(it, { resolution: 75 }), fixture.name('slow'));
  await untilFed(fixture, 'slow');
  await page.evaluate(() => module.stop());
  const { code, pages } = await scanning;
  t.equal(code, 'cancelled');
  t.equal(pages.length, await fixture.scanned('slow'));
  t.ok(pages.length > 0 && pages.length < 5);
  t.same(problems, []);
});

t.test('client module: a scan from another origin, pages as they come; its own only', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openHere(t);
  await fixture.load('slow', sheets(1, 2, 3));
  const scanning = page.evaluate(it => module.start(it, { resolution: 75 }), fixture.name('slow'));
  await page.waitForFunction(() => module.given.length > 0);
  const [scan] = await page.evaluate(() => module.waiting());
  t.equal(scan?.state, 'running', 'the first page is shown before the scan ends');
  t.match(await scanning, {
    state: 'completed',
    pages: [1, 2, 3].map(n => ({ pageNumber: n, sheet: n, side: 'front', fits: true, type: 'image/png' })),
  });
  const id = scan?.id ?? '';
  t.same(await page.evaluate(it => module.strip(it, 100), id), { fits: true, width: 100 });
  t.equal((await fixture.request('GET', `/api/scans/${id}`)).status, 404, 'not for a local program');
  await page.evaluate(() => module.done());
  t.same(await page.evaluate(() => module.waiting()), []);
  t.same(problems, []);
});

t.test(
  'client module: a document, its connection cut while the scan runs, whole; of a jam, the pages so far',
  async t => {
    if (!needs(t, 'chromium') || !canReadPdfs(t)) return;
    const relay = await relayTo(t, fixture);
    const { page } = await open(t, `?${at('from', fixture.url)}&${at('service', relay.url)}`);
    const write = (name: string): Promise<Written> =>
      page.evaluate(it => module.document(it, { resolution: 75, colorMode: 'Color' }), name);
    await fixture.load('slow', sheets(1, 2, 3, 4));
    const writing = write(fixture.name('slow'));
    await page.waitForFunction(() => module.bytes > 0);
    t.equal(relay.cut(), 1);
    const { type, base64, state } = await writing;
    t.same([type, state], ['application/pdf', 'completed']);
    t.same(inksOf(await readPdf(Buffer.from(base64, 'base64'))), [1, 2, 3, 4]);
    await page.evaluate(() => module.done());

    await fixture.load('jamming', sheets(5, 6));
    const jam = await write(fixture.name('jamming'));
    t.match(jam, { state: 'failed', code: 'paper-jam' });
    t.same(inksOf(await readPdf(Buffer.from(jam.base64, 'base64'))), [5]);
    await page.evaluate(() => module.done());
  },
);

t.test('client module: a jam, a reload, the scan continues where it was', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems, reload } = await openHere(t);
  await fixture.load('jamming', sheets(1, 2));
  const name = fixture.name('jamming');
  const jam = await page.evaluate(it => module.start(it, { resolution: 75 }), name);
  t.match(jam, { state: 'failed', code: 'paper-jam', pages: [{ pageNumber: 1, fits: true }] });
  await reload();
  await page.waitForFunction(() => window.ready);
  const [scan] = await page.evaluate(() => module.waiting());
  t.match(scan, { state: 'failed', pageCount: 1 });
  t.match(await page.evaluate(it => module.resume(it), scan?.id ?? ''), { code: 'paper-jam', pages: [{ fits: true }] });
  await fixture.load('jamming', sheets(2));
  const rest = await page.evaluate(() => module.goOn());
  t.match(rest, { state: 'completed', pages: [{ pageNumber: 1 }, { pageNumber: 2, fits: true }] });
  await page.evaluate(() => module.done());
  t.same(problems, []);
});

t.test('client module: the tab closes in a scan, a new one gets every page', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems, reload } = await openHere(t);
  await fixture.load('slow', sheets(1, 2, 3));
  const closed = page.evaluate(it => module.start(it, { resolution: 75 }), fixture.name('slow')).catch(() => undefined);
  await page.waitForFunction(() => module.given.length > 0);
  await reload();
  await closed;
  await page.waitForFunction(() => window.ready);
  const [scan] = await page.evaluate(() => module.waiting());
  const { state, pages } = await page.evaluate(it => module.resume(it), scan?.id ?? '');
  t.equal(state, 'completed');
  t.same(
    pages.map(({ pageNumber, fits }) => ({ pageNumber, fits })),
    [1, 2, 3].map(pageNumber => ({ pageNumber, fits: true })),
  );
  await page.evaluate(() => module.done());
  t.same(problems, []);
});

t.test('client module: a scan cancelled by the signal, what was scanned arrives', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openHere(t);
  await fixture.load('slow', sheets(1, 2, 3, 4, 5));
  const scanning = page.evaluate(it => module.start(it, { resolution: 75 }), fixture.name('slow'));
  await untilFed(fixture, 'slow');
  await page.evaluate(() => module.stop());
  const { state, code, pages } = await scanning;
  t.same([state, code], ['cancelled', 'cancelled']);
  t.equal(pages.length, await fixture.scanned('slow'));
  await page.evaluate(() => module.done());
  t.same(problems, []);
});

t.test('client module: auto-scan, documents as they are inserted, until the loop ends', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openHere(t);
  const name = fixture.name('duplex');
  await fixture.load('duplex', []);
  const left = page.evaluate(it => module.watch(it, { resolution: 75 }, 2), name);
  await fixture.insert('duplex', sheets(1));
  t.match(await came(page, 1), [{ pageNumber: 1, fits: true, type: 'image/png' }]);
  await fixture.insert('duplex', sheets(2));
  t.match(await left, { reason: 'left' });
  t.equal((await fixture.request('GET', '/api/twain/autoscan/events')).status, 409, 'it is off');

  const stopped = page.evaluate(it => module.watch(it, { resolution: 75 }), name);
  await fixture.insert('duplex', sheets(3));
  await came(page, 1);
  await page.evaluate(() => module.stop());
  t.match(await stopped, { reason: 'aborted' });
  t.same(problems, []);
});

t.test('client module: the page closes, auto-scan turns off', async t => {
  if (!needs(t, 'chromium')) return;
  // Over plain HTTP: for a closed page, Chromium no longer accepts the test certificate. From this computer: of requests
  // that a page of the public network sends while it closes, Chromium 156 drops one in four.
  const { url } = await relayTo(t, fixture);
  const { page } = await open(t, `?${at('from', fixture.url)}&${at('service', url)}`, { local: true });
  await fixture.load('duplex', sheets(1));
  const watching = page.evaluate(it => module.watch(it, { resolution: 75 }), fixture.name('duplex'));
  await Promise.race([came(page, 1), watching]);
  const before = fixture.log().length;
  await Promise.all([page.goto('about:blank'), watching.catch(() => undefined)]);
  await until(async () => fixture.log().slice(before).includes('Auto-scan was turned off by request'));
  t.pass('it is off');
});

t.test('client module: the stream is cut, resumes where it was', async t => {
  if (!needs(t, 'chromium')) return;
  const relay = await relayTo(t, fixture);
  const { page, problems } = await open(t, `?${at('from', fixture.url)}&${at('service', relay.url)}`);
  await fixture.load('duplex', sheets(1, 2));
  const watching = page.evaluate(it => module.watch(it, { resolution: 75 }, 4), fixture.name('duplex'));
  await came(page, 2);
  t.equal(relay.cut(), 1);
  await fixture.insert('duplex', sheets(3, 4));
  t.match(await watching, { reason: 'left' });
  t.same(
    (await came(page, 4)).map(({ pageNumber }) => pageNumber),
    [1, 2, 3, 4],
  );
  t.ok(relay.requests.some(({ lastEventId }) => lastEventId?.endsWith('-2')));
  // The browser logs the lost connection.
  t.same(
    problems.filter(problem => !/net::ERR_|autoscan\/events/.test(problem)),
    [],
  );
});
