/** Page at /app/: auto-scan is a scan like the others. Its pages become a PDF, and stay when tabs and the service go. */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { canReadPdfs, inksOf } from '../client/drawnPdf.js';
import { keptScans, launch, openApp, openTab, untilIdle, untilPages, violations, warns } from './appPage.js';
import { chooseQuick, insert } from './appSheets.js';
import { begin, looked, pdfIn, saved, savedInks, thumbs, thumbSizes } from './appStack.js';

const on = (page: Page): Promise<void> =>
  page.locator('#activity').getByText('Auto-scan is on', { exact: true }).waitFor();

async function begun(page: Page, scanner = 'Feeder A'): Promise<void> {
  await chooseQuick(page, scanner);
  await page.getByRole('button', { name: 'Auto-scan', exact: true }).click();
  await on(page);
}

/** @param pages of this auto-scan */
async function stop(page: Page, pages: string): Promise<void> {
  await page.getByRole('button', { name: 'Stop auto-scan' }).click();
  await page.locator('#notes').getByText('Auto-scan is off').waitFor();
  await page.locator('#notes').getByText(`${pages} scanned.`).waitFor();
  await untilIdle(page);
}

void t.test('page at /app/: auto-scan', async t => {
  if (!needs(t, 'chromium') || !canReadPdfs(t)) return;
  const browser = await launch(t);

  await t.test('two sheets, one after the other: one PDF, and the next document', async t => {
    const fixture = await begin(t);
    const { page, problems } = await openApp(browser, fixture);
    await begun(page);
    await stop(page, '0 pages');
    t.equal(await page.locator('#alerts .notice').count(), 0);
    await page.getByRole('button', { name: 'Auto-scan', exact: true }).click();
    await on(page);
    await insert(fixture, 'a', 1);
    await untilPages(page, 1);
    t.ok(await page.locator('#save-pdf').isVisible(), 'while it is on, too');
    await page.getByText('1 page scanned since it was turned on').waitFor();
    await insert(fixture, 'a', 2);
    await untilPages(page, 2);
    t.match((await keptScans(fixture)).at(-1), { kind: 'autoscan', state: 'running', pageCount: 2 });
    t.same(await violations(page), []);
    await stop(page, '2 pages');
    t.equal((await thumbSizes(page)).length, 2, 'the service makes thumbnails');
    const download = await saved(page);
    t.same(inksOf(await pdfIn(download)), [1, 2]);
    await page.locator('#saved').waitFor();
    t.match((await keptScans(fixture)).at(-1), { state: 'completed', pageCount: 2 });

    await page.getByRole('button', { name: 'Auto-scan', exact: true }).click();
    await on(page);
    await insert(fixture, 'a', 3);
    await page.locator('#saved-documents').getByText(download.suggestedFilename()).waitFor();
    await untilPages(page, 1);
    t.equal(await thumbs(page), 1, 'what was saved is a document of its own');
    await stop(page, '1 page');
    t.same(problems, []);
    await page.context().close();
  });

  await t.test('a reload and a closed tab: the pages are there again, it goes on, and can be stopped', async t => {
    const fixture = await begin(t);
    const { page } = await openApp(browser, fixture);
    const context = page.context();
    await begun(page);
    await insert(fixture, 'a', 1, 2);
    await untilPages(page, 2);
    t.equal(await warns(page), false, 'nothing is lost: the browser does not ask');

    await page.reload();
    await untilPages(page, 2);
    await on(page);
    t.ok(await page.getByRole('radio', { name: 'Feeder A' }).isChecked(), 'its scanner is selected');
    // The use that the service tells is this page's own.
    await page.getByText('In use by this site').waitFor({ state: 'hidden' });
    await insert(fixture, 'a', 3);
    await untilPages(page, 3);
    await page.close();

    const { page: second } = await openTab(context, fixture.url);
    await untilPages(second, 3);
    await on(second);
    await insert(fixture, 'a', 4);
    await untilPages(second, 4);
    const { page: beside } = await openTab(context, fixture.url);
    await looked(beside);
    t.equal(await thumbs(beside), 0, 'another tab leaves it to the one that shows it');
    await beside.close();
    await stop(second, '4 pages');
    t.match(await keptScans(fixture), [{ state: 'completed', pageCount: 4 }]);
    await second.close();

    const { page: third } = await openTab(context, fixture.url);
    await third.locator('#waiting').getByText('A scan is waiting (4 pages)').waitFor();
    await third.getByRole('button', { name: 'Show it' }).click();
    await untilPages(third, 4);
    t.same(await savedInks(third), [1, 2, 3, 4]);
    await context.close();
  });

  await t.test('the service is killed, and started again: every page is there, and more can follow', async t => {
    const first = await begin(t);
    const { page } = await openApp(browser, first);
    // It hangs at the third sheet.
    await begun(page, 'Feeder H');
    await insert(first, 'h', 1, 2, 3);
    await untilPages(page, 2);
    first.signal('SIGKILL');
    await first.ended;
    await page.getByText('Reconnecting to the scanning service…').first().waitFor();
    const second = await begin(t, { dataDir: first.dataDir, port: first.port });
    await page.getByRole('alert').getByText('The service ended').first().waitFor();
    await untilIdle(page);
    t.match(await keptScans(second), [{ kind: 'autoscan', state: 'interrupted', pageCount: 2 }]);
    t.equal(await thumbs(page), 2);

    await page.getByRole('button', { name: 'Auto-scan', exact: true }).click();
    await on(page);
    await untilPages(page, 3);
    await insert(second, 'h', 4);
    await untilPages(page, 4);
    await page.getByRole('button', { name: 'Stop auto-scan' }).click();
    await untilIdle(page);
    t.same(await savedInks(page), [1, 2, 3, 4], 'each sheet once');
    await page.context().close();
  });
});
