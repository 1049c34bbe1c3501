/** Page at /app/ by keyboard alone: each flow, and where the focus is. */
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../spec/calls.js';
import { drawSide } from '../topology/sheets.js';
import { insertFile } from '../topology/virtualTopology.js';
import { launch, ofFocused, openApp, startToTry, tabTo, textIn, untilIdle, untilPages } from './appPage.js';
import { chooseQuick } from './appSheets.js';

/** Sheets for a scan that is cancelled: half a minute of paper. */
const MANY = 100;

/** Numbers of the pages' ids, in their order. */
const order = (page: Page): Promise<string[]> =>
  page.locator('.thumb').evaluateAll(all => all.map(each => (each as { id?: string }).id?.split('/').at(-1) ?? ''));

/** What covers the element with the focus, or where it is if it is outside the window; empty if it is visible. */
const COVERED = `(() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  if (!focused || focused === document.body) return '';
  const name = focused.id || focused.getAttribute('aria-label') || focused.textContent.trim().slice(0, 20);
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const [x, y] = [(Math.max(0, left) + Math.min(innerWidth, right)) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2];
  if (bottom <= 0 || top >= innerHeight) return name + ' is outside the window';
  let at = document.elementFromPoint(x, y);
  while (at?.shadowRoot?.elementFromPoint(x, y) && at.shadowRoot.elementFromPoint(x, y) !== at)
    at = at.shadowRoot.elementFromPoint(x, y);
  const isOwn = at && (focused.contains(at) || at.contains(focused) || focused.closest('label, li')?.contains(at));
  return isOwn ? '' : name + ' is behind ' + (at?.id || at?.className || at?.tagName);
})()`;

/** Whether the page takes a key with Ctrl from the browser. */
const taken = (page: Page, key: string, more: object = {}): Promise<boolean> => {
  const event = { key, ctrlKey: true, bubbles: true, cancelable: true, ...more };
  return page.evaluate(`!document.body.dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify(event)}))`);
};

