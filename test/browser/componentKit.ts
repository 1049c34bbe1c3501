/** What tests of `<platen-scan>` share: pages with it, and a person's hands in Chromium and Firefox. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page as ChromiumPage } from 'playwright-core';
import type { Page as FirefoxPage } from 'puppeteer-core';
import type { Test } from 'tap';
import { checkedPages, inksOf, turnsOf } from '../scan/pdfFiles.js';
import { pause } from '../spec/calls.js';
import type { Ink } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { PATIENCE_MS } from './chromium.js';

/** Small pages, quickly. */
export const SMALL = `parameters='{"resolution":75}'`;

/** A page's head: no request for an icon, and the component from the service. */
export const headOf = ({ url }: Pick<Fixture, 'url'>): string =>
  `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${url}/component.js"></script>`;

export const formOf = (element: string): string =>
  `<form action="/posted" method="post" enctype="multipart/form-data">${element}<button id="send">Send</button></form>`;

/** Finds by CSS, also in shadow roots. */
export interface Hands {
  click(css: string): Promise<void>;
  /** @param script an expression that becomes true in the page */
  until(script: string): Promise<unknown>;
}

export const handsIn = (page: ChromiumPage): Hands => ({
  click: css => page.locator(css).first().click(),
  // `waitForFunction` would need 'unsafe-eval' in a strict policy.
  async until(script) {
    const end = Date.now() + PATIENCE_MS;
    while ((await page.evaluate(script)) !== true) {
      if (Date.now() > end) throw new Error(`Never true: ${script}`);
      await pause(50);
    }
  },
});

export const handsInFirefox = (page: FirefoxPage): Hands => ({
  async click(css) {
    const found = page.locator(`>>> ${css}`);
    // Puppeteer clicks where an element is, also if the bar with Scan, which sticks to the window, covers it.
    await found.map(element => element.scrollIntoView({ block: 'center' })).wait();
    await found.click();
  },
  until: script => page.waitForFunction(script),
});

/** The first element's own. */
export const SCAN = `document.querySelector('platen-scan')`;

/** Resolves when this many pages are there and no scan runs. */
export const untilScanned = (hands: Hands, count: number, element = SCAN): Promise<unknown> =>
  hands.until(`${element}.pages?.length === ${count} && ${element}.activity === undefined`);

export const untilDone = (hands: Hands, element = SCAN): Promise<unknown> => hands.until(`${element}.files.length > 0`);

export interface SeenPdf {
  readonly pages: number;
  readonly inks: readonly Ink[];
  /** Degrees clockwise. */
  readonly turns: readonly number[];
}

/** By qpdf and poppler. */
export async function seenIn(t: Test, pdf: Uint8Array): Promise<SeenPdf> {
  const file = join(t.testdir({}), 'posted.pdf');
  await writeFile(file, pdf);
  return { pages: await checkedPages(file), inks: await inksOf(file), turns: await turnsOf(file) };
}
