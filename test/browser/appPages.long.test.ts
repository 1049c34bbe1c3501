/** Page at /app/: pages are moved, turned, removed and scanned again; everything is undone and redone. */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import type { Ink } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { keptScans, launch, openApp, openTab, untilIdle, untilPages } from './appPage.js';
import { chooseQuick, configText, insert } from './appSheets.js';
import { begin, order, savedInks, scan, thumb, thumbSizes, turns } from './appStack.js';

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const undo = (page: Page): Promise<void> => page.locator('#undo').click();
const focused = (page: Page): Promise<string | null> => page.locator('.thumb:focus').getAttribute('aria-label');

void t.test('page at /app/: the pages in the order of the person', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await start(t, virtualTopology, { configText: await configText() });
  const browser = await launch(t);

  const found: string[][] = [];
  /** With pages 1 to n of one scan, in these inks. */
  async function withPages(t: Test, ...inks: Ink[]): Promise<Page> {
    const { page, problems } = await openApp(browser, fixture);
    t.teardown(() => page.context().close());
    found.push(problems);
    await chooseQuick(page, 'Feeder A');
    await insert(fixture, 'a', ...inks);
    await scan(page, inks.length);
    return page;
  }

  await t.test('pages appear as they are scanned', async t => {
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder H');
    await insert(fixture, 'h', 1, 2, 3);
    await page.locator('#scan').click();
    await untilPages(page, 2);
    t.ok((await thumbSizes(page)).every(([width]) => width > 0));
    t.equal(await page.locator('body').getAttribute('data-under'), 'scan');
    await press(page, 'Cancel');
    await untilIdle(page);
    t.equal(await order(page), '1 2');
    await page.context().close();
  });

  await t.test('dragged by mouse; the line shows where it will be; marked pages together', async t => {
    const page = await withPages(t, 1, 2, 3, 4);
    await drag(page, 1, 3, 0.9);
    t.equal(await order(page), '2 3 1 4');
    await drag(page, 4, 1, 0.1);
    t.equal(await order(page), '4 2 3 1');
    t.equal(await page.locator('[data-drop=before], [data-drop=after]').count(), 0, 'no line is left');
    await thumb(page, 2).click({ modifiers: ['Control'] });
    await thumb(page, 4).click({ modifiers: ['Control'] });
    await drag(page, 4, 1, 0.1);
    t.equal(await order(page), '2 1 4 3');
    t.same(await savedInks(page), [2, 1, 4, 3]);
    for (const before of ['4 2 3 1', '2 3 1 4', '1 2 3 4']) {
      await undo(page);
      t.equal(await order(page), before);
    }
  });

  await t.test('moved by keys: the focus follows the page', async t => {
    const page = await withPages(t, 1, 2, 3);
    await thumb(page, 1).focus();
    await page.keyboard.press('Alt+ArrowRight');
    t.equal(await order(page), '2 1 3');
    t.equal(await focused(page), 'Page 2');
    await page.keyboard.press('Alt+End');
    t.equal(await order(page), '2 3 1');
    await page.keyboard.press('Alt+Home');
    t.equal(await order(page), '1 2 3');
    t.equal(await focused(page), 'Page 1');
    await page.keyboard.press('Alt+ArrowLeft');
    t.equal(await order(page), '1 2 3', 'the first stays');
  });

  await t.test('turned: thumbnail, picture and facts; undone and redone', async t => {
    const page = await withPages(t, 1, 2);
    await thumb(page, 1).click();
    await press(page, 'Turn page 1 right');
    t.same(await turns(page), [90, 0]);
    const [first, second] = await thumbSizes(page);
    t.ok(first && first[0] > first[1], 'turned');
    t.ok(second && second[0] < second[1], 'the other one is upright');
    t.match(await page.locator('.meta').textContent(), /825 × 638 pixels/);
    await press(page, 'Turn page 1 left');
    await press(page, 'Turn page 1 left');
    t.same(await turns(page), [270, 0]);
    await undo(page);
    await undo(page);
    t.same(await turns(page), [90, 0]);
    await page.locator('#redo').click();
    t.same(await turns(page), [0, 0]);
    await thumb(page, 2).focus();
    await page.keyboard.press('r');
    t.same(await turns(page), [0, 90]);
  });

  await t.test('many are removed; every step is undone and redone, by buttons and keys', async t => {
    const page = await withPages(t, 1, 2, 3, 4, 5);
    await thumb(page, 2).click();
    await thumb(page, 4).click({ modifiers: ['Shift'] });
    await press(page, 'Remove the marked pages');
    t.equal(await order(page), '1 5');
    await page.locator('#notes').getByText('3 pages removed').waitFor();
    await thumb(page, 2).focus();
    await page.keyboard.press('Alt+Home');
    await page.keyboard.press('r');
    await page.keyboard.press('Delete');
    t.equal(await order(page), '1');
    const states = ['5 1', '5 1', '1 5', '1 2 3 4 5'];
    for (const state of states) {
      await page.keyboard.press('Control+z');
      await until(async () => (await order(page)) === state);
    }
    t.equal(await page.locator('#undo').getAttribute('aria-disabled'), 'true', 'nothing is left to undo');
    for (const state of ['1 5', '5 1']) {
      await page.keyboard.press('Control+y');
      await until(async () => (await order(page)) === state);
    }
    t.equal(await focused(page), 'Page 2', 'the focus is not lost');
    await page.keyboard.press('Control+Shift+Z');
    t.same(await turns(page), [90, 0]);
    await page.locator('#redo').click();
    t.equal(await order(page), '1');
    t.equal(await page.locator('#redo').getAttribute('aria-disabled'), 'true');
  });

  await t.test('“Remove all” is undone after the next scan, too', async t => {
    const page = await withPages(t, 1, 2);
    await press(page, 'Remove all');
    await page.locator('.thumb').first().waitFor({ state: 'detached' });
    await insert(fixture, 'a', 3);
    await scan(page, 1);
    t.same(await turns(page), [0]);
    await undo(page);
    await untilPages(page, 3);
    t.same(await savedInks(page), [1, 2, 3]);
    await page.locator('#redo').click();
    t.equal(await order(page), '1');
  });

  await t.test('a page is scanned again: it takes the place; Undo brings the old one back', async t => {
    const page = await withPages(t, 1, 2, 3);
    await thumb(page, 2).click();
    await press(page, 'Scan again: page 2');
    await page.getByText('Insert page 2 again').waitFor();
    t.equal(await page.locator('#scan:focus').count(), 1, 'Scan has the focus');
    // The scanner takes only one sheet.
    await insert(fixture, 'a', 6, 7);
    await page.keyboard.press('Enter');
    await until(async () => (await order(page)) === '1 1 3');
    await untilIdle(page);
    await undo(page);
    t.equal(await order(page), '1 2 3');
    await page.locator('#redo').click();
    t.equal(await order(page), '1 1 3');
    await page.reload();
    await untilPages(page, 3);
    await until(async () => (await order(page)) === '1 1 3');
    await scan(page, 4);
    t.same(await savedInks(page), [1, 6, 3, 7], 'the second sheet was still in the feeder');
    await undo(page);
    t.same(await savedInks(page), [1, 2, 3, 7], 'undone after the reload and the next scan');
  });

  await t.test('it is not scanned again after all: the next scan adds', async t => {
    const page = await withPages(t, 1, 2);
    await press(page, 'Scan again: page 1');
    await press(page, 'Do not scan it again');
    await insert(fixture, 'a', 3);
    await scan(page, 3);
    t.same(await savedInks(page), [1, 2, 3]);
  });
  t.same(found.flat(), []);
});

