/** Page at /origins/: what a hostile web page tries with it. */
import { needs } from '@platen/conformance';
import type { BrowserContext, Page } from 'playwright-core';
import t from 'tap';
import { until } from '../spec/calls.js';
import { launch } from './appPage.js';
import { openPage } from './foreignPage.js';
import { answerAs, askAs, callFrom, cardOf, foreignHtml, openOrigins, startAsking, stateOf } from './originsKit.js';

const app = 'https://app.example';
/** `SETTLE_MS` of server/web/origins/guard.ts, and that of a timer. */
const SETTLED_MS = 701;

void t.test('page at /origins/: presses count only after the person could see the question', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startAsking(t);
  const link = await askAs(fixture, app);
  const browser = await launch(t);
  /** Its answers do not arrive; they are counted. */
  const contextOf = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    await context.route('**/origins/answers', route => route.abort());
    await context.addInitScript(`{
      globalThis.posted = 0;
      const { fetch: plain } = globalThis;
      globalThis.fetch = (path, options) => {
        if (options?.method === 'POST') posted++;
        return plain(path, options);
      };
    }`);
    return context;
  };
  const context = await contextOf();

  /** With its own time, which stands still. */
  const open = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(link);
    await cardOf(page, app).waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.evaluate(`dispatchEvent(new Event('resize'))`);
    return page;
  };
  const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true });
  const isOff = async (page: Page): Promise<boolean> => (await allow(page).getAttribute('aria-disabled')) === 'true';
  /** Whether this press is an answer. */
  const answers = async (page: Page, press: () => Promise<void>): Promise<boolean> => {
    const before = await page.evaluate('posted');
    await press();
    return (await page.evaluate('posted')) !== before;
  };
  const click = (page: Page) => () => allow(page).click({ force: true });

  await t.test('a click at once, and again and again: no answer', async t => {
    const page = await open();
    t.ok(await isOff(page));
    t.notOk(await answers(page, click(page)));
    for (let n = 0; n < 4; n++) {
      await page.clock.runFor(500);
      t.notOk(await answers(page, click(page)), `${n}`);
    }
    await page.clock.runFor(SETTLED_MS);
    t.notOk(await isOff(page));
    t.ok(await answers(page, click(page)), 'after a pause: an answer');
    await page.close();
  });

  await t.test('a button of the mouse that goes down before, and up after: no answer', async t => {
    const page = await open();
    const box = await allow(page).boundingBox();
    await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await page.mouse.down();
    await page.clock.runFor(SETTLED_MS);
    t.notOk(await answers(page, () => page.mouse.up()));
    await page.close();
  });

  await t.test('Enter that is held from before: no answer; a new Enter: an answer', async t => {
    const page = await open();
    const session = await context.newCDPSession(page);
    const enter =
      (type: 'keyDown' | 'keyUp', autoRepeat = false) =>
      async (): Promise<void> => {
        const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: type === 'keyDown' ? '\r' : '' };
        await session.send('Input.dispatchKeyEvent', { type, autoRepeat, ...key });
      };
    await page.clock.runFor(SETTLED_MS);
    await allow(page).focus();
    t.notOk(await isOff(page));
    for (let n = 0; n < 3; n++) t.notOk(await answers(page, enter('keyDown', true)));
    await enter('keyUp')();
    await page.clock.runFor(SETTLED_MS);
    t.ok(await answers(page, enter('keyDown')));
    await enter('keyUp')();
    await page.close();
  });

  await t.test('the page loses the focus: no answer until it was back for some time', async t => {
    const page = await open();
    await page.clock.runFor(SETTLED_MS);
    await page.evaluate(`dispatchEvent(new Event('blur'))`);
    t.ok(await isOff(page));
    t.notOk(await answers(page, click(page)));
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    t.notOk(await answers(page, click(page)));
    await page.clock.runFor(SETTLED_MS);
    t.ok(await answers(page, click(page)));
    await page.close();
  });

  await t.test('Enter answers nothing but on a button: the heading has the focus, and no control submits', async t => {
    // The first one's time stands still.
    const { page, problems } = await openOrigins(await contextOf(), link);
    await page.locator('h3:focus').waitFor();
    await page.locator('.primary[aria-disabled="false"]').waitFor();
    t.notOk(await answers(page, () => page.keyboard.press('Enter')));
    for (const control of await page.locator('article input:enabled').all()) {
      await control.focus();
      t.notOk(await answers(page, () => page.keyboard.press('Enter')));
    }
    t.same(problems, []);
    await page.close();
  });
});

void t.test(
  'page at /origins/: scanners that are not there stand apart, and what a page calls them is cut',
  async t => {
    if (!needs(t, 'chromium')) return;
    const fixture = await startAsking(t);
    const text = `All scanners. Verified by the administrator of this computer: press Allow. ${'x'.repeat(200)}`;
    const link = await askAs(fixture, app, { scanners: [fixture.name('duplex'), text] });
    const browser = await launch(t);
    const { page, problems } = await openOrigins(await browser.newContext({ ignoreHTTPSErrors: true }), link);
    const card = cardOf(page, app);
    const absent = card.getByRole('group', { name: 'Asked for, not connected' });
    const boxes = await absent.getByRole('checkbox').all();
    t.equal(boxes.length, 1);
    const shown = await absent.locator('label').innerText();
    t.equal([...shown].length, 60);
    t.ok(text.startsWith(shown.slice(0, -1)));
    t.notOk((await card.innerText()).includes('press Allow'));
    t.ok(await card.getByRole('checkbox', { name: fixture.name('duplex'), exact: true }).isChecked());
    t.same(problems, []);
  },
);

void t.test('page at /origins/: a web page cannot frame it, nor make its calls', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startAsking(t);
  const { page, web } = await openPage(t, { html: foreignHtml(fixture) });
  await answerAs(fixture, { origin: web, may: ['scan'], scanners: [fixture.name('duplex')] });
  t.match(await callFrom(page, '/api/consent'), { state: 'granted' }, 'also one that may scan');

  const header = { 'x-platen-page': '1' };
  const more = { origin: web, may: ['scan', 'auto-scan', 'settings'], scanners: '*' };
  for (const [path, body] of [
    ['/origins/state', undefined],
    ['/origins/answers', more],
    ['/origins/revocations', { origin: web }],
  ] as const) {
    t.match(await callFrom(page, path, body), { http: 403 }, path);
    // The preflight does not allow the header.
    const answer = callFrom(page, path, body, header).then(
      ({ http }) => http,
      () => 'blocked',
    );
    t.ok([403, 'blocked'].includes(await answer), `${path} with the header of the page`);
  }
  await page.evaluate(`fetch('${fixture.url}/origins/answers',
    { method: 'POST', mode: 'no-cors', credentials: 'include', body: '${JSON.stringify(more)}' }).catch(() => 0)`);

  await page.evaluate(`new Promise(resolve => {
    const frame = document.createElement('iframe');
    frame.onload = resolve;
    frame.src = '${fixture.url}/origins/';
    document.body.append(frame);
  })`);
  const [frame] = page.frames().filter(each => each !== page.mainFrame());
  // Its address follows a moment after its load.
  await until(async () => frame?.url() !== '');
  t.match(frame?.url(), /^chrome-error:/);
  t.notOk(frame?.url().startsWith(fixture.url));

  const { grants } = await stateOf(fixture);
  t.match(grants, [{ origin: web, may: ['scan'], scanners: [fixture.name('duplex')] }]);
  t.equal(grants.length, 1);
});
