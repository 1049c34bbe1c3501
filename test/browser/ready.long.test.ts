/** ready(): the browser asks only with `ask`, which waits for the person's answer. Chromium without a window answers Block. */
import type { Diagnosis } from '@platen/client';
import { needs } from '@platen/conformance';
import type { Page } from 'puppeteer-core';
import t, { type Test } from 'tap';
import { relayTo, type Relay } from '../client/relay.js';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { openAskingChromium } from './askingChromium.js';
import { openAskingFirefox, type AskingFirefox } from './askingFirefox.js';
import { FIREFOX } from './firefox.js';
import { nameOf, openPublicSite, type InPage, type PublicSite } from './publicSite.js';

declare const platen: InPage;
declare const window: { answer?: Promise<Diagnosis>; stop?: AbortController };

const fixture = await start(t, virtualTopology);

interface Asking {
  readonly site: PublicSite;
  readonly relay: Relay;
  readonly firefox: AskingFirefox;
  readonly page: Page;
}

/** A page that has called `ready({ ask: true })`, whose question is shown. */
async function asking(t: Test): Promise<Asking> {
  const site = await openPublicSite();
  t.teardown(() => site.close());
  const relay = await relayTo(t, fixture);
  const firefox = await openAskingFirefox(t, site);
  const page = await firefox.open(site.page(relay.url));
  await page.waitForFunction('"platen" in window');
  t.equal(nameOf(await page.evaluate(() => platen.ready())), 'not-asked');
  t.notOk(await firefox.isAsking());
  await page.evaluate(() => {
    const stop = (window.stop = new AbortController());
    window.answer = platen.ready({ ask: true, signal: stop.signal });
    window.answer.catch(() => undefined);
  });
  await until(() => firefox.isAsking());
  t.same(relay.requests, [], 'nothing was sent');
  return { site, relay, firefox, page };
}

const answerOf = async (page: Page): Promise<string> => nameOf((await page.evaluate(() => window.answer)) as Diagnosis);

t.test('ready in Firefox: the person allows it, it resolves with what diagnose() finds', async t => {
  if (!needs(t, FIREFOX)) return;
  const { page, firefox, relay } = await asking(t);
  await firefox.answer('Allow');
  t.equal(await answerOf(page), 'ok');
  t.ok(relay.requests.length > 0);
  t.equal(nameOf(await page.evaluate(() => platen.ready())), 'ok', 'and from now on without ask');
});

t.test('ready in Firefox: the person blocks it, the finding says where to change it', async t => {
  if (!needs(t, FIREFOX)) return;
  const { page, firefox, relay } = await asking(t);
  await firefox.answer('Block');
  t.equal(await answerOf(page), 'denied-in-firefox');
  t.same(relay.requests, []);
});

t.test('ready in Firefox: the signal ends the wait, the question stays', async t => {
  if (!needs(t, FIREFOX)) return;
  const { page, firefox } = await asking(t);
  await page.evaluate(() => window.stop?.abort());
  const code = await page.evaluate(() => window.answer?.catch(({ code }: { code: string }) => code));
  t.equal(code, 'cancelled');
  t.ok(await firefox.isAsking());
});

t.test('Firefox asks for a module that a page imports from the service', async t => {
  if (!needs(t, FIREFOX)) return;
  const site = await openPublicSite();
  t.teardown(() => site.close());
  const firefox = await openAskingFirefox(t, site);
  const page = await firefox.open(site.page(fixture.url));
  await page.evaluate(`void import('${fixture.url}/component.js').catch(() => undefined)`);
  await until(() => firefox.isAsking());
  t.pass('it asks');
});

t.test('ready in Chromium: without ask nothing is sent, with ask the answer is found', async t => {
  if (!needs(t, 'chromium')) return;
  const site = await openPublicSite();
  t.teardown(() => site.close());
  const relay = await relayTo(t, fixture);
  const chromium = await openAskingChromium(t, site);
  const { page, set } = await chromium.open(site.page(relay.url));
  await page.waitForFunction('"platen" in window');
  t.equal(nameOf(await page.evaluate(() => platen.ready())), 'not-asked');
  t.equal(nameOf(await page.evaluate(() => platen.ready({ ask: true }))), 'denied');
  t.equal(nameOf(await page.evaluate(() => platen.ready())), 'denied');
  t.same(relay.requests, []);
  await set('granted');
  t.equal(nameOf(await page.evaluate(() => platen.ready())), 'ok');
});

t.test("ready in Chromium: the page's own policy, found without a question", async t => {
  if (!needs(t, 'chromium')) return;
  const site = await openPublicSite();
  t.teardown(() => site.close());
  const chromium = await openAskingChromium(t, site);
  const { page } = await chromium.open(site.page(fixture.url, { policy: "connect-src 'self'" }));
  await page.waitForFunction('"platen" in window');
  t.equal(nameOf(await page.evaluate(() => platen.ready({ ask: true }))), 'policy');
});

/** The address space of the requests of `ready()`, as the page's `fetch` gets it. */
const spaceOf = `new Promise(resolve => {
  const real = fetch;
  window.fetch = (url, init) => (resolve(String(init.targetAddressSpace)), real(url, init));
  void platen.ready({ ask: true });
})`;

t.test('client in Chromium and Firefox: targetAddressSpace only where the browser takes it', async t => {
  if (!needs(t, 'chromium') || !needs(t, FIREFOX)) return;
  const site = await openPublicSite();
  t.teardown(() => site.close());
  const { page: inChromium, set } = await (await openAskingChromium(t, site)).open(site.page(fixture.url));
  await set('granted');
  await inChromium.waitForFunction('"platen" in window');
  t.equal(await inChromium.evaluate(spaceOf), 'loopback');
  t.equal(nameOf(await inChromium.evaluate(() => platen.ready())), 'ok');
  const inFirefox = await (await openAskingFirefox(t, site)).open(site.page(fixture.url));
  await inFirefox.waitForFunction('"platen" in window');
  t.equal(await inFirefox.evaluate(spaceOf), 'undefined');
});
