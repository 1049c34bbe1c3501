/** Page at /app/: a saved document stays at the service, shown as saved, and the next scan begins another one. */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { keptScans, launch, ofFocused, openApp, openTab, untilIdle, untilPages, violations } from './appPage.js';
import { chooseQuick, insert } from './appSheets.js';
import { begin, looked, order, saved, scan, thumb, thumbs } from './appStack.js';

t.test('saved, reloaded, and the next document', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await begin(t);
  const { page, problems } = await openApp(await launch(t), fixture);
  const savedAs = async (of: Page): Promise<string> => (await of.locator('#saved').textContent()) ?? '';
  const context = page.context();
  await chooseQuick(page, 'Feeder A');
  await insert(fixture, 'a', 1, 2, 3);
  await scan(page, 3);
  await thumb(page, 1).focus();
  await page.keyboard.press('Alt+End');
  t.equal(await order(page), '2 3 1');
  const name = (await saved(page)).suggestedFilename();
  await page.locator('#saved').waitFor();
  t.ok((await savedAs(page)).includes(name), 'what was saved');
  t.match(await savedAs(page), /3 pages · [\d.]+ kB/, 'and how large');
  t.same(await violations(page), []);

  let answer = (): void => undefined;
  const asked = new Promise<void>(resolve => (answer = resolve));
  const isAsking = page.waitForRequest('**/capabilities?*');
  await page.route('**/capabilities?*', async route => (await asked, route.continue()));
  await page.getByRole('radio', { name: 'Feeder C' }).check();
  await isAsking;
  t.equal(await page.locator('#save-pdf').count(), 1, 'the button stays what it is while another scanner is asked');
  t.equal(await page.locator('.saving-tools > #save-all').count(), 0);
  const isAnswered = page.waitForResponse('**/capabilities?*');
  answer();
  await isAnswered;
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('radio', { name: 'Feeder A' }).check();

  await page.reload();
  await untilPages(page, 3);
  await page.locator('#saved').waitFor();
  t.ok((await savedAs(page)).includes(name), 'a reload loses nothing, and shows it as saved');
  t.equal(await order(page), '2 3 1');
  t.equal((await keptScans(fixture)).length, 1);

  await thumb(page, 1).focus();
  await page.keyboard.press('r');
  await page.locator('#saved').waitFor({ state: 'detached' });
  await page.locator('#undo').click();
  await page.locator('#saved').waitFor();

  await insert(fixture, 'a', 4);
  await page.locator('#scan:enabled').click();
  await untilIdle(page);
  await page.locator('#saved-documents').getByText(name).waitFor();
  t.equal(await thumbs(page), 1, 'the next scan is another document');
  t.equal(await page.locator('#saved').count(), 0);
  await page.close();

  const { page: next } = await openTab(context, fixture.url);
  await looked(next);
  await next.locator('#waiting').getByText('A scan is waiting (1 page)').waitFor();
  await next.getByRole('button', { name: `Show \u2068${name}` }).click();
  await untilPages(next, 3);
  await next.locator('#saved').waitFor();
  t.equal(await order(next), '2 3 1', 'as it was saved');
  t.equal((await keptScans(fixture)).length, 2);
  await next.locator('#new-document').click();
  await next.getByRole('heading', { name: 'No pages yet' }).waitFor();
  t.equal(await ofFocused(next, '.id'), 'scan');
  await next.locator('#saved-documents').getByText(name).waitFor();
  t.same(await violations(next), []);
  t.same(problems, []);
  await context.close();
});
