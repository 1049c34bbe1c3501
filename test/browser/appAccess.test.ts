import { join } from 'node:path';
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../spec/calls.js';
import { drawSide } from '../topology/sheets.js';
import { insertFile } from '../topology/virtualTopology.js';
import { choose, launch, openApp, openTab, startToTry, untilPages, violations } from './appPage.js';
import { blankSheet } from './appSheets.js';

/** Sheets for a scan that is cancelled: half a minute of paper. */
const MANY = 100;
const widths = [
  ['wide', { width: 1440, height: 900 }],
  ['narrow', { width: 360, height: 740 }],
] as const;

void t.test('page at /app/: accessibility', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startToTry(t);
  const browser = await launch(t);

  for (const [name, viewport] of widths) {
    await t.test(`${name}, light and dark`, async t => {
      const { page } = await openApp(browser, fixture, { viewport });
      const waiting = async (): Promise<void> => {
        await page.close();
        const { page: next } = await openTab(page.context(), fixture.url);
        await next.getByRole('region', { name: 'Waiting scans' }).waitFor();
        await check(next, 'scans that wait');
        await next.context().close();
      };
      const check = async (page: Page, state: string): Promise<void> => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          // Colours change with a delay, on a busy machine one element at a time: check again later; a real violation persists.
          await until(
            async () =>
              Number(/\d+/.exec(await page.evaluate<string>(`getComputedStyle(document.body).color`))) > 127 ===
              (colorScheme === 'dark'),
          );
          const found = await violations(page);
          t.same(found.length > 0 ? await violations(page) : found, [], `${state}, ${colorScheme}`);
        }
        t.ok(
          await page.evaluate(`document.documentElement.scrollWidth <= document.documentElement.clientWidth`),
          `${state}: no element is wider than the window`,
        );
      };
      if (viewport.width < 500) await page.locator('#settings > summary').click();
      await page.getByText('More', { exact: true }).click();
      await check(page, 'before a scan, all settings open');
      await page.getByRole('switch', { name: 'Read text' }).uncheck();
      await page.getByLabel('Blank pages').selectOption({ label: 'Mark' });
      for (const sheet of ['1.png', '2.png'])
        await insertFile(join(fixture.dataDir, 'trays', 'c'), sheet, await blankSheet());
      await choose(page, 'Feeder C');
      await page.locator('#scan:enabled').click();
      await page.getByRole('alert').getByText('Page 2 jammed').waitFor();
      await page.getByRole('button', { name: 'Page 1, blank' }).waitFor();
      await check(page, 'a blank page, and a jam');
      // Never answered.
      await page.route('**/document?*', () => undefined);
      await page.getByRole('button', { name: 'Save as PDF' }).click();
      await page.getByRole('button', { name: 'Cancel saving' }).waitFor();
      await check(page, 'saving');
      await page.getByRole('button', { name: 'Cancel saving' }).press('Enter');
      await page.locator('#saving .activity').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Open page 1 in full size' }).click();
      await page.getByText('Page 1 of 1').waitFor();
      await check(page, 'full size');
      await page.keyboard.press('Escape');
      const isDrawn = (selector: string) => page.locator(selector).isVisible();
      await page.emulateMedia({ media: 'print' });
      t.same(
        [await isDrawn('.paper img'), await isDrawn('.bar'), await isDrawn('#scan'), await isDrawn('#facts')],
        [true, false, false, false],
        'printed: only the scanned page',
      );
      // On a busy machine, the layout takes a moment.
      await until(async () => ((await page.locator('.paper img').boundingBox())?.width ?? 0) > viewport.width / 3);
      t.pass('it fills the paper');
      await page.emulateMedia({ media: 'screen' });
      if (viewport.width < 500) return waiting();
      await choose(page, 'Flatbed B');
      await page.locator('#scan:enabled').click();
      await untilPages(page, 2);
      await choose(page, 'Feeder A');
      await page.emulateMedia({ forcedColors: 'active' });
      const edge = (selector: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).border`);
      for (const [chosen, other] of [
        ['.card:has(:checked)', '.card:not(:has(:checked))'],
        ['.thumb[aria-current]', '.thumb:not([aria-current])'],
      ] as const)
        // Borders change over some frames.
        await until(async () => (await edge(chosen)) !== (await edge(other)));
      t.pass('forced colours: the chosen card and thumbnail are visible');
      await page.emulateMedia({ forcedColors: 'none' });
      await page.getByRole('button', { name: 'Auto-scan', exact: true }).click();
      await page.getByText('Auto-scan is on').first().waitFor();
      await check(page, 'auto-scan');
      await page.getByRole('button', { name: 'Stop auto-scan' }).click();
      await page.locator('#notes').getByText('Auto-scan is off').waitFor();
      await waiting();
    });
  }

  await t.test('keyboard alone: from the top of the page to a scan', async t => {
    const { page } = await openApp(browser, fixture);
    const sheet = await drawSide(1);
    for (let n = 0; n < MANY; n++) await insertFile(join(fixture.dataDir, 'trays', 'a'), `keys-${n}.png`, sheet);
    await page.keyboard.press('Tab');
    t.equal(await page.evaluate(`document.activeElement.textContent`), 'Skip to the pages');
    const reached: string[] = [];
    for (let n = 0; n < 30 && !reached.includes('scan'); n++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate<string>(`document.activeElement.id`));
      t.ok(await page.evaluate(`document.activeElement.matches(':focus-visible')`), 'the focus is visible');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    t.match(await page.locator('main').getAttribute('aria-labelledby'), 'pages-title');
    await page.keyboard.press('Tab');
    for (let n = 0; n < 10 && (await page.evaluate(`document.activeElement.textContent`)) !== 'Cancel'; n++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#notes').getByText('The scan was cancelled').waitFor();
    t.equal(await page.evaluate(`document.activeElement.id`), 'scan', 'the focus returns to the button');
    await page.close();
  });
});
