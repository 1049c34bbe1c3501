/** What the client finds in Chromium in each state of the permission to reach this computer, as docs/browsers.md has it. */
import { needs } from '@platen/conformance';
import type { Frame, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { closedUrl, relayTo } from '../client/relay.js';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { openAskingChromium } from './askingChromium.js';
import { documented, tested, type Found } from './browserTable.js';
import { overHttps } from './httpsPage.js';
import { nameOf, openPublicSite, plain, type InPage } from './publicSite.js';

declare const platen: InPage;

if (needs(t, 'chromium')) {
  const fixture = await start(t, virtualTopology);
  const closed = await closedUrl();
  const site = await openPublicSite();
  t.teardown(() => site.close());
  const driven = new Set<string>();
  const chromium = await openAskingChromium(t, site);

  async function finds(
    t: Test,
    page: Page | Frame,
    state: string,
    calls: readonly (keyof Found)[] = ['ready', 'diagnose'],
  ): Promise<void> {
    const want = documented('Chromium', state);
    await page.waitForFunction('"platen" in window');
    for (const call of calls) {
      driven.add(`${state}: ${call}`);
      const found = await (call === 'ready'
        ? page.evaluate(() => platen.ready())
        : page.evaluate(() => platen.diagnose()));
      t.equal(nameOf(found), want[call], `${state}: ${call}()`);
    }
  }
  const frameOf = (page: Page): Frame => page.frames().find(frame => frame !== page.mainFrame()) ?? page.mainFrame();

  t.test('Chromium: not asked, granted, lapsed, denied', async t => {
    const { page, set } = await chromium.open(site.page(fixture.url));
    await finds(t, page, 'not asked', ['ready']);
    await set('granted');
    await finds(t, page, 'granted');
    await set('prompt');
    await finds(t, page, 'lapsed or reset', ['ready']);
    await set('denied');
    await finds(t, page, 'denied');
  });

  t.test('Chromium: frames', async t => {
    const { page: around } = await chromium.open(site.around(fixture.url, ''));
    await finds(t, frameOf(around), 'frame without `allow`');
    const { page, set } = await chromium.open(site.around(fixture.url, 'local-network-access; loopback-network'));
    await set('granted');
    await finds(t, frameOf(page), 'frame with `allow`, granted');
    await set('denied');
    await finds(t, frameOf(page), 'frame with `allow`, denied');
  });

  t.test('Chromium: certificate not trusted, service off', async t => {
    const wary = await chromium.open(site.page(fixture.url), false);
    await finds(t, wary.page, 'certificate not trusted, not asked', ['ready']);
    await wary.set('granted');
    await finds(t, wary.page, 'certificate not trusted, granted');
    const off = await chromium.open(site.page(closed));
    await finds(t, off.page, 'service off, not asked', ['ready']);
    await off.set('granted');
    await finds(t, off.page, 'service off, granted');
  });

  t.test('Chromium: plain HTTP', async t => {
    const { page } = await chromium.open(site.page(fixture.url, { host: plain }));
    await finds(t, page, 'page over HTTP, not asked');
    const { url } = await relayTo(t, fixture);
    const secure = await chromium.open(await overHttps(t, site, url));
    await finds(t, secure.page, 'page over HTTPS, service over HTTP');
  });

  t.test('Chromium: docs/browsers.md has each state that was driven, and no other', async t => {
    t.same([...driven].sort(), tested('Chromium').sort());
  });
}
