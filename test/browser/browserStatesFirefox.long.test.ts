/** What the client finds in Firefox in each state of the permission to reach this computer, as docs/browsers.md has it. */
import { needs } from '@platen/conformance';
import type { Frame, Page } from 'puppeteer-core';
import t, { type Test } from 'tap';
import { closedUrl, relayTo } from '../client/relay.js';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { openAskingFirefox } from './askingFirefox.js';
import { overHttps } from './httpsPage.js';
import { documented, tested } from './browserTable.js';
import { FIREFOX } from './firefox.js';
import { nameOf, openPublicSite, plain, top, type InPage } from './publicSite.js';

declare const platen: InPage;

if (needs(t, FIREFOX)) {
  const fixture = await start(t, virtualTopology);
  const closed = await closedUrl();
  const site = await openPublicSite();
  t.teardown(() => site.close());
  const driven = new Set<string>();
  const firefox = await openAskingFirefox(t, site);
  const wary = await openAskingFirefox(t, site, { trusting: false });

  async function find(page: Page | Frame, call: 'ready' | 'diagnose'): Promise<string> {
    await page.waitForFunction('"platen" in window');
    return nameOf(
      await (call === 'ready' ? page.evaluate(() => platen.ready()) : page.evaluate(() => platen.diagnose())),
    );
  }

  async function both(t: Test, page: Page | Frame, state: string): Promise<void> {
    const want = documented('Firefox', state);
    for (const call of ['ready', 'diagnose'] as const) {
      driven.add(`${state}: ${call}`);
      t.equal(await find(page, call), want[call], `${state}: ${call}()`);
    }
  }

  const frameOf = async (page: Page): Promise<Frame> => page.waitForFrame(frame => frame.parentFrame() !== null);

  t.test('Firefox: not asked, then the question open, and denied by the person', async t => {
    const page = await firefox.open(site.page(fixture.url));
    await both(t, page, 'not asked');
    t.ok(await firefox.isAsking(), 'diagnose() made it ask');
    await both(t, page, 'question open');
    await firefox.answer('Block');
    await until(async () => (await find(page, 'ready')) !== 'not-asked');
    await both(t, page, 'denied');
    await page.close();
  });

  t.test('Firefox: granted, then lapsed', async t => {
    await firefox.set(top, 'granted');
    const page = await firefox.open(site.page(fixture.url));
    await both(t, page, 'granted');
    await firefox.set(top, 'prompt');
    await both(t, page, 'lapsed or reset');
    await page.close();
  });

  t.test('Firefox: frames', async t => {
    await firefox.set(top, 'granted');
    const closedFrame = await firefox.open(site.around(fixture.url, ''));
    await both(t, await frameOf(closedFrame), 'frame without `allow`');
    const open = await firefox.open(site.around(fixture.url, 'local-network-access; loopback-network'));
    await both(t, await frameOf(open), 'frame with `allow`, granted');
    await firefox.set(top, 'denied');
    await both(t, await frameOf(open), 'frame with `allow`, denied');
    await firefox.set(top, 'prompt');
    await Promise.all([closedFrame.close(), open.close()]);
  });

  t.test('Firefox: a policy lets the site through without a question', async t => {
    // What the policy LocalNetworkAccess sets from its SkipDomains.
    const managed = await openAskingFirefox(t, site, { prefs: { 'network.lna.skip-domains': 'localhost' } });
    await both(t, await managed.open(site.page(fixture.url)), 'policy allows the site');
    t.notOk(await managed.isAsking());
  });

  t.test('Firefox: certificate not trusted', async t => {
    await both(t, await wary.open(site.page(fixture.url)), 'certificate not trusted, not asked');
    await wary.set(top, 'granted');
    await both(t, await wary.open(site.page(fixture.url)), 'certificate not trusted, granted');
  });

  t.test('Firefox: service off', async t => {
    const page = await firefox.open(site.page(closed));
    await both(t, page, 'service off, not asked');
    t.notOk(await firefox.isAsking());
    await firefox.set(top, 'granted');
    await both(t, page, 'service off, granted');
    await firefox.set(top, 'prompt');
    await page.close();
  });

  t.test('Firefox: plain HTTP', async t => {
    await both(t, await firefox.open(site.page(fixture.url, { host: plain })), 'page over HTTP, not asked');
    const { url } = await relayTo(t, fixture);
    const secure = await firefox.open(await overHttps(t, site, url));
    await both(t, secure, 'page over HTTPS, service over HTTP');
  });

  t.test('Firefox: docs/browsers.md has each state that was driven, and no other', async t => {
    t.same([...driven].sort(), tested('Firefox').sort());
  });
}
