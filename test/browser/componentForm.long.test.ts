/** `<platen-scan>` in a form, and what a page's author can set: attributes, properties, events, slots, parts. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { keptScans } from './appPage.js';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { formOf, handsIn, headOf, SCAN, seenIn, SMALL, untilDone, untilScanned } from './componentKit.js';
import { openPage, openTab } from './foreignPage.js';

const recognisers = ['@platen/document-pdf', '@platen/document-tiff'];
const fixture = await start(t, virtualTopology, { recognisers });
/** No scan of this origin is at the service. */
const untilLetGo = (web: string, of = fixture): Promise<void> =>
  until(async () => (await keptScans({ ...of, url: web })).length === 0);
const feeder = (more = ''): string =>
  `<platen-scan scanner="${fixture.name('duplex')}" ${SMALL} ${more}></platen-scan>`;

t.test('required: the form is not sent until Done, and the browser says why; reset: no pages', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, web, problems, posted } = await openPage(t, {
    html:
      headOf(fixture) +
      formOf(feeder('name="document" required')).replace('</form>', '<button type="reset">Reset</button></form>'),
  });
  const hands = handsIn(page);
  await fixture.load('duplex', sheets(1));
  await page.locator('#scan:enabled').waitFor();
  await hands.click('#send');
  t.equal(await page.evaluate(`${SCAN}.shadowRoot.activeElement?.id`), 'scan', 'the focus is where the fault is');
  await hands.click('#scan:enabled');
  await untilScanned(hands, 1);
  await hands.click('#send');
  t.equal(await page.evaluate(`document.forms[0].checkValidity()`), false);
  await hands.click('#done');
  await untilDone(hands);
  t.equal(await page.evaluate(`document.forms[0].checkValidity()`), true);

  await hands.click('[type=reset]');
  await hands.until(`${SCAN}.pages.length === 0 && ${SCAN}.files.length === 0`);
  t.equal(await page.evaluate(`document.forms[0].checkValidity()`), false);
  await untilLetGo(web);
  await fixture.load('duplex', sheets(2));
  await hands.click('#scan:enabled');
  await untilScanned(hands, 1);
  await hands.click('#done');
  await untilDone(hands);
  await hands.click('#send');
  const file = (await posted('/posted')).get('document');
  if (!(file instanceof File)) return void t.fail('no file');
  t.same((await seenIn(t, await file.bytes())).inks, [2]);
  t.same(problems, []);
});

t.test('reset during a scan: the scan ends, and none of its pages stays', async t => {
  if (!needs(t, 'chromium')) return;
  const alone = await start(t, virtualTopology);
  const { page, web } = await openPage(t, {
    html: `${headOf(alone)}<platen-scan scanner="${alone.name('slow')}" ${SMALL}></platen-scan>`,
  });
  const hands = handsIn(page);
  await alone.load('slow', sheets(1, 2, 3, 4, 5, 6));
  await hands.click('#scan:enabled');
  await hands.until(`${SCAN}.pages.length === 1`);
  await page.evaluate(`${SCAN}.reset()`);
  await hands.until(`${SCAN}.activity === undefined`);
  t.equal(await page.evaluate(`${SCAN}.pages.length`), 0);
  t.ok((await alone.waiting('slow')) > 0, 'sheets stay in the feeder');
  await untilLetGo(web, alone);
});

