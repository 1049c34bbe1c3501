/** Page at /app/: every text comes from the catalogue, so that it can be translated. */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { choose, drop, launch, openTab, untilIdle, untilPages } from './appPage.js';
import { outside, speakPseudo, textsOf, type Said } from './appPseudo.js';
import { configText } from './appSheets.js';
import { PATIENCE_MS } from './chromium.js';

const acme = new URL('../../plugins/fixtures/acme-imaging/plugin.js', import.meta.url).pathname;

async function config(): Promise<string> {
  const given = JSON.parse(await configText()) as { plugins: { options?: { scanners: object[] } }[] };
  given.plugins[0]?.options?.scanners.push(
    { name: 'Both', feeder: true, flatbed: true, duplex: true, samples: 3 },
    { name: 'Slow', feeder: false, flatbed: true, msPerPage: 3000 },
    { name: 'Away', feeder: true, tray: 'trays/none' },
  );
  const profiles = { Invoices: { resolution: 150, colorMode: 'Grayscale' } };
  return JSON.stringify({ ...given, plugins: [...given.plugins, { use: acme }], profiles });
}

/** As `Intl` writes them. */
const written = [/\b[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M/g, /\b(?:\d+(?:\.\d+)?)\s?(?:kB|MB|byte)\b/g];

/** The same in each language. */
const fileName = /\bscan-\d{8}-\d{4}\.pdf\b/g;

void t.test('page at /app/: no text is outside of the catalogue', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await start(t, virtualTopology, { configText: await config() });
  const browser = await launch(t);
  const context = await browser.newContext({
    ...{ ignoreHTTPSErrors: true, acceptDownloads: true, reducedMotion: 'reduce' },
    viewport: { width: 1280, height: 900 },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await speakPseudo(context);
  const { json } = await fixture.request('GET', '/api/twain/scanners');
  const { scanners } = json as { scanners: { name: string; manufacturer: string; model: string }[] };
  const names = [
    ...scanners.flatMap(({ name, manufacturer, model }) => [`${manufacturer} ${model}`, name, manufacturer, model]),
    ...['PNG', 'JPEG', 'TIFF', 'BMP', 'WEBP', 'Invoices'],
  ];

  /** Letters that are neither in brackets nor data. */
  function untranslated({ text }: Said): boolean {
    let left = outside(text);
    for (const pattern of [...written, fileName]) left = left.replaceAll(pattern, ' ');
    for (const name of names) left = left.replaceAll(name, ' ');
    return /\p{L}/u.test(left);
  }
  const found = new Map<string, string>();
  /** Texts of the catalogue, at most at once; and those that screen readers were told. */
  let seen = 0;
  const announced = new Set<string>();
  async function look(page: Page, state: string): Promise<void> {
    const texts = await textsOf(page);
    seen = Math.max(seen, texts.filter(({ text }) => text.includes('⟦')).length);
    for (const { text, place } of texts) if (place === 'announced') announced.add(text);
    for (const said of texts.filter(untranslated)) found.set(`${said.place}: ${said.text}`, state);
  }
  const until = (page: Page, region: string, text: string): Promise<void> =>
    page.locator(region).getByText(text).first().waitFor();
  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).first().click();

  const { page } = await openTab(context, fixture.url);
  await look(page, 'no pages');
  await page.locator('#about summary').click();
  await page.locator('#about-facts div').first().waitFor();
  await look(page, 'about the scanner');
  t.match(await page.title(), /⟦/, 'the page speaks the language of the component');

  await choose(page, 'Feeder C');
  await page.locator('#scan').click();
  await page.locator('#activity .activity').waitFor();
  await look(page, 'scanning');
  await until(page, '#alerts', 'jammed');
  await untilIdle(page);
  await look(page, 'jam');

  await choose(page, 'Both');
  await page.getByLabel('File format').selectOption('WEBP');
  await page.getByRole('switch', { name: 'stamp' }).check();
  await page
    .getByRole('radio', { name: 'Black and white' })
    .or(page.getByRole('radio', { name: 'B/W' }))
    .check();
  await look(page, 'settings of plugins');
  await page.getByLabel('Profile').selectOption('Invoices');
  await look(page, 'a profile');
  await choose(page, 'Feeder A');
  await page.locator('#scan').click();
  await untilPages(page, 4);
  await until(page, '#notes', 'scanned');
  await untilIdle(page);
  for (const thumb of await page.locator('.thumb').all()) {
    await thumb.click();
    await look(page, 'pages with text, barcodes and report');
  }
  await page.locator('#save-menu-summary').click();
  await look(page, 'more ways to save');
  await page.keyboard.press('Escape');
  await page
    .locator('.thumb')
    .first()
    .click({ modifiers: ['Control'] });
  await page
    .locator('.thumb')
    .last()
    .click({ modifiers: ['Control'] });
  await look(page, 'marked pages');
  await press(page, 'Turn the marked pages right');
  await press(page, 'Unmark');
  await press(page, 'Remove page');
  await look(page, 'a removed page');
  await press(page, 'Undo');
  await look(page, 'undone');
  await page.locator('#paper').click();
  await page.locator('#viewer[open]').waitFor();
  await look(page, 'viewer');
  await page.keyboard.press('Escape');
  await press(page, 'Scan again');
  await look(page, 'a page is scanned again');
  await press(page, 'Do not scan it again');
  await Promise.all([page.waitForEvent('download'), page.locator('#save-pdf').click()]);
  await look(page, 'saved');
  await page
    .locator('platen-scan')
    .evaluate(`void document.querySelector('platen-scan').setAttribute('actions', 'done')`);
  await page.locator('#done').click();
  await until(page, '#notes', 'handed over');
  await look(page, 'handed over');
  await page.evaluate(`document.querySelector('platen-scan').setAttribute('actions', 'save print auto-scan facts')`);

  await choose(page, 'Slow');
  await press(page, 'Preview the flatbed');
  await page.locator('#activity .preview').waitFor();
  await look(page, 'previewing');
  await page.locator('#preview-dialog[open]').waitFor();
  await look(page, 'preview');
  await page.keyboard.press('Escape');
  await press(page, 'Preview the flatbed');
  await press(page, 'Cancel');
  await look(page, 'cancelling');
  await until(page, '#notes', 'cancelled');

  await choose(page, 'Feeder A');
  await page.locator('#tray-files').setInputFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
  await until(page, '#tray-said', 'was not inserted');
  await look(page, 'a file that is not an image');
  await page.locator('#auto').click();
  await page.locator('#activity .auto').waitFor();
  await look(page, 'auto-scan');
  await drop(page, 'letter.png');
  // The document that was saved is set aside.
  await untilPages(page, 1);
  await until(page, '#tray-said', 'in the tray');
  await look(page, 'a page of auto-scan');
  await page.locator('#stop').click();
  await until(page, '#notes', 'Auto-scan is off');
  await look(page, 'auto-scan is off');
  await press(page, 'Remove all');
  await look(page, 'nothing left');
  await press(page, 'Undo');
  await press(page, 'Remove all');
  await page.locator('#scan').click();
  await untilPages(page, 3);
  await untilIdle(page);
  await Promise.all([page.waitForEvent('download'), page.locator('#save-pdf').click()]);
  await page.locator('#new-document').click();
  await page.locator('#saved-documents').waitFor();
  await look(page, 'a saved document');
  await page.locator('#scan').click();
  await untilPages(page, 3);
  await untilIdle(page);
  await page.close({ runBeforeUnload: false });

  const { page: next } = await openTab(context, fixture.url);
  await until(next, '#waiting', 'waiting');
  await look(next, 'waiting scans');
  await press(next, 'Discard');
  await look(next, 'discarded');
  await next.route(`${fixture.url}/api/**`, route => route.abort('connectionrefused'));
  await press(next, 'Refresh');
  await until(next, '#alerts', 'does not answer');
  await look(next, 'no service');

  t.ok(seen > 100, `${seen} texts are of the catalogue`);
  t.ok(announced.size > 8, `screen readers were told ${[...announced].join(' ')}`);
  t.same(
    [...found].map(([said, state]) => `${state}: ${said}`),
    [],
  );

  // Whether it would be found.
  await next.evaluate(`{
    const strange = Object.assign(document.createElement('p'), { textContent: 'Not translated', title: 'Neither' });
    document.querySelector('platen-scan').shadowRoot.append(strange);
  }`);
  await look(next, 'strange');
  t.same([...found.keys()].sort(), ['p title: Neither', 'p: Not translated']);
});