void t.test('page at /app/: order and turns outlive the page and the service', async t => {
  if (!needs(t, 'chromium')) return;
  const browser = await launch(t);
  const first = await begin(t);
  const { page } = await openApp(browser, first);
  await chooseQuick(page, 'Feeder A');
  await insert(first, 'a', 1, 2, 3);
  await scan(page, 3);
  await thumb(page, 3).focus();
  await page.keyboard.press('Alt+Home');
  await page.keyboard.press('r');
  await insert(first, 'a', 4);
  await scan(page, 4);
  await thumb(page, 4).focus();
  await page.keyboard.press('Alt+ArrowLeft');
  const same = async (t: Test, why: string): Promise<void> => {
    await untilPages(page, 4);
    await until(async () => (await order(page)) === '3 1 1 2');
    t.same(await turns(page), [90, 0, 0, 0], why);
  };
  await page.reload();
  await same(t, 'a reload');

  first.signal('SIGKILL');
  await first.ended;
  const second = await begin(t, { dataDir: first.dataDir, port: first.port });
  await page.reload();
  await same(t, 'a killed service');
  t.same(await savedInks(page), [3, 1, 4, 2]);
  for (const before of ['3 1 2 1', '3 1 2 1', '1 2 3 1']) {
    await undo(page);
    t.equal(await order(page), before, 'undone after all that');
  }
  await page.locator('#redo').click();

  await page.close();
  const { page: again } = await openTab(page.context(), second.url);
  await again.locator('#saved-documents').waitFor();
  t.equal((await keptScans(second)).length, 2, 'saved: they stay');
  t.equal(await again.locator('.thumb').count(), 0);
  await again.context().close();
});

/** @param at from 0 to 1, across the other thumbnail */
async function drag(page: Page, from: number, to: number, at: number): Promise<void> {
  const box = await thumb(page, to).boundingBox();
  if (!box) throw new Error(`There is no thumbnail ${to}.`);
  await thumb(page, from).dragTo(thumb(page, to), {
    targetPosition: { x: box.width * at, y: box.height / 2 },
  });
}
