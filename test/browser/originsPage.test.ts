/** Page at /origins/: a foreign page asks, the person answers, and takes it back. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { until } from '../spec/calls.js';
import { PATIENCE_MS } from './chromium.js';
import { openPage } from './foreignPage.js';
import { callFrom, cardOf, foreignHtml, grantOf, openOrigins, startAsking, stateOf, untilState } from './originsKit.js';

const DAY_MS = 24 * 60 * 60 * 1000;

void t.test('page at /origins/: a page asks and scans after a yes, in Chromium', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startAsking(t);
  await fixture.load('duplex', [{ front: 1 }]);
  const { page, web } = await openPage(t, { html: foreignHtml(fixture) });
  const scan = { scannerName: fixture.name('duplex'), parameters: { resolution: 75 } };
  const refused = await callFrom(page, '/api/twain/scan', scan);
  t.match(refused, { http: 403, failure: { code: 'consent-required', link: `${fixture.url}/origins/#` } });

  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(`void open(${JSON.stringify(refused.failure.link)})`),
  ]);
  popup.setDefaultTimeout(PATIENCE_MS);
  const card = cardOf(popup, web);
  await card.waitFor();
  await card.locator('h3:focus').waitFor();
  t.equal(await fixture.waiting('duplex'), 1, 'no paper moved');
  await card.getByRole('radio', { name: 'Only these' }).check();
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  await card.getByText('Choose at least one scanner.').waitFor();
  await card.getByRole('checkbox', { name: fixture.name('duplex'), exact: true }).check();
  const closed = popup.waitForEvent('close');
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  await closed;
  await untilState(page, 'granted');
  t.match(await callFrom(page, '/api/twain/scan', scan), { http: 200, imageCount: 1 });
  const flatbed = { ...scan, scannerName: fixture.name('flatbed') };
  t.match(await callFrom(page, '/api/twain/scan', flatbed), { http: 403 }, 'another scanner is not allowed');
  const [grant] = (await stateOf(fixture)).grants;
  t.match(grant, { origin: web, may: ['scan'], scanners: [fixture.name('duplex')] });
  const days = (Date.parse(grant?.until ?? '') - Date.now()) / DAY_MS;
  t.ok(days > 29 && days <= 30, `for 30 days: ${days}`);
});

void t.test('page at /origins/: a no, and what can be done about it', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startAsking(t);
  const { page, web } = await openPage(t, { html: foreignHtml(fixture) });
  const { link = '' } = await callFrom(page, '/api/consent', {});
  const { page: own, problems } = await openOrigins(page.context(), link);
  await cardOf(own, web).getByRole('button', { name: 'Don’t allow' }).click();
  await own.locator('article[data-state="refused"]').waitFor();
  await untilState(page, 'refused');
  t.match(await callFrom(page, '/api/twain/scanners'), { http: 403, failure: { code: 'consent-refused' } });
  t.match(await callFrom(page, '/api/consent', {}), { state: 'refused' }, 'it does not ask again');
  const grant = grantOf(own, web);
  await grant.getByText('Not allowed').waitFor();
  await grant.getByRole('button', { name: 'Forget this answer' }).click();
  await grant.waitFor({ state: 'detached' });
  await untilState(page, 'none');
  t.match(await callFrom(page, '/api/consent', {}), { state: 'asked' });
  await own.locator('article[data-state="open"]').waitFor();
  t.same(problems, []);
});

void t.test('page at /origins/: a grant, changed and taken back', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startAsking(t);
  const { page, web } = await openPage(t, { html: foreignHtml(fixture) });
  const { link = '' } = await callFrom(page, '/api/consent', {});
  const { page: own, problems } = await openOrigins(page.context(), link);
  await cardOf(own, web).getByRole('radio', { name: 'Until I take it back' }).check();
  await cardOf(own, web).getByRole('button', { name: 'Allow', exact: true }).click();
  await untilState(page, 'granted');
  const grant = grantOf(own, web);
  await grant.getByText('Until you take it back').waitFor();

  await grant.getByRole('button', { name: `Change ${web}` }).click();
  await grant.getByRole('checkbox', { name: 'Scan by itself' }).check();
  await grant.getByRole('radio', { name: '1 hour' }).check();
  await grant.getByRole('button', { name: 'Save' }).click();
  // The form hides the text, so its absence does not say that the answer is stored.
  await until(async () => (await stateOf(fixture)).grants[0]?.until !== undefined);
  t.match((await stateOf(fixture)).grants, [{ may: ['scan', 'auto-scan'], until: String }]);

  await grant.getByRole('button', { name: `Change ${web}` }).click();
  await grant.getByRole('checkbox', { name: 'Scan by itself' }).uncheck();
  await grant.getByRole('button', { name: 'Cancel' }).click();
  t.equal(await grant.locator('button:focus').textContent(), 'Change', 'the focus is where it was');
  t.match((await stateOf(fixture)).grants, [{ may: ['scan', 'auto-scan'] }], 'nothing changed');

  await grant.getByRole('button', { name: `Take back: ${web}` }).click();
  await grant.waitFor({ state: 'detached' });
  await own.locator('#said').getByText('may no longer scan').waitFor();
  t.match(await callFrom(page, '/api/twain/scanners'), { http: 403, failure: { code: 'consent-required' } });
  t.same(problems, []);
});
