/** Page at /app/: nothing moves by itself, and Scan is always in the window. */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { launch, openApp, openTab, toTry, untilIdle, untilPages } from './appPage.js';
import { chooseQuick } from './appSheets.js';
import { begin, scan, thumb } from './appStack.js';

/** The scanners of `npm start`, more than fit into a window, and one with many sheets. */
async function crowded(): Promise<string> {
  const config = JSON.parse(await toTry()) as { plugins: { options: { scanners: object[] } }[] };
  const more = ['D', 'E', 'F', 'G', 'H', 'I', 'J'].map(name => ({ name: `Feeder ${name}`, feeder: true, samples: 1 }));
  config.plugins[0]?.options.scanners.push({ name: 'Feeder 24', feeder: true, samples: 24 }, ...more);
  return JSON.stringify(config);
}

/** Whether all of Scan is within the window. */
const isScanInWindow = (page: Page): Promise<boolean> =>
  page.locator('#scan').evaluate(button => {
    const { top, bottom } = (
      button as unknown as { getBoundingClientRect(): { top: number; bottom: number } }
    ).getBoundingClientRect();
    return top >= 0 && bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight;
  });

/** What moves from now on, by the browser's own measure. */
const WATCH = `
  globalThis.moved = [];
  new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries())
      moved.push([value, ...sources.map(({ previousRect, currentRect }) => JSON.stringify([previousRect, currentRect]))]);
  }).observe({ type: 'layout-shift' });
`;
const moved = (page: Page): Promise<readonly (readonly [number, ...string[]])[]> => page.evaluate('moved');

const STRIP = `document.querySelector('platen-scan').shadowRoot.querySelector('#strip')`;

/** Resolves when the browser has drawn what there is. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))');

void t.test('page at /app/: steady', async t => {
  if (!needs(t, 'chromium')) return;
  const browser = await launch(t);

  const fixture = await begin(t, { configText: await crowded() });

  await t.test('a scan of 24 pages, and each first look at a page: nothing moves', async t => {
    const { page } = await openApp(browser, fixture, { reducedMotion: 'no-preference' });
    await chooseQuick(page, 'Feeder 24');
    await page.locator('#scan').click();
    await page.locator('#stop').waitFor();
    await page.evaluate(WATCH);
    await untilPages(page, 24);
    await untilIdle(page);
    await page.locator('#notes .notice').waitFor();
    await drawn(page);
    const whileScanning = await moved(page);
    t.ok(sum(whileScanning) <= 0.01, JSON.stringify(whileScanning));

    const heightOfPaper = (): Promise<number> =>
      page.locator('#paper').evaluate(paper => (paper as unknown as { offsetHeight: number }).offsetHeight);
    const heights = new Set([await heightOfPaper()]);
    for (const place of [2, 3, 4, 5, 6]) {
      await thumb(page, place).click();
      heights.add(await heightOfPaper());
    }
    t.equal(heights.size, 1, [...heights].join(', '));

    // From the left end: the strip may still be on its way to the sixth page, from which the last one is not far enough.
    await page.evaluate(`${STRIP}.scrollTo({ left: 0, behavior: 'instant' })`);
    await drawn(page);
    await page.keyboard.press('End');
    const left = await page.evaluate<number>(`new Promise(done => {
      const strip = ${STRIP};
      let frames = 0;
      const look = () => {
        const left = strip.scrollWidth - strip.scrollLeft - strip.clientWidth;
        if (strip.scrollLeft > 0 || ++frames > 1000) done(left);
        else requestAnimationFrame(look);
      };
      look();
    })`);
    t.ok(left < 100, `${left} pixels before the end: it does not scroll over 23 blank pages`);
    await page.context().close();
  });

  for (const [width, height] of [
    [1280, 900],
    [400, 860],
  ] as const) {
    await t.test(`Scan is in the window: many scanners, a scan that waits; ${width} pixels`, async t => {
      const { page } = await openApp(browser, fixture, { viewport: { width, height } });
      const context = page.context();
      t.ok(await isScanInWindow(page), 'at first');
      // A narrow window hides the settings.
      const unfold = async (): Promise<void> => {
        if (width < 500) await page.locator('#settings > summary').click();
      };
      await unfold();
      await chooseQuick(page, 'Feeder D');
      await unfold();
      await scan(page, 1);
      await page.evaluate('scrollTo(0, 0)');
      t.ok(await isScanInWindow(page), 'after a scan');
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      t.ok(await isScanInWindow(page), 'at the lower end');
      await page.close();
      const { page: second } = await openTab(context, fixture.url);
      await second.locator('#waiting .notice').waitFor();
      await drawn(second);
      t.ok(await isScanInWindow(second), 'with a scan that waits');
      await context.close();
    });
  }
});

const sum = (entries: readonly (readonly [number, ...string[]])[]): number =>
  entries.reduce((total, [value]) => total + value, 0);
