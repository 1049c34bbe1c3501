/** Existing client in Chromium: a page of another origin, written only from what is known about the existing product's client. */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { share } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { openPage as open, pageFile, type Opened } from './foreignPage.js';

interface Came {
  readonly event: string;
  readonly lastEventId?: string;
  readonly mimeType?: string;
  readonly pageNumber?: number;
  readonly fits?: boolean;
  readonly message?: string;
}

/** The page's own `client`. */
interface Client {
  version(): Promise<string>;
  sources(): Promise<string[]>;
  open(name: string): Promise<unknown>;
  close(): Promise<{ message: string }>;
  capabilities(): Promise<{ resolutions: number[] }>;
  status(): Promise<{ isSourceOpen: boolean }>;
  scan(params: object | null): Promise<{ message: string; images: Came[] }>;
  enable(parameters: object): Promise<{ success: boolean }>;
  disable(): Promise<{ success: boolean; message: string }>;
  listen(options: { closes: boolean }): Promise<number>;
  readonly stream: { readonly readyState: number };
  readonly came: Came[];
}
declare const client: Client;

const openPage = async (t: Test, service: (web: string) => string, granted = true): Promise<Opened> =>
  open(t, {
    html: await pageFile('existingClient.html'),
    query: web => `?service=${encodeURIComponent(service(web))}`,
    granted,
  });

const came = (page: Page, count: number): Promise<Came[]> =>
  page
    .waitForFunction(wanted => client.came.length >= wanted && client.came, count)
    .then(handle => handle.jsonValue() as Promise<Came[]>);

const fixture = await share(virtualTopology);
const toFixture = (): string => fixture.url;

t.test('existing client: lists, opens, queries, scans and closes', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openPage(t, toFixture);
  const name = fixture.name('duplex');
  t.match(await page.evaluate(() => client.version()), /^\d+\.\d+\.\d+\.\d+$/);
  t.ok((await page.evaluate(() => client.sources())).includes(name));
  await page.evaluate(sourceName => client.open(sourceName), name);
  t.match(await page.evaluate(() => client.capabilities()), { resolutions: [75, 100, 150, 200, 300] });
  t.match(await page.evaluate(() => client.status()), { isSourceOpen: true });
  await fixture.load('duplex', sheets(1, 2));
  t.same(
    await page.evaluate(() =>
      client.scan({ resolution: 75, colorMode: 'Color', pageSize: 'Letter', outputFormat: 'jpeg' }),
    ),
    {
      message: 'Scanned 2 pages.',
      images: [
        { mimeType: 'image/jpeg', pageNumber: 1, fits: true },
        { mimeType: 'image/jpeg', pageNumber: 2, fits: true },
      ],
    },
  );
  await fixture.load('duplex', sheets(3));
  t.match(await page.evaluate(() => client.scan(null)), { images: [{ mimeType: 'image/png', fits: true }] });
  await t.rejects(
    page.evaluate(() => client.scan({ resolution: 1 })),
    /invalidValue: resolution takes/,
  );
  await t.rejects(
    page.evaluate(() => client.scan(null)),
    /noMedia: /,
  );
  t.match(await page.evaluate(() => client.close()), { message: 'The scanner is closed.' });
  t.match(await page.evaluate(() => client.status()), { isSourceOpen: false });
  t.same(problems, []);
});

t.test('existing client: auto-scan, enable, pages as they are inserted, disable, the end', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openPage(t, toFixture);
  await fixture.load('duplex', []);
  await page.evaluate(sourceName => client.open(sourceName), fixture.name('duplex'));
  t.match(await page.evaluate(() => client.enable({ resolution: 75, outputFormat: 'jpeg' })), { success: true });
  t.equal(await page.evaluate(() => client.listen({ closes: true })), 1, 'the stream opens at once, before any page');
  await fixture.insert('duplex', sheets(1));
  t.match(await came(page, 1), [
    { event: 'image', mimeType: 'image/png', pageNumber: 1, fits: true, lastEventId: /^\d+-1$/ },
  ]);
  await fixture.insert('duplex', sheets(2));
  await came(page, 2);
  t.match(await page.evaluate(() => client.disable()), { success: true, message: 'Auto-scan is disabled.' });
  t.match((await came(page, 3))[2], { event: 'disabled', message: 'Auto-scan was turned off by request.' });
  t.match(await page.evaluate(() => client.disable()), { success: true, message: 'Auto-scan was not enabled.' });
  t.same(problems, []);
});

t.test('existing client: the browser reconnects the stream once, gets 409, and stops', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openPage(t, toFixture);
  await page.evaluate(sourceName => client.open(sourceName), fixture.name('duplex'));
  await page.evaluate(() => client.enable({}));
  await page.evaluate(() => client.listen({ closes: false }));
  await page.evaluate(() => client.disable());
  await page.waitForFunction(() => client.stream.readyState === 2);
  t.match(problems, [/409/]);
  t.equal(problems.length, 1);
});

t.test('existing client: 404 on the version, a legacy installation', async t => {
  if (!needs(t, 'chromium')) return;
  const { page } = await openPage(t, web => web);
  t.equal(await page.evaluate(() => client.version()), 'legacy');
});

t.test('existing client: no permission for the local network, the browser rejects the request', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openPage(t, toFixture, false);
  await t.rejects(
    page.evaluate(() => client.sources()),
    /Failed to fetch/,
  );
  t.match(problems.join('\n'), /local network|loopback|permission/i);
});
