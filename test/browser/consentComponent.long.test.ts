/** `<platen-scan>` in a page of another origin, in Chromium and Firefox: it asks, waits, and goes on after a yes. */
import t, { type Test } from 'tap';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { headOf, SCAN, SMALL, untilScanned } from './componentKit.js';
import { inChromium, inFirefox, personAt, startAsking, type Browser, type Foreigner } from './consentKit.js';

const inside = (css: string): string => `${SCAN}.shadowRoot.querySelector('${css}')`;
const textOf = (css: string): string => `${inside(css)}?.textContent ?? ''`;

/** The page, from an origin that nobody allowed or refused. */
async function opened(t: Test, fixture: Fixture, open: Browser['open']): Promise<Foreigner | undefined> {
  const { revoke } = personAt(fixture);
  const element = `<platen-scan scanner="${fixture.name('slow')}" ${SMALL} actions="done auto-scan" lang="en"></platen-scan>`;
  const page = await open(t, `${headOf(fixture)}${element}`);
  if (!page) return undefined;
  await revoke(page.web);
  // It may have listed the scanners before, with the yes of an earlier test.
  await page.evaluate(`(customElements.whenDefined('platen-scan').then(() => void ${SCAN}.refresh()), true)`);
  return page;
}

const asks = (page: Foreigner): Promise<void> =>
  page.until(`${SCAN}.shadowRoot !== null && ${inside('#answer')} !== null`);
const isReady = `${SCAN}.chosenScanner !== undefined && ${inside('#scan:enabled')} !== null`;

const fixture = await startAsking(t);
const person = personAt(fixture);

for (const { name, open } of [inChromium, inFirefox]) {
  t.test(`${name}: asks, goes on after a yes; asks again when the yes is taken back during a scan`, async t => {
    const page = await opened(t, fixture, open);
    if (!page) return;
    await asks(page);
    t.match(await page.evaluate(textOf('#waiting')), /may not scan yet/);
    const link = await page.evaluate<object>(
      `(({ href, target, rel }) => ({ href, target, rel }))(${inside('#answer')})`,
    );
    t.match(link, { href: new RegExp(`^${fixture.url}/origins/#`), target: '_blank', rel: 'noopener' });
    await person.allow(page.web);
    await page.until(isReady);
    t.equal(await page.evaluate(`${inside('#asking')}`), null, 'the question is gone');
    await fixture.load('slow', sheets(1, 2, 3, 4, 5, 6));
    await page.hands.click('#scan:enabled');
    await page.until(`${SCAN}.pages.length === 1`);
    await person.revoke(page.web);
    await asks(page);
    t.ok(await page.evaluate(`${SCAN}.pages.length >= 1`), 'its pages stay');
    t.equal(await page.evaluate(`${SCAN}.activity === undefined`), true);
    await person.allow(page.web);
    await page.until(
      `${isReady} && ${SCAN}.activity === undefined && ${inside('#notes .notice, #alerts .notice')} !== null`,
    );
    t.ok((await fixture.waiting('slow')) > 0, 'it does not scan on by itself');
    const before = await page.evaluate<number>(`${SCAN}.pages.length`);
    await fixture.load('slow', sheets(1));
    await page.hands.click('#scan:enabled');
    await untilScanned(page.hands, before + 1);
    await page.evaluate(`${SCAN}.reset()`);
  });

  t.test(
    `${name}: after a no, it says so and offers the page to change it; another right is asked for when it is needed`,
    async t => {
      const page = await opened(t, fixture, open);
      if (!page) return;
      await asks(page);
      const told = page.evaluate(
        `new Promise(done => addEventListener('platen-error', ({ detail: { code, link } }) => done({ code, link }), { once: true }))`,
      );
      await person.refuse(page.web);
      t.match(await told, { code: 'consent-refused', link: `${fixture.url}/origins/` });
      await page.until(`/was not allowed to scan/.test(${textOf('#alerts')})`);
      t.equal(await page.evaluate(inside('#asking')), null);
      await person.allow(page.web, ['scan']);
      t.equal(await page.evaluate(`${inside('#alerts a')}.href`), `${fixture.url}/origins/`);
      await page.evaluate(`${SCAN}.refresh()`);
      await page.until(`${isReady} && ${inside('#alerts .notice')} === null`);
      await page.hands.click('#auto');
      await asks(page);
      await person.allow(page.web, ['scan', 'auto-scan']);
      await page.until(`${SCAN}.activity === 'auto' && ${inside('#asking')} === null`);
      await fixture.load('slow', []);
      await fixture.insert('slow', sheets(2));
      await page.until(`${SCAN}.pages.length > 0`);
      await person.revoke(page.web);
      await asks(page);
      t.ok(await page.evaluate(`${SCAN}.pages.length > 0`));
    },
  );
}
