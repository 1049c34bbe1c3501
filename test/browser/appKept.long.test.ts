/** Page at /app/: its scans are the service's. Tabs, the service and sheets come and go; no page is lost. */
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../spec/calls.js';
import { chooseQuick, configText, insert } from './appSheets.js';
import { begin, looked, savedInks, scan, thumbs } from './appStack.js';
import { choose, keptScans, launch, openApp, openTab, untilIdle, untilPages, warns } from './appPage.js';

const startScan = (page: Page): Promise<void> => page.locator('#scan:enabled').click();

void t.test('page at /app/: the service keeps its pages', async t => {
  if (!needs(t, 'chromium')) return;
  const browser = await launch(t);

  await t.test('a reload, a closed tab and a killed service during a scan: every page stays, Continue', async t => {
    const first = await begin(t);
    const { page } = await openApp(browser, first);
    const context = page.context();
    await chooseQuick(page, 'Feeder H');
    await insert(first, 'h', 1, 2, 3, 4);
    await startScan(page);
    await untilPages(page, 2);
    t.equal(await warns(page), false, 'nothing is lost: the browser does not ask');

    await page.reload();
    await untilPages(page, 2);
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    const { page: elsewhere } = await openTab(context, first.url);
    await choose(elsewhere, 'Feeder A');
    await elsewhere.close();
    await page.close();

    const { page: again } = await openTab(context, first.url);
    await untilPages(again, 2);
    await again.getByRole('button', { name: 'Cancel' }).waitFor();
    t.equal(await thumbs(again), 2);
    t.ok(await again.getByRole('radio', { name: 'Feeder H' }).isChecked(), 'the scanner that scans is selected');

    const { page: other } = await openTab(context, first.url);
    await looked(other);
    t.equal(await thumbs(other), 0, 'a second tab leaves the scan to the tab that shows it');
    t.equal((await other.locator('#waiting').textContent())?.trim(), '');
    await other.close();

    first.signal('SIGKILL');
    await first.ended;
    await again.getByText('Reconnecting to the scanning service…').first().waitFor();
    const second = await begin(t, { dataDir: first.dataDir, port: first.port });
    await again.getByRole('alert').getByText('The service ended before page 3').waitFor();
    t.equal((await again.getByRole('alert').innerText()).split('The service ended').length - 1, 1, 'said once');
    t.match(await keptScans(second), [{ state: 'interrupted', pageCount: 2 }]);
    await again.getByRole('button', { name: 'Continue' }).click();
    await untilPages(again, 4);
    await untilIdle(again);
    t.same(await savedInks(again), [1, 2, 3, 4]);
    t.match(await keptScans(second), [{ state: 'completed', pageCount: 4 }], 'the same scan');
    await again.context().close();
  });

  await t.test('jams: the alert names the page, Continue scans on into the same scan', async t => {
    const fixture = await begin(t);
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder C');
    await insert(fixture, 'c', 5, 6, 7);
    await startScan(page);
    for (const next of [2, 3]) {
      await page.getByRole('alert').getByText(`Page ${next} jammed`).waitFor();
      await untilIdle(page);
      t.equal(await thumbs(page), next - 1);
      await page.getByRole('button', { name: 'Continue' }).click();
    }
    await untilPages(page, 3);
    await untilIdle(page);
    t.same(await savedInks(page), [5, 6, 7]);
    t.match(await keptScans(fixture), [{ state: 'completed', pageCount: 3 }]);
    await page.context().close();
  });

  await t.test('a jam, and a reload: the alert is there again', async t => {
    const fixture = await begin(t);
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder C');
    await insert(fixture, 'c', 1, 2);
    await startScan(page);
    await page.getByRole('alert').getByText('Page 2 jammed').waitFor();
    await page.reload();
    await page.getByRole('alert').getByText('Page 2 jammed').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await untilPages(page, 2);
    await page.context().close();
  });

  await t.test('the next sheets on a flatbed: Continue, pages of one scan beside each other', async t => {
    const fixture = await begin(t);
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Flatbed B');
    await startScan(page);
    await page.locator('#notes').getByText('place the next sheet on the flatbed').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await untilPages(page, 2);
    await untilIdle(page);
    t.match(await keptScans(fixture), [{ state: 'completed', pageCount: 2 }]);
    await page.context().close();
  });

  await t.test('an empty feeder: the alert says so, Continue scans into the same scan', async t => {
    const fixture = await begin(t);
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder H');
    await startScan(page);
    await page.getByRole('alert').getByText('The feeder is empty').waitFor();
    await insert(fixture, 'h', 4);
    await page.getByRole('button', { name: 'Continue' }).click();
    await untilPages(page, 1);
    await untilIdle(page);
    t.match(await keptScans(fixture), [{ state: 'completed', pageCount: 1 }]);
    await page.context().close();
  });

  await t.test('a damaged page: the others are saved, and an alert names it', async t => {
    const fixture = await begin(t);
    await insert(fixture, 'a', 1, 2, 3);
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    await scan(page, 3);
    const [kept] = await keptScans(fixture);
    await truncate(join(fixture.dataDir, 'scans', kept?.id ?? '', '2.page'), 10);
    await page.reload();
    await untilPages(page, 3);
    t.same(await savedInks(page), [1, 3]);
    await page.getByRole('alert').getByText('Left out: page 2.').waitFor();
    await page.context().close();
  });

  await t.test('pages removed: Undo restores them; the service keeps them until it is over', async t => {
    const fixture = await begin(t);
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    await insert(fixture, 'a', 1, 2, 3);
    await scan(page, 3);
    await page.getByRole('button', { name: 'Remove page 1' }).click();
    await page.reload();
    await untilPages(page, 2);
    t.equal(await thumbs(page), 2, 'the removed page does not come back');
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.locator('#notes').getByRole('button', { name: 'Undo' }).click();
    await untilPages(page, 2);
    t.same(await savedInks(page), [2, 3]);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByRole('button', { name: 'Close this message' }).click();
    await page.locator('.thumb').first().waitFor({ state: 'detached' });
    t.equal((await keptScans(fixture)).length, 1, 'closing the message ends no Undo');
    for (const step of ['Remove all', 'Remove page 1']) {
      await page.locator('#undo').click();
      t.ok(await thumbs(page), step);
    }
    await untilPages(page, 3);
    t.same(await savedInks(page), [1, 2, 3], 'also of what was removed before the reload');
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.close();
    await until(async () => (await keptScans(fixture)).length === 0);
    await page.context().close();
  });

  await t.test('all pages removed, and a reload: the service lets them go, and no Undo promises them', async t => {
    const fixture = await begin(t);
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    await insert(fixture, 'a', 1, 2);
    await scan(page, 2);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.locator('#undo').waitFor();
    await page.reload();
    await page.locator('#scan:enabled').waitFor();
    await looked(page);
    await until(async () => (await keptScans(fixture)).length === 0);
    await page.locator('#undo').waitFor({ state: 'detached' });
    t.equal(await thumbs(page), 0);
    await page.context().close();
  });

  await t.test('scans.keep is false: a reload keeps the pages, and the browser asks before it closes', async t => {
    const fixture = await begin(t, { configText: await configText({ scans: { keep: false } }) });
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    await insert(fixture, 'a', 1, 2);
    await scan(page, 2);
    t.equal(await warns(page), true);
    page.on('dialog', dialog => void dialog.accept());
    await page.reload();
    await untilPages(page, 2);
    t.same(await savedInks(page), [1, 2]);
    t.equal(await warns(page), false);
    await page.context().close();
  });
});
