/**
 * A page from another origin, written only from what is known of the existing product's client, does everything against
 * Platen in Chromium.
 *
 * The page comes from a server on 127.0.0.1. Chromium's Local Network Access asks a person whether a page of the public
 * network may reach this computer; a page that is itself of this computer is not asked. So that the tests have what
 * people's pages have, Chromium is told that the page's server is public, and the permission is granted; without it,
 * the request never leaves the browser.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import type { House } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { needs } from '@platen/core/testing';

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
/** The page lies beside the source, not beside what is compiled. */
const html = fileURLToPath(new URL('../../browser/existingClient.html', import.meta.url));

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

/** A tiny web server, which has the page and nothing else. */
async function webServer(t: Test): Promise<number> {
  const page = await readFile(html);
  const server = createServer((request, response) => {
    const found = request.url?.startsWith('/client.html') === true;
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(found ? page : 'not here');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function openPage(t: Test, service: (web: string) => string, granted = true): Promise<{ page: Page; problems: string[] }> {
  const port = await webServer(t);
  const web = `http://127.0.0.1:${port}`;
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: [...args, `--ip-address-space-overrides=127.0.0.1:${port}=public`] });
  t.teardown(() => browser.close());
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  if (granted) await context.grantPermissions(['local-network-access'], { origin: web });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', message => void (['error', 'warning'].includes(message.type()) && problems.push(message.text())));
  page.on('pageerror', error => void problems.push(String(error)));
  page.on('requestfailed', request => {
    const why = request.failure()?.errorText;
    // The page closed its own stream, as it should when auto-scan is over: Chromium counts that where the service has not ended it yet.
    if (why !== 'net::ERR_ABORTED') problems.push(`${request.method()} ${request.url()}: ${why}`);
  });
  await page.goto(`${web}/client.html?service=${encodeURIComponent(service(web))}`);
  return { page, problems };
}

const came = (page: Page, count: number): Promise<Came[]> =>
  page.waitForFunction(wanted => client.came.length >= wanted && client.came, count).then(handle => handle.jsonValue() as Promise<Came[]>);

const toHouse = ({ url }: House) => () => url;

t.test('lists, opens, asks, scans and closes', async t => {
  if (!needs(t, 'chromium')) return;
  const house = await start(t, virtualTopology);
  const { page, problems } = await openPage(t, toHouse(house));
  const name = house.name('duplex');
  t.match(await page.evaluate(() => client.version()), /^\d+\.\d+\.\d+\.\d+$/);
  t.ok((await page.evaluate(() => client.sources())).includes(name));
  await page.evaluate(sourceName => client.open(sourceName), name);
  t.match(await page.evaluate(() => client.capabilities()), { resolutions: [75, 100, 150, 200, 300] });
  t.match(await page.evaluate(() => client.status()), { isSourceOpen: true });
  await house.load('duplex', sheets(1, 2));
  t.same(await page.evaluate(() => client.scan({ resolution: 75, colorMode: 'Color', pageSize: 'Letter', outputFormat: 'jpeg' })), {
    message: 'Scanned 2 pages.',
    images: [{ mimeType: 'image/jpeg', pageNumber: 1, fits: true }, { mimeType: 'image/jpeg', pageNumber: 2, fits: true }],
  });
  await house.load('duplex', sheets(3));
  t.match(await page.evaluate(() => client.scan(null)), { images: [{ mimeType: 'image/png', fits: true }] });
  await t.rejects(page.evaluate(() => client.scan({ resolution: 1 })), /invalidValue: resolution takes/);
  await t.rejects(page.evaluate(() => client.scan(null)), /noMedia: /);
  t.match(await page.evaluate(() => client.close()), { message: 'The scanner is closed.' });
  t.match(await page.evaluate(() => client.status()), { isSourceOpen: false });
  t.same(problems, []);
});

t.test('auto-scan: enable, pages as they are inserted, disable, the end', async t => {
  if (!needs(t, 'chromium')) return;
  const house = await start(t, virtualTopology);
  const { page, problems } = await openPage(t, toHouse(house));
  await house.load('duplex', []);
  await page.evaluate(sourceName => client.open(sourceName), house.name('duplex'));
  t.match(await page.evaluate(() => client.enable({ resolution: 75, outputFormat: 'jpeg' })), { success: true });
  t.equal(await page.evaluate(() => client.listen({ closes: true })), 1, 'open at once, before any page');
  await house.insert('duplex', sheets(1));
  t.match(await came(page, 1), [{ event: 'image', mimeType: 'image/png', pageNumber: 1, fits: true, lastEventId: /^\d+-1$/ }]);
  await house.insert('duplex', sheets(2));
  await came(page, 2);
  t.match(await page.evaluate(() => client.disable()), { success: true, message: 'Auto-scan is disabled.' });
  t.match((await came(page, 3))[2], { event: 'disabled', message: 'Auto-scan was turned off by request.' });
  t.match(await page.evaluate(() => client.disable()), { success: true, message: 'Auto-scan was not enabled.' });
  t.same(problems, []);
});

t.test('a stream that the client leaves to the browser: it comes back once, is told 409, and stops', async t => {
  if (!needs(t, 'chromium')) return;
  const house = await start(t, virtualTopology);
  const { page, problems } = await openPage(t, toHouse(house));
  await page.evaluate(sourceName => client.open(sourceName), house.name('duplex'));
  await page.evaluate(() => client.enable({}));
  await page.evaluate(() => client.listen({ closes: false }));
  await page.evaluate(() => client.disable());
  await page.waitForFunction(() => client.stream.readyState === 2);
  t.match(problems, [/409/]);
  t.equal(problems.length, 1);
});

t.test('404 on the version is a legacy install', async t => {
  if (!needs(t, 'chromium')) return;
  const { page } = await openPage(t, web => web);
  t.equal(await page.evaluate(() => client.version()), 'legacy');
});

t.test('without the permission for the local network the browser refuses, whatever the service says', async t => {
  if (!needs(t, 'chromium')) return;
  const house = await start(t, virtualTopology);
  const { page, problems } = await openPage(t, toHouse(house), false);
  await t.rejects(page.evaluate(() => client.sources()), /Failed to fetch/);
  t.match(problems.join('\n'), /local network|loopback|permission/i);
});
