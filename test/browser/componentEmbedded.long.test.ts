/** `<platen-scan>` in pages that are not like ours: a strict policy, several on a page, shadow roots, moved and removed. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { until } from '../spec/calls.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { formOf, handsIn, headOf, isDrawn, SCAN, SMALL, untilDone, untilScanned } from './componentKit.js';
import { openPage } from './foreignPage.js';

const fixture = await start(t, virtualTopology, { recognisers: ['@platen/document-pdf'] });
const feeder = (role: 'duplex' | 'slow', more = ''): string =>
  `<platen-scan scanner="${fixture.name(role)}" ${SMALL} ${more}></platen-scan>`;

/** docs/component.md has the same. */
const policy = (service: string): string =>
  `default-src 'none'; script-src ${service}; connect-src ${service}; img-src ${service}; ` +
  `require-trusted-types-for 'script'; trusted-types lit-html`;

t.test('a strict Content-Security-Policy: no violation, from the first scan to the posted PDF', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems, posted } = await openPage(t, {
    html: headOf(fixture).replace(/<link.*?>/, '') + formOf(feeder('duplex', 'name="document"')),
    headers: { 'content-security-policy': policy(fixture.url) },
  });
  const hands = handsIn(page);
  await page.evaluate(`globalThis.violations = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      violations.push(violatedDirective + ' ' + blockedURI))`);
  await fixture.load('duplex', sheets(1, 2));
  await hands.click('#scan:enabled');
  await untilScanned(hands, 2);
  await hands.click('[aria-label="Turn page 1 right"]');
  await hands.click('#paper');
  await page.locator('dialog[open] canvas').waitFor();
  await page.keyboard.press('Escape');
  await hands.until(`[...${SCAN}.shadowRoot.querySelectorAll('img')].every(each => each.naturalWidth > 0)`);
  await hands.until(`(${isDrawn.toString()})(${SCAN}.shadowRoot.querySelector('#paper canvas'))`);
  await hands.click('#done');
  await untilDone(hands);
  t.same(await page.evaluate('violations'), []);
  t.equal(await page.evaluate(`getComputedStyle(${SCAN}.shadowRoot.querySelector('#done')).borderRadius`), '8px');
  await hands.click('#send');
  t.ok((await posted('/posted')).get('document') instanceof File);
  t.same(problems, []);
});

t.test('two on a page: each has its own pages, also after a reload; the scanner is busy for the other', async t => {
  if (!needs(t, 'chromium')) return;
  const { page } = await openPage(t, {
    html: headOf(fixture) + feeder('slow', 'name="file"') + feeder('slow', 'name="file"'),
  });
  const hands = handsIn(page);
  const [first, second] = [page.locator('platen-scan').first(), page.locator('platen-scan').last()];
  const other = `document.querySelectorAll('platen-scan')[1]`;
  await fixture.load('slow', sheets(1, 2));
  await first.locator('#scan:enabled').click();
  await hands.until(`${SCAN}.pages.length === 1`);
  const error = page.evaluate(`new Promise(done => addEventListener('platen-error', ({ detail, target }) =>
    done([detail.code, target === ${other}]), { once: true }))`);
  await second.locator('#scan:enabled').click();
  await second.getByRole('alert').getByText('The scanner is busy').waitFor();
  t.same(await error, ['busy', true]);
  await untilScanned(hands, 2);
  await fixture.load('slow', sheets(3));
  await second.locator('#scan:enabled').click();
  await untilScanned(hands, 1, other);
  await page.reload();
  await hands.until(`document.querySelectorAll('platen-scan')[1]?.chosenScanner !== undefined`);
  await untilScanned(hands, 2);
  await untilScanned(hands, 1, other);
  // It may offer those of a page that another test closed.
  const offered = (await first.locator('#waiting').textContent()) ?? '';
  t.notOk(offered.includes(fixture.name('slow')), 'the one does not offer the pages of the other');
});

t.test("in another component's shadow root, in a form there", async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems, posted } = await openPage(t, {
    html: `${headOf(fixture)}<letter-box></letter-box><script>
      customElements.define('letter-box', class extends HTMLElement {
        constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = \`${formOf(feeder('duplex', 'name="letter"'))}\`; }
      });
      addEventListener('platen-done', ({ target }) => (globalThis.told = target.localName));
    </script>`,
  });
  const hands = handsIn(page);
  const inside = `document.querySelector('letter-box').shadowRoot.querySelector('platen-scan')`;
  await fixture.load('duplex', sheets(1));
  await hands.click('#scan:enabled');
  await untilScanned(hands, 1, inside);
  await hands.click('#done');
  await untilDone(hands, inside);
  t.equal(await page.evaluate('told'), 'letter-box', 'the event leaves the shadow root');
  await hands.click('#send');
  t.ok((await posted('/posted')).get('letter') instanceof File);
  t.same(problems, []);
});

t.test('moved in the document during a scan: the scan goes on, and the pages stay', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openPage(t, { html: `${headOf(fixture)}${feeder('slow')}<main></main>` });
  const hands = handsIn(page);
  await fixture.load('slow', sheets(1, 2, 3));
  await hands.click('#scan:enabled');
  await hands.until(`${SCAN}.pages.length === 1`);
  await page.evaluate(`document.querySelector('main').append(${SCAN})`);
  await untilScanned(hands, 3);
  t.equal(await page.locator('main .thumb').count(), 3);
  t.same(problems, []);
});

t.test('removed during a scan: the scan ends, and its pages come back with the element', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, web, problems } = await openPage(t, { html: headOf(fixture) + feeder('slow') });
  const hands = handsIn(page);
  await fixture.load('slow', sheets(1, 2, 3, 4, 5, 6));
  await hands.click('#scan:enabled');
  await hands.until(`${SCAN}.pages.length === 1`);
  await page.evaluate(`globalThis.kept = ${SCAN}, kept.remove()`);
  await until(async () => {
    const { json } = await fixture.request('GET', '/api/scans', { headers: { origin: web } });
    return (json as { scans: { state: string }[] }).scans.every(({ state }) => state !== 'running');
  });
  t.ok((await fixture.waiting('slow')) > 0, 'sheets stay in the feeder');
  await page.evaluate('document.body.append(kept)');
  await hands.until(`${SCAN}.pages.length > 0 && ${SCAN}.activity === undefined`);
  t.same(problems, []);
});
