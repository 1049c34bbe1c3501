/** Page at /app/: the picture of the selected page, which is one canvas for all pages. */
import { needs } from '@platen/conformance';
import type { Page, Route } from 'playwright-core';
import t from 'tap';
import { until } from '../spec/calls.js';
import { choose, drawn, launch, openApp, startToTry, untilIdle, untilPages } from './appPage.js';

/** Requests of the selected page's picture; a thumbnail's are narrower. */
const PICTURE = /\/pages\/\d+\?width=[4-9]\d\d/;

interface Canvas {
  width: number;
  height: number;
  getContext(type: '2d'): { drawImage(image: unknown, left: number, top: number): void };
  toDataURL(): string;
}

/** What the canvas shows. */
const shownIn = (page: Page): Promise<string> =>
  page.locator('.stage canvas').evaluate(element => {
    const canvas = element as unknown as Canvas & { cloneNode(): Canvas };
    const copy = canvas.cloneNode();
    copy.getContext('2d').drawImage(canvas, 0, 0);
    return copy.toDataURL();
  });

const select = (page: Page, number: number): Promise<void> =>
  page
    .locator('.thumb')
    .nth(number - 1)
    .click();

void t.test('page at /app/: the picture of the selected page', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startToTry(t);
  const { page, problems } = await openApp(await launch(t), fixture);
  for (const name of ['Read text', 'Read barcodes']) await page.getByRole('switch', { name }).uncheck();
  await choose(page, 'Feeder A');
  await page.getByLabel('Resolution').selectOption({ label: '75 dpi' });
  await page.locator('#scan:enabled').click();
  await untilPages(page, 3);
  await untilIdle(page);
  const pictures: string[] = [];
  for (const number of [1, 2, 3]) {
    await select(page, number);
    await drawn(page.locator('.stage canvas'));
    pictures.push(await shownIn(page));
  }
  t.equal(new Set(pictures).size, 3, 'each page has its own');

  await t.test('a picture that comes late is not shown for another page', async t => {
    const held: Route[] = [];
    await page.route(PICTURE, route => void held.push(route));
    await select(page, 1);
    await until(async () => held.length === 1);
    t.not(await shownIn(page), pictures[2], 'at once, the page before it is gone');
    await page.unroute(PICTURE);
    await select(page, 2);
    await drawn(page.locator('.stage canvas'));
    t.equal(await shownIn(page), pictures[1]);
    await held[0]?.continue().catch(() => undefined);
    await select(page, 3);
    await drawn(page.locator('.stage canvas'));
    t.equal(await shownIn(page), pictures[2]);
  });

  await t.test('requested again when the service did not answer; a next page does not wait for it', async t => {
    let requests = 0;
    await page.route(PICTURE, route => (requests++ < 2 ? route.abort('connectionrefused') : route.continue()));
    await select(page, 2);
    await until(async () => requests > 2);
    await drawn(page.locator('.stage canvas'));
    t.equal(await shownIn(page), pictures[1]);
    requests = 0;
    await select(page, 1);
    await until(async () => requests > 0);
    requests = 2;
    await select(page, 3);
    await drawn(page.locator('.stage canvas'));
    t.equal(await shownIn(page), pictures[2]);
    await page.unroute(PICTURE);
  });
  t.same(
    problems.filter(problem => !problem.includes('ERR_CONNECTION_REFUSED')),
    [],
  );
});
