/** Page at /origins/ in Firefox: a foreign page asks, and the person answers. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { PATIENCE_MS } from './chromium.js';
import { FIREFOX, openInFirefox } from './firefox.js';
import { callFrom, foreignHtml, startAsking, stateOf, untilState } from './originsKit.js';

void t.test('page at /origins/: a page asks and scans after a yes, in Firefox', async t => {
  if (!needs(t, FIREFOX)) return;
  const fixture = await startAsking(t);
  await fixture.load('duplex', [{ front: 1 }]);
  const { page, web, problems } = await openInFirefox(t, { html: foreignHtml(fixture) });
  const { link = '' } = await callFrom(page, '/api/consent', { may: ['auto-scan'] });
  const own = await page.browser().newPage();
  own.setDefaultTimeout(PATIENCE_MS);
  own.on('pageerror', error => void problems.push(String(error)));
  await own.goto(link);
  await own.bringToFront();
  t.equal(
    await own
      .locator('article bdi.origin')
      .map(each => each.textContent)
      .wait(),
    web,
  );
  await own.locator('.buttons .primary[aria-disabled="false"]').click();
  await own.locator('article[data-state="allowed"]').wait();
  await page.bringToFront();
  await untilState(page, 'granted');
  const scan = { scannerName: fixture.name('duplex'), parameters: { resolution: 75 } };
  t.match(await callFrom(page, '/api/twain/scan', scan), { http: 200, imageCount: 1 });
  t.match((await stateOf(fixture)).grants, [{ may: ['scan', 'auto-scan'], scanners: '*' }]);
  t.same(problems, []);
});
