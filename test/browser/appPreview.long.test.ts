/** Page at /app/: the preview of a flatbed, and the area that is drawn on it. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { choose, keptScans, launch, openApp, untilIdle, untilPages, violations } from './appPage.js';
import { chooseQuick, configText } from './appSheets.js';

const preview = (page: Page) => page.getByRole('dialog', { name: 'Preview of the flatbed' });

async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Preview the flatbed' }).click();
  await preview(page).waitFor();
}

/** Resolves when the button that opens the preview has the focus. */
const untilOpenerFocused = (page: Page): Promise<void> => page.locator('#preview:focus').waitFor();

const labels = ['From the left, mm', 'From the top, mm', 'Width, mm', 'Height, mm'];
const numbers = async (page: Page): Promise<number[]> =>
  Promise.all(labels.map(async label => Number(await preview(page).getByLabel(label).inputValue())));

/** @param from share of the picture, from its top left corner */
async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const box = await page.locator('.glass').boundingBox();
  if (!box) throw new Error('There is no picture.');
  const at = ([x, y]: readonly [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 3 });
  await page.mouse.up();
}

void t.test('page at /app/: preview', async t => {
  if (!needs(t, 'chromium')) return;
  const config = JSON.parse(await configText()) as { plugins: { options: { scanners: object[] } }[] };
  config.plugins[0]?.options.scanners.push(
    { name: 'Both', feeder: true, flatbed: true },
    { name: 'Slow', feeder: false, flatbed: true, msPerPage: 5000 },
    { name: 'Open', feeder: false, flatbed: true, faults: [{ sheet: 1, fault: 'cover-open' }] },
  );
  const fixture = await start(t, virtualTopology, { configText: JSON.stringify(config) });
  const browser = await launch(t);

  await t.test('an area that was drawn comes out with its size', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await chooseQuick(page, 'Both');
    const [request] = await Promise.all([page.waitForRequest('**/api/twain/scan'), open(page)]);
    t.match(request.postDataJSON(), {
      parameters: { source: 'Flatbed', resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg' },
    });
    t.same(await violations(page), []);
    t.equal(await preview(page).getAttribute('lang'), 'en', 'the component’s, whatever the page’s is');
    t.same(await page.locator('.thumb').count(), 0, 'it is not a page');
    await until(async () => (await keptScans(fixture)).length === 0);

    await drag(page, [0.25, 0.2], [0.75, 0.5]);
    const [x = 0, y = 0, width = 0, height = 0] = await numbers(page);
    for (const [name, value, expected] of [
      ['x', x, 215.9 * 0.25],
      ['y', y, 355.6 * 0.2],
      ['width', width, 215.9 * 0.5],
      ['height', height, 355.6 * 0.3],
    ] as const)
      t.ok(Math.abs(value - expected) < 1, `${name}: ${value} of ${expected} mm`);
    await page.getByRole('button', { name: 'Use this area' }).click();
    await preview(page).waitFor({ state: 'detached' });
    t.ok(await page.getByRole('radio', { name: 'Flatbed', exact: true }).isChecked(), 'the source is the flatbed');
    await untilOpenerFocused(page);
    await page.getByLabel('Resolution').selectOption({ label: '300 dpi' });
    await page.locator('#scan:enabled').click();
    await untilPages(page, 1);
    await untilIdle(page);
    const [, wide, high] = /(\d+) × (\d+) pixels/.exec((await page.locator('.meta').textContent()) ?? '') ?? [];
    for (const [pixels, mm] of [
      [wide, width],
      [high, height],
    ] as const)
      t.ok(Math.abs(Number(pixels) - (mm / 25.4) * 300) <= 1, `${pixels} pixels for ${mm} mm`);
    t.same(problems, []);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.context().close();
  });

  await t.test('handles, the keyboard and the numbers change the same area', async t => {
    const { page, problems } = await openApp(browser, fixture, { viewport: { width: 400, height: 800 } });
    await page.locator('#settings > summary').click();
    await choose(page, 'Flatbed B');
    await open(page);
    t.same(await violations(page), []);
    t.ok(
      await preview(page).evaluate(each => {
        const { scrollWidth, clientWidth } = each as unknown as { scrollWidth: number; clientWidth: number };
        return scrollWidth <= clientWidth;
      }),
      'nothing is beyond the edge of a narrow window',
    );
    const frame = page.getByRole('application');
    const [left, top, wide, high] = labels.map(label => preview(page).getByLabel(label));
    for (const [field, mm] of [
      [left, '20'],
      [top, '30'],
      [wide, '100'],
      [high, '50'],
    ] as const) {
      await field?.fill(mm);
      await field?.blur();
    }
    t.match(await frame.getAttribute('aria-label'), /100 × 50 mm, 20 mm from the left, 30 mm from the top/);
    await frame.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+ArrowLeft');
    t.same(await numbers(page), [24.5, 25, 100, 55]);
    for (let n = 0; n < 10; n++) await page.keyboard.press('ArrowUp');
    t.same(await numbers(page), [24.5, 0, 100, 55], 'not beyond the edge');
    await drag(page, [74.5 / 215.9, 20 / 355.6], [94.5 / 215.9, 40 / 355.6]);
    const moved = await numbers(page);
    t.ok(Math.abs((moved[0] ?? 0) - 44.5) < 1.5 && moved[2] === 100 && moved[3] === 55, `moved: ${moved.join()}`);
    const handle = await page.locator('.handle.se').boundingBox();
    await page.mouse.move((handle?.x ?? 0) + 5, (handle?.y ?? 0) + 5);
    await page.mouse.down();
    await page.mouse.move(0, 0, { steps: 3 });
    await page.mouse.up();
    const least = await numbers(page);
    t.same(least.slice(2), [1, 1], 'not below the smallest area');
    t.same(least.slice(0, 2), moved.slice(0, 2), 'the other corner stays');

    await page.getByRole('button', { name: 'Use this area' }).click();
    await preview(page).waitFor({ state: 'detached' });
    await open(page);
    t.same(await numbers(page), least, 'shown again');
    await preview(page).getByRole('button', { name: 'Whole page' }).click();
    t.match(await frame.getAttribute('aria-label'), /whole page/);
    await page.keyboard.press('Escape');
    await preview(page).waitFor({ state: 'detached' });
    t.equal(await page.getByLabel('Width, mm').inputValue(), '1', 'Escape changes nothing');
    await open(page);
    await preview(page).getByRole('button', { name: 'Whole page' }).click();
    await page.getByRole('button', { name: 'Use this area' }).click();
    await preview(page).waitFor({ state: 'detached' });
    t.equal(await page.getByLabel('Width, mm').inputValue(), '');
    t.same(problems, []);
    await page.context().close();
  });

  await t.test('failures: said as of a scan; nothing is kept', async t => {
    const { page } = await openApp(browser, fixture);
    await choose(page, 'Open');
    await page.getByRole('button', { name: 'Preview the flatbed' }).click();
    await page.getByRole('alert').getByText('The cover is open').first().waitFor();
    t.notOk(await preview(page).isVisible());

    await choose(page, 'Slow');
    await page.getByRole('button', { name: 'Preview the flatbed' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('#notes').getByText('The scan was cancelled').waitFor();
    t.notOk(await preview(page).isVisible());
    await untilOpenerFocused(page);

    const { page: other } = await openApp(browser, fixture);
    await choose(page, 'Slow');
    await choose(other, 'Slow');
    await page.getByRole('button', { name: 'Preview the flatbed' }).click();
    await until(async () => (await keptScans(fixture)).some(({ state }) => state === 'running'));
    await other.getByRole('button', { name: 'Preview the flatbed' }).click();
    await other.getByRole('alert').getByText('The scanner is busy').waitFor();
    await preview(page).waitFor();
    await page.context().close();
    await other.context().close();
    await until(async () => (await keptScans(fixture)).length === 0);
  });

  await t.test('a tab that is closed during a preview: nothing is offered afterwards', async t => {
    const { page } = await openApp(browser, fixture);
    await choose(page, 'Slow');
    await page.getByRole('button', { name: 'Preview the flatbed' }).click();
    await until(async () => (await keptScans(fixture)).some(({ state }) => state === 'running'));
    await page.context().close();
    await until(async () => (await keptScans(fixture)).some(({ state }) => state !== 'running'));
    const { page: next } = await openApp(browser, fixture);
    await until(async () => (await keptScans(fixture)).length === 0);
    t.equal((await next.locator('#waiting').textContent())?.trim(), '');
    await mkdir(join(fixture.dataDir, 'scans'), { recursive: true });
    t.same(await readdir(join(fixture.dataDir, 'scans')), [], 'nor is anything on disk');
    await next.context().close();
  });
});