t.test('format: images, turned; a TIFF; toFiles(), before Done and in another format', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems, posted } = await openPage(t, {
    html: headOf(fixture) + formOf(feeder('name="page" format="images"')),
  });
  const hands = handsIn(page);
  await page.evaluate(`globalThis.told = []; for (const kind of ['platen-done', 'platen-change'])
    addEventListener(kind, ({ type, detail }) => told.push([type, detail?.files.map(({ type }) => type)]))`);
  await fixture.load('duplex', sheets(1, 2));
  await page.locator('#scan:enabled').waitFor();
  t.equal(await page.evaluate(`${SCAN}.toFiles().then(String, ({ code }) => code)`), 'no-pages');
  await page.evaluate(`${SCAN}.scan()`);
  await untilScanned(hands, 2);
  t.match(await page.evaluate(`${SCAN}.pages`), [
    { number: 1, scanner: fixture.name('duplex'), resolution: 75, width: 638, height: 825, rotate: 0, barcodes: [] },
    { number: 2 },
  ]);
  const made = (format: string): Promise<unknown> =>
    page.evaluate(`${SCAN}.toFiles(${format}).then(files => files.map(({ type }) => type))`);
  t.same(await made(''), ['image/jpeg', 'image/jpeg']);
  t.same(await made(`'pdf'`), ['application/pdf']);
  t.same(await page.evaluate(`told.filter(([type]) => type === 'platen-done')`), []);
  t.ok(await page.evaluate(`told.some(([type]) => type === 'platen-change')`));
  await page.evaluate(`${SCAN}.setAttribute('format', 'tif')`);
  await hands.click('#done');
  await untilDone(hands);
  t.same(await page.evaluate('told.at(-1)'), ['platen-done', ['image/tiff']]);
  await page.evaluate(`${SCAN}.setAttribute('format', 'images')`);
  await hands.click('[aria-label="Turn page 1 right"]');
  await hands.click('#done');
  await hands.until(`${SCAN}.files.length === 2`);
  await hands.click('#send');
  const files = (await posted('/posted')).getAll('page') as File[];
  t.same(
    files.map(({ type }) => type),
    ['image/jpeg', 'image/jpeg'],
  );
  t.match(
    files.map(({ name }) => name),
    [/-01\.jpg$/, /-02\.jpg$/],
  );
  t.same(problems, []);
});

t.test('attributes, slots, parts and custom properties', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openPage(t, {
    html: `${headOf(fixture)}<style>
        platen-scan { --platen-accent: rgb(200, 0, 0); --platen-radius: 0px; }
        platen-scan::part(scan-button) { text-transform: uppercase; }
      </style>${feeder('lang="en-GB"').replace('></', '><b slot="title">Your letter</b><i slot="empty">Nothing here</i><u slot="done">Use it</u></')}`,
  });
  const hands = handsIn(page);
  await fixture.load('duplex', sheets(1));
  await page.locator('#scan:enabled').waitFor();
  t.ok(await page.getByText('Your letter').isVisible());
  t.ok(await page.getByText('Nothing here').isVisible());
  t.equal(await page.getByRole('radio', { name: fixture.name('duplex') }).count(), 0, 'the scanner is fixed');
  t.equal(await page.getByLabel('Resolution').count(), 0, 'a fixed parameter has no control');
  const style = (name: string): Promise<unknown> =>
    page.evaluate(`getComputedStyle(${SCAN}.shadowRoot.querySelector('#scan')).${name}`);
  t.equal(await style('backgroundColor'), 'rgb(200, 0, 0)');
  t.equal(await style('textTransform'), 'uppercase');
  await hands.click('#scan:enabled');
  await untilScanned(hands, 1);
  t.ok(await page.getByText('Use it').isVisible());
  await page.evaluate(`${SCAN}.reset()`);
  const error = page.evaluate(
    `new Promise(done => addEventListener('platen-error', ({ detail }) => done(detail.field), { once: true }))`,
  );
  await page.evaluate(`${SCAN}.parameters = { resolution: 77 }`);
  await hands.click('#scan:enabled');
  t.equal(await error, 'resolution');
  // The refusal, and a picture that was still asked for when its page was let go.
  t.same(
    problems.filter(problem => !/40[04]/.test(problem)),
    [],
  );
});

t.test('a reload loses no page, its order and turns; the pages of a closed tab are offered', async t => {
  if (!needs(t, 'chromium')) return;
  const alone = await start(t, virtualTopology);
  const html = headOf(alone) + feeder();
  const { page, web } = await openPage(t, { html });
  const hands = handsIn(page);
  await alone.load('duplex', sheets(1, 2, 3));
  await hands.click('#scan:enabled');
  await untilScanned(hands, 3);
  await page.locator('.thumb').first().focus();
  for (const key of ['r', 'Alt+End']) await page.keyboard.press(key);
  const layout = `${SCAN}.pages.map(({ rotate }) => rotate).join()`;
  t.equal(await page.evaluate(layout), '0,0,90');
  await page.reload();
  await untilScanned(hands, 3);
  t.equal(await page.evaluate(layout), '0,0,90');

  const context = page.context();
  await page.close();
  const { page: again } = await openTab(context, web, { html });
  await again.getByText('A scan is waiting (3 pages)').waitFor();
  await again.getByRole('button', { name: 'Show it' }).click();
  await untilScanned(handsIn(again), 3);
});
