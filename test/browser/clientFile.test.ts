/** How often a page in Chromium asks for the client module, and for what. */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { relayTo } from '../client/relay.js';
import { share } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { openPage, type Foreign, type Opened } from './foreignPage.js';

/** The page's own variables. */
declare const window: { readonly ready: Promise<unknown> };

const fixture = await share(virtualTopology);
const loaded = (page: Page): Promise<unknown> => page.evaluate(() => window.ready);

const open = (t: Test, script: string, more: Partial<Foreign> = {}): Promise<Opened> =>
  openPage(t, {
    ...more,
    html: `<!doctype html><link rel="icon" href="data:,"><script type="module">window.ready = ${script}</script>`,
  });

t.test('client.js: a page of another origin loads one file, and calls the service that it came from', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems, reload } = await open(
    t,
    `import('${fixture.url}/client.js').then(client => client.listScanners())`,
  );
  await loaded(page);
  const paths: string[] = [];
  page.on('request', request => request.url().startsWith(fixture.url) && paths.push(new URL(request.url()).pathname));
  await reload();
  t.match(await loaded(page), [{ name: String }]);
  t.same(paths, ['/client.js', '/api/twain/scanners']);
  t.same(problems, []);
});

t.test('client.js: a browser that has it gets 304', async t => {
  if (!needs(t, 'chromium')) return;
  // Over plain HTTP: Chromium keeps nothing that came with a certificate that it does not trust. From this computer:
  // what a page of the public network requests over plain HTTP may fail.
  const { url } = await relayTo(t, fixture);
  const script = `import('${url}/client.js').then(({ PlatenError }) => PlatenError.name)`;
  const { page, problems, reload } = await open(t, script, { local: true });
  t.type(await loaded(page), 'string');
  const answer = page.waitForResponse(`${url}/client.js`);
  await reload();
  t.type(await loaded(page), 'string');
  const response = await answer;
  t.ok((await response.allHeaders())['etag']);
  t.equal(response.status(), 304);
  t.ok((await response.request().allHeaders())['if-none-match']);
  t.same(problems, []);
});