void t.test('page at /app/: by keyboard alone', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startToTry(t);
  const browser = await launch(t);

  await t.test('from the top of the page to a scan, and its end', async t => {
    const { page } = await openApp(browser, fixture);
    // The page remembers it.
    await chooseQuick(page, 'Feeder A');
    await page.reload();
    await page.locator('#scan:enabled').waitFor();
    const sheet = await drawSide(1);
    for (let n = 0; n < MANY; n++) await insertFile(join(fixture.dataDir, 'trays', 'a'), `keys-${n}.png`, sheet);
    await page.keyboard.press('Tab');
    t.equal(await ofFocused(page, '.textContent'), 'Skip to the scanner');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    t.equal(await ofFocused(page, '.id'), 'skip', 'past the bar');
    t.equal(await ofFocused(page, '.textContent'), 'Skip to Scan');
    await page.keyboard.press('Tab');
    t.equal(await ofFocused(page, '.id'), 'refresh');
    for (let n = 0; n < 30 && (await ofFocused(page, '.id')) !== 'scan'; n++) {
      await page.keyboard.press('Tab');
      t.ok(await ofFocused(page, `.matches(':focus-visible')`), 'the focus is visible');
    }
    await page.locator('#skip').focus();
    await page.keyboard.press('Enter');
    t.equal(await ofFocused(page, '.id'), 'scan', 'past the settings');
    await page.keyboard.press('Enter');
    // A scan without a page would not wait for the next visit.
    await untilPages(page, 1);
    t.ok(await tabTo(page, page.locator('#stop')));
    await page.keyboard.press('Enter');
    await page.locator('#notes').getByText('The scan was cancelled').waitFor();
    t.equal(await ofFocused(page, '.id'), 'scan', 'the focus returns to the button');
    await page.close();
  });

  await t.test('choose a page, move it, turn it, remove it, undo, save; full size and back', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await page.getByRole('region', { name: 'Waiting scans' }).getByRole('button', { name: 'Discard' }).click();
    await chooseQuick(page, 'Feeder C');
    for (const name of ['3', '4'])
      await insertFile(join(fixture.dataDir, 'trays', 'c'), `${name}.png`, await drawSide(1));
    // The second sheet of each scan jams.
    await page.locator('#scan').press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('Page 2 jammed').waitFor();
    t.ok(await tabTo(page, alert.getByRole('button', { name: 'Continue' })));
    await page.keyboard.press('Enter');
    await untilPages(page, 2);
    await untilIdle(page);

    t.ok(await tabTo(page, page.locator('.thumb[tabindex="0"]')), 'the strip is one stop');
    await page.keyboard.press('End');
    t.equal(await textIn(page.locator('#stage-title')), 'Page 2');
    await page.keyboard.press('Alt+ArrowLeft');
    t.same(await order(page), ['2', '1']);
    await page.keyboard.press('r');
    const isTurned = () =>
      page.locator('.stage canvas').evaluate(image => {
        const { width, height } = image as unknown as { width: number; height: number };
        return width > height;
      });
    await until(isTurned);
    await page.keyboard.press('Delete');
    t.same(await order(page), ['1']);
    t.match(await ofFocused(page, '.id'), /^thumb-.*\/1$/, 'the next page has the focus');
    await page.keyboard.press('Control+z');
    t.same(await order(page), ['2', '1']);
    for (let n = 0; n < 2; n++) await page.keyboard.press('Control+z');
    t.same(await order(page), ['1', '2'], 'move and turn are undone, too');
    await page.keyboard.press('Control+y');
    t.same(await order(page), ['2', '1']);

    t.ok(await tabTo(page, page.locator('#paper')));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Page 2 of 2').waitFor();
    t.equal(await ofFocused(page, '.id'), 'viewer-ground');
    await page.keyboard.press('PageUp');
    await page.getByRole('dialog').getByText('Page 1 of 2').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    t.equal(await ofFocused(page, '.id'), 'paper', 'the focus returns to what opened it');
    t.equal(await textIn(page.locator('#stage-title')), 'Page 1');

    await page.locator('#undo').focus();
    t.ok(await tabTo(page, page.locator('#save-pdf')));
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    t.match(file.suggestedFilename(), /\.pdf$/);
    t.equal(await ofFocused(page, '.id'), 'save-pdf', 'the focus stays');
    await page.locator('#saving .activity').waitFor({ state: 'detached' });
    t.ok(await tabTo(page, page.locator('#clear')));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No pages yet' }).waitFor();
    t.equal(await ofFocused(page, '.id'), 'pages', 'the button is gone');
    await page.keyboard.press('Control+z');
    await untilPages(page, 2);
    t.same(problems, []);
    await page.close();
  });

  await t.test('Enter in a radio, a switch or a field scans nothing', async t => {
    const { page } = await openApp(browser, fixture);
    for (const control of [
      page.getByRole('radio', { name: 'Feeder A' }),
      page.getByRole('switch', { name: 'Read text' }),
      page.getByLabel('Resolution'),
    ]) {
      await control.press('Enter');
      await page.keyboard.press('Escape');
      t.equal(await page.locator('.activity').count(), 0);
    }
    await page.close();
  });

  await t.test('keys scan and save wherever the focus is, while their buttons can be pressed', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    t.notOk(await taken(page, 's'), 'nothing to save');
    t.notOk(await taken(page, 'Enter', { shiftKey: true }), 'there is no Done here');
    for (let n = 0; n < MANY; n++)
      await insertFile(join(fixture.dataDir, 'trays', 'a'), `again-${n}.png`, await drawSide(1));
    await page.locator('#language').focus();
    await page.keyboard.press('Control+Enter');
    await untilPages(page, 1);
    t.notOk(await taken(page, 'Enter'), 'a scan runs');
    await page.locator('#stop').click();
    await untilIdle(page);
    const scanned = await page.locator('.thumb').count();
    const savedBy = async (key: string): Promise<string> => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press(key)]);
      await page.locator('#saving .activity').waitFor({ state: 'detached' });
      return file.suggestedFilename();
    };
    for (const place of ['#language', '#refresh']) {
      await page.locator(place).focus();
      t.match(await savedBy('Control+s'), /\.pdf$/, place);
    }
    await page.locator('#save-menu-summary').press('Enter');
    const field = page.locator('#file-name');
    await field.fill('letter');
    await field.press('?');
    t.equal(await field.inputValue(), 'letter?', 'a field keeps the key');
    await field.press('Backspace');
    t.equal(await savedBy('Control+s'), 'letter.pdf', 'what is being written counts');
    t.equal(await page.locator('.thumb').count(), scanned);
    for (const [id, keys] of [
      ['scan', 'Control+Enter'],
      ['save-pdf', 'Control+S'],
    ])
      t.equal(await page.locator(`#${id}`).getAttribute('aria-keyshortcuts'), keys);
    t.same(problems, []);
    await page.close();
  });

  await t.test('? lists the keys, Escape closes the list; another dialog keeps the key', async t => {
    const { page, problems } = await openApp(browser, fixture);
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const place of ['#language', '#theme']) {
      await page.locator(place).focus();
      await page.keyboard.press('?');
      t.notOk(await list.isVisible(), `${place}: a key without Ctrl is the component's only inside`);
    }
    for (const [place, key] of [
      ['#theme', 'Control+/'],
      ['#refresh', '?'],
    ] as const) {
      await page.locator(place).focus();
      await page.keyboard.press(key);
      await list.waitFor();
      for (const text of ['Scan', 'Save as PDF', 'Undo', 'Mark all pages', 'Next page'])
        await list.getByRole('definition').getByText(text, { exact: true }).waitFor();
      t.equal(await list.getByText('Done', { exact: true }).count(), 0, 'there is no Done here');
      for (const key of ['Enter', 's']) t.notOk(await taken(page, key), `${key}: the list is open`);
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'hidden' });
      t.equal(`#${await ofFocused(page, '.id')}`, place, 'the focus returns');
    }
    await page.locator('#language').focus();
    await page.keyboard.press('?');
    t.notOk(await list.isVisible(), 'in a menu, it chooses');
    await page.getByRole('region', { name: 'Waiting scans' }).getByRole('button', { name: 'Show' }).first().click();
    await page.locator('#paper').press('Enter');
    await page.getByText(/Page \d+ of/).waitFor();
    await page.keyboard.press('?');
    t.notOk(await list.isVisible(), 'a page is open in full size');
    t.notOk(await taken(page, 's'));
    t.same(problems, []);
    await page.close();
  });

  for (const [name, viewport] of [
    ['400 %', { width: 320, height: 256 }],
    ['390 px', { width: 390, height: 640 }],
  ] as const)
    await t.test(`${name}: no stop of Tab is covered or outside the window`, async t => {
      const { page } = await openApp(browser, fixture, { viewport });
      const offer = page.getByRole('region', { name: 'Waiting scans' });
      await offer.getByRole('button', { name: /Show/ }).click();
      await page.locator('.thumb').first().waitFor();
      await page.locator('#settings > summary').press('Enter');
      await page.getByText('More', { exact: true }).press('Enter');
      await page.evaluate(`scrollTo(0, 0); document.activeElement.blur()`);
      for (const key of ['Tab', 'Shift+Tab']) {
        let stops = 0;
        const covered: string[] = [];
        for (; stops < 90; stops++) {
          await page.keyboard.press(key);
          if (stops > 5 && (await page.evaluate(`document.activeElement === document.body`))) break;
          const why = await page.evaluate<string>(COVERED);
          if (why !== '') covered.push(why);
        }
        t.comment(`${stops} stops`);
        t.ok(stops > 20);
        t.same(covered, [], key);
      }
      await page.close();
    });
});
