/** The keys of `<platen-scan>` in a form of a foreign page: its own, while the focus is in it. */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { ofFocused } from './appPage.js';
import { formOf, handsIn, headOf, SCAN, SMALL, untilDone, untilScanned } from './componentKit.js';
import { openPage } from './foreignPage.js';

const fixture = await start(t, virtualTopology, { recognisers: ['@platen/document-pdf'] });

/** Counts the keys that reach the page, and those of them that the element has taken. */
const counting = `<script>
  window.seen = []; window.takenKeys = [];
  addEventListener('keydown', event => {
    if (['Control', 'Shift', 'Meta'].includes(event.key)) return;
    (event.defaultPrevented ? takenKeys : seen).push(event.key);
    if (event.ctrlKey) event.preventDefault();
  });
</script>`;

const keysOf = (page: Page, list: 'seen' | 'takenKeys'): Promise<string[]> => page.evaluate(`${list}.splice(0)`);

t.test('in a form: keys outside of the element are the page’s, inside they press Scan, Save and Done', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openPage(t, {
    html:
      headOf(fixture) +
      counting +
      formOf(
        `<input id="note"><platen-scan name="document" scanner="${fixture.name('duplex')}" actions="done save" ${SMALL}></platen-scan>`,
      ),
  });
  const hands = handsIn(page);
  await fixture.load('duplex', sheets(1));
  await page.locator('#scan:enabled').waitFor();
  const all = ['Control+Enter', 'Control+s', 'Control+Shift+Enter', 'Control+z', '?'];
  const press = async (): Promise<void> => {
    for (const key of all) await page.keyboard.press(key);
  };
  const pressed = ['Enter', 's', 'Enter', 'z', '?'];

  for (const place of ['#note', '#send']) {
    await page.locator(place).focus();
    await press();
    t.same(await keysOf(page, 'seen'), pressed, place);
    t.same(await keysOf(page, 'takenKeys'), [], place);
  }
  t.equal(await page.locator('#note').inputValue(), '?');
  t.equal(await page.evaluate(`${SCAN}.activity`), undefined);

  await page.locator('#settings > summary').focus();
  await page.keyboard.press('Control+s');
  await page.keyboard.press('Control+Shift+Enter');
  t.same(await keysOf(page, 'seen'), ['s', 'Enter'], 'there is no page, so no Save and no Done');
  await page.keyboard.press('Control+Enter');
  await untilScanned(hands, 1);
  t.equal(await page.locator('#settings[open]').count(), 0, 'the key does not press what has the focus');
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  t.match(file.suggestedFilename(), /\.pdf$/);
  t.equal(await page.locator('#done').getAttribute('aria-keyshortcuts'), 'Control+Shift+Enter');
  await page.keyboard.press('Control+Shift+Enter');
  await untilDone(hands);
  t.same(await keysOf(page, 'seen'), []);
  t.same(await keysOf(page, 'takenKeys'), ['Enter', 's', 'Enter']);

  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('Done', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
  t.equal(await ofFocused(page, '.tagName'), 'SUMMARY', 'the focus returns');
  t.same(problems, []);
});

t.test('a page that has taken a key, and an element that is gone', async t => {
  if (!needs(t, 'chromium')) return;
  const { page } = await openPage(t, {
    html:
      headOf(fixture) +
      `<platen-scan keys="page" scanner="${fixture.name('duplex')}" ${SMALL}></platen-scan><button id="mine" onkeydown="event.preventDefault()">Mine</button>`,
  });
  await page.locator('#scan:enabled').waitFor();
  await page.locator('#mine').focus();
  await page.keyboard.press('Control+/');
  await page.evaluate(`mine.blur()`);
  t.equal(await page.locator('#key-list').count(), 0, 'the page’s own button has taken it');
  await page.keyboard.press('?');
  t.equal(await page.locator('#key-list').count(), 0, 'a key without Ctrl is the element’s only inside');
  await page.keyboard.press('Control+/');
  await page.locator('#key-list').waitFor();
  await page.keyboard.press('Escape');
  // It looks whether it was only moved.
  await page.evaluate(`${SCAN}.remove(), new Promise(resolve => setTimeout(resolve))`);
  t.notOk(
    await page.evaluate(
      `!document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', ctrlKey: true, bubbles: true, cancelable: true }))`,
    ),
    'no listener is left',
  );
});
