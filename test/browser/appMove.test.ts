/** Page at /app/: pages are moved without dragging and without a keyboard. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { launch, ofFocused, openApp, violations } from './appPage.js';
import { chooseQuick, insert } from './appSheets.js';
import { begin, order, scan, thumb } from './appStack.js';

t.test('by touch at 400 px: one page, then the marked ones, up to the ends', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await begin(t);
  const phone = { viewport: { width: 400, height: 800 }, hasTouch: true };
  const { page, problems } = await openApp(await launch(t), fixture, phone);
  const [earlier, later] = [page.locator('#move-earlier'), page.locator('#move-later')];
  await page.locator('#settings > summary').tap();
  await chooseQuick(page, 'Feeder A');
  await insert(fixture, 'a', 1, 2, 3, 4);
  await scan(page, 4);
  await thumb(page, 1).tap();
  t.equal(await earlier.getAttribute('aria-disabled'), 'true');
  await later.tap();
  await later.tap();
  t.equal(await order(page), '2 3 1 4');
  t.equal(await ofFocused(page, '.id'), 'move-later', 'the focus stays, for one press more');
  await page.getByRole('checkbox', { name: 'Mark page 3' }).tap();
  await page.getByRole('checkbox', { name: 'Mark page 4' }).tap();
  t.equal(await later.getAttribute('aria-disabled'), 'true');
  await earlier.tap();
  t.equal(await order(page), '2 1 4 3');
  await thumb(page, 1).tap();
  await later.tap();
  t.equal(await order(page), '1 2 4 3', 'a page that is not marked moves alone');
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= 400'), true);
  t.same(await violations(page), []);
  t.same(problems, []);
});
