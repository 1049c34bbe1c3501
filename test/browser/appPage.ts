/** The page at /app/ of a service configured as by `npm start`, opened in Chromium, and its problems. */
import { readFile } from 'node:fs/promises';
import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { PATIENCE_MS, problemsOf, shareChromium } from './chromium.js';
import { isDrawn } from './componentKit.js';

const server = new URL('.', import.meta.resolve('@platen/server/package.json'));
/** A document built into the virtual scanner. */
export const sample = (name: string): URL =>
  new URL(`samples/${name}`, import.meta.resolve('@platen/driver-virtual/package.json'));

/** The configuration of `npm start`: its scanners, trays and plugins. */
export const toTry = (): Promise<string> => readFile(new URL('config/try.json', server), 'utf8');

export async function startToTry(t: Test): Promise<Fixture> {
  return start(t, virtualTopology, { configText: await toTry() });
}

/** @see shareChromium */
export const launch = (t: Test): Promise<Browser> => shareChromium(t);

export interface Opened {
  readonly page: Page;
  /** Errors of the console, the page and the network, and requests to other servers. */
  readonly problems: string[];
}

/** Opened in its own browser context, with scanners and settings loaded. */
export async function openApp(
  browser: Browser,
  { url }: Pick<Fixture, 'url'>,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    acceptDownloads: true,
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return openTab(context, url);
}

/** Another tab of the same browser. */
export async function openTab(context: BrowserContext, url: string): Promise<Opened> {
  const page = await context.newPage();
  const problems = problemsOf(page);
  page.on(
    'request',
    request =>
      void (
        request.url().startsWith(`${url}/`) ||
        request.url().startsWith(`blob:${url}/`) ||
        problems.push(`asks ${request.url()}`)
      ),
  );
  await page.goto(`${url}/app/`);
  await page.locator('#scan:enabled').waitFor();
  return { page, problems };
}

export async function choose(page: Page, scanner: string): Promise<void> {
  await page.getByRole('radio', { name: scanner }).check();
  await page.locator('#scan:enabled').waitFor();
}

/** Drops one of the sample documents anywhere on the page. */
export async function drop(page: Page, name: string): Promise<void> {
  const base64 = (await readFile(sample(name))).toString('base64');
  await page.evaluate(`{
    const bytes = Uint8Array.from(atob('${base64}'), character => character.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], '${name}', { type: 'image/png' }));
    for (const kind of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
  }`);
}

/** Resolves when this many thumbnails exist. */
export async function untilPages(page: Page, count: number): Promise<void> {
  await page
    .locator('.thumb')
    .nth(count - 1)
    .waitFor();
}

/** Resolves when no scan runs. */
export const untilIdle = (page: Page): Promise<void> => page.locator('body[data-under="nothing"]').waitFor();

/** The rules that depend on colors. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/** Rules of axe-core; all when absent. */
export interface Rules {
  readonly only?: readonly string[];
  readonly without?: readonly string[];
}

/** The violations that axe-core finds, one line per element. */
export async function violations(page: Page, rules: Rules = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(
    async ({ only, without = [] }) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
        ...(only && { runOnly: [...only] }),
        rules: Object.fromEntries(without.map(rule => [rule, { enabled: false }])),
      }),
    rules,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)}: ${failureSummary}`),
  );
}

/** Whether the browser asks before the page is closed. */
export const warns = (page: Page): Promise<boolean> =>
  page.evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`);

export interface KeptScanJson {
  readonly id: string;
  readonly kind: 'scan' | 'autoscan';
  readonly state: string;
  readonly pageCount: number;
}

/** The scans that the service keeps for its own page. */
export async function keptScans({ url, request }: Fixture): Promise<readonly KeptScanJson[]> {
  const { json } = await request('GET', '/api/scans', { headers: { origin: url } });
  return (json as { scans: KeptScanJson[] }).scans;
}

/** The text of the first match, each white space one blank. */
export const textIn = async (locator: Locator): Promise<string> =>
  ((await locator.first().textContent()) ?? '').replaceAll(/\s+/g, ' ').trim();

/** Resolves when the browser has decoded the picture; rejects if it cannot. */
export const decoded = (image: Locator): Promise<void> =>
  image.first().evaluate(element => (element as unknown as { decode(): Promise<void> }).decode());

/** Resolves when the page's picture is drawn. */
export const drawn = (canvas: Locator): Promise<void> => until(() => canvas.first().evaluate(isDrawn));

const FOCUSED = `(() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
})()`;

/** Of the element with the focus, also inside the component. @param what such as `.id` */
export const ofFocused = (page: Page, what: string): Promise<string> => page.evaluate(FOCUSED + what);

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluateAll(found =>
    found.some(each => (each as unknown as { matches(selector: string): boolean }).matches(':focus')),
  );

/** Presses Tab until the element with the focus is this one; false if it is not among the next stops. */
export async function tabTo(page: Page, target: Locator, most = 60): Promise<boolean> {
  for (let n = 0; n < most; n++) {
    if (await hasFocus(target)) return true;
    await page.keyboard.press('Tab');
  }
  return false;
}

/** From the menu of saving. */
export async function fromSaveMenu(page: Page, name: string): Promise<void> {
  await page.locator('#save-menu-summary').click();
  await page.locator('#save-menu').getByRole('button', { name }).click();
}
