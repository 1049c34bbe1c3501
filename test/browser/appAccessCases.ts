/** Accessibility of the page at /app/, by axe-core: in windows, looks and directions, in each state of the page. */
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { until } from '../spec/calls.js';
import { insertFile } from '../topology/virtualTopology.js';
import {
  choose,
  COLOR_RULES,
  launch,
  ofFocused,
  openApp,
  openTab,
  startToTry,
  untilPages,
  violations,
  type Rules,
} from './appPage.js';
import { blankSheet } from './appSheets.js';

const plain = { colorScheme: 'light', forcedColors: 'none' } as const;
const everyLook = [
  plain,
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;

const [wide, narrow, enlarged] = [
  ['1280 px', { width: 1280, height: 900 }],
  ['320 px', { width: 320, height: 640 }],
  ['400 %', { width: 320, height: 256 }],
] as const;

/** What axe-core looks at, in a window. */
interface Look {
  readonly window: typeof wide | typeof narrow | typeof enlarged;
  readonly looks: readonly (typeof everyLook)[number][];
  /** Whether also as in a language that is written from right to left. */
  readonly bothDirections: boolean;
  /** All rules in each look; otherwise those that colors matter to, and the others once in each window. */
  readonly everyRule?: true;
}

/**
 * Colors depend neither on the window nor on the direction, so that the first window shows them; and all else not on the
 * look. In each direction, everything fits into the window.
 */
export const usual: readonly Look[] = [
  { window: wide, looks: everyLook, bothDirections: false },
  { window: narrow, looks: [plain], bothDirections: false },
];

export const everything: readonly Look[] = [wide, narrow, enlarged].map(window => ({
  window,
  looks: everyLook,
  bothDirections: true,
  everyRule: true,
}));

/** Colours change over some frames. */
const SETTLED_MS = 300;

/** As in a language that is written from right to left. */
const turnTo = (page: Page, direction: string): Promise<void> =>
  page.evaluate(`for (const each of [document.documentElement, document.querySelector('platen-scan').shadowRoot.querySelector('.scan-dialog')])
    each.dir = '${direction}';`);

const fits = (page: Page): Promise<boolean> =>
  page.evaluate(`document.documentElement.scrollWidth <= document.documentElement.clientWidth`);

export async function accessCases(t: Test, chosen: readonly Look[]): Promise<void> {
  if (!needs(t, 'chromium')) return;
  const fixture = await startToTry(t);
  const browser = await launch(t);

  for (const { window, looks, bothDirections, everyRule } of chosen) {
    const [name, viewport] = window;
    await t.test(`${name}: ${looks.length > 1 ? 'light, dark, forced colours' : 'light'}, right to left`, async t => {
      const { page } = await openApp(browser, fixture, { viewport });
      const waiting = async (): Promise<void> => {
        await page.close();
        const { page: next } = await openTab(page.context(), fixture.url);
        await next.getByRole('region', { name: 'Waiting scans' }).waitFor();
        await check(next, 'scans that wait');
        await next.context().close();
      };
      // Colours change with a delay, on a busy machine one element at a time: check again later; a real violation persists.
      const settled = async (page: Page, rules?: Rules): Promise<readonly string[]> => {
        for (let look = 1; ; look++) {
          const found = await violations(page, rules);
          if (found.length === 0 || look === 5) return found;
          await page.waitForTimeout(SETTLED_MS);
        }
      };
      const rulesIn = (look: (typeof everyLook)[number]): Rules => {
        if (look !== plain) return { only: COLOR_RULES };
        return window === wide ? {} : { without: COLOR_RULES };
      };
      const check = async (page: Page, state: string): Promise<void> => {
        for (const look of looks) {
          await page.emulateMedia(look);
          await until(
            async () =>
              Number(/\d+/.exec(await page.evaluate<string>(`getComputedStyle(document.body).color`))) > 127 ===
              (look.colorScheme === 'dark'),
          );
          t.same(
            await settled(page, everyRule ? {} : rulesIn(look)),
            [],
            `${state}, ${look.forcedColors === 'active' ? 'forced colours' : look.colorScheme}`,
          );
        }
        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
        for (const direction of ['rtl', 'ltr']) {
          await turnTo(page, direction);
          t.ok(await fits(page), `${state}, ${direction}: no element is wider than the window`);
          if (direction === 'rtl' && bothDirections) t.same(await settled(page), [], `${state}, right to left`);
        }
      };
      if (viewport.width < 500) await page.locator('#settings > summary').click();
      await page.getByText('More', { exact: true }).click();
      await check(page, 'before a scan, all settings open');
      await keyCases(page, check);
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
      await page.route('**/api/documents', () => undefined);
      await page.getByRole('button', { name: 'Save as PDF' }).click();
      await page.getByRole('button', { name: 'Cancel saving' }).waitFor();
      await page.getByRole('button', { name: 'Cancel saving' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('#saving .activity').waitFor({ state: 'detached' });
      t.equal(await ofFocused(page, '.id'), 'save-pdf', 'the focus returns to the button');
      await page.getByRole('button', { name: 'Save as PDF' }).click();
      await page.getByRole('button', { name: 'Cancel saving' }).waitFor();
      await check(page, 'saving');
      await page.getByRole('button', { name: 'Open page 1 in full size' }).click();
      await page.getByText('Page 1 of 1').waitFor();
      await check(page, 'full size');
      await page.keyboard.press('Escape');
      const isDrawn = (selector: string) => page.locator(selector).isVisible();
      await page.emulateMedia({ media: 'print' });
      t.same(
        [await isDrawn('.paper canvas'), await isDrawn('.bar'), await isDrawn('#scan'), await isDrawn('#facts')],
        [true, false, false, false],
        'printed: only the scanned page',
      );
      // On a busy machine, the layout takes a moment.
      await until(async () => ((await page.locator('.paper canvas').boundingBox())?.width ?? 0) > viewport.width / 3);
      t.pass('it fills the paper');
      await page.emulateMedia({ media: 'screen' });
      if (viewport.width < 500) return waiting();
      await choose(page, 'Flatbed B');
      await page.locator('#scan:enabled').click();
      await untilPages(page, 2);
      await choose(page, 'Feeder A');
      await page.emulateMedia({ forcedColors: 'active' });
      const edge = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate(
            element =>
              (globalThis as unknown as { getComputedStyle(of: unknown): { border: string } }).getComputedStyle(element)
                .border,
          );
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
}

/** For those who use no pointer. */
async function keyCases(page: Page, check: (page: Page, state: string) => Promise<void>): Promise<void> {
  await page.locator('#skip').focus();
  await check(page, 'the way past the settings');
  await page.keyboard.press('?');
  await page.locator('#key-list').waitFor();
  await check(page, 'list of keys');
  await page.keyboard.press('Escape');
}
