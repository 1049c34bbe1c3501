/** What tests of `<platen-scan>` share: pages with it, and a person's hands in Chromium and Firefox. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page as ChromiumPage } from 'playwright-core';
import type { Page as FirefoxPage } from 'puppeteer-core';
import type { Test } from 'tap';
import { checkedPages, inksOf, turnsOf } from '../scan/pdfFiles.js';
import { pause } from '../spec/calls.js';
import { sheets, type Ink } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';

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
    while ((await page.evaluate(script)) !== true) await pause(50);
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

interface Drawing {
  drawImage(image: unknown, left: number, top: number): void;
  getImageData(left: number, top: number, width: number, height: number): { readonly data: Uint8ClampedArray };
}
type Offscreen = new (width: number, height: number) => { getContext(type: '2d'): Drawing };

/** In the browser: the picture of a page is drawn in the `<canvas>`, all of it, with more than one color. */
export function isDrawn(canvas: unknown): boolean {
  const { width = 0, height = 0 } = (canvas ?? {}) as { width?: number; height?: number };
  if (width === 0 || height === 0) return false;
  const { OffscreenCanvas } = globalThis as unknown as { OffscreenCanvas: Offscreen };
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(canvas, 0, 0);
  const colors = new Set(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer));
  return colors.size > 1 && !colors.has(0);
}

export const untilDone = (hands: Hands, element = SCAN): Promise<unknown> => hands.until(`${element}.files.length > 0`);

export interface SeenPdf {
  readonly pages: number;
  readonly inks: readonly Ink[];
  /** Degrees clockwise. */
  readonly turns: readonly number[];
}

/** A document of two sheets with a jam between them, its second page turned, sent with its form as one PDF. */
export async function scanAndSend(
  t: Test,
  fixture: Fixture,
  hands: Hands,
  posted: () => Promise<FormData>,
): Promise<void> {
  const jamming = fixture.name('jamming');
  await fixture.load('jamming', sheets(1, 2));
  await hands.click(`input[aria-label="${jamming}"]`);
  await hands.until(`${SCAN}.chosenScanner?.name === '${jamming}'`);
  await hands.click('#scan:enabled');
  await untilScanned(hands, 1);
  // Sheet 2 of every scan jams.
  await fixture.load('jamming', sheets(2));
  await hands.click('#alerts .notice > button:not(.ghost)');
  await untilScanned(hands, 2);
  await hands.click('#strip li:nth-child(2) .thumb');
  await hands.click('[aria-label="Turn page 2 right"]');
  await hands.click('#done');
  await untilDone(hands);
  await hands.click('#send');

  const form = await posted();
  t.same([...form.keys()], ['document']);
  const file = form.get('document');
  if (!(file instanceof File)) return void t.fail('no file');
  t.match(file.name, /^scan-\d{8}-\d{4}\.pdf$/);
  t.equal(file.type, 'application/pdf');
  t.same(await seenIn(t, await file.bytes()), { pages: 2, inks: [1, 2], turns: [0, 90] });
}

/** What `seenIn` needs. */
export const PDF_PROGRAMS = ['qpdf', 'pdfinfo', 'pdfimages'] as const;

/** By qpdf and poppler. */
export async function seenIn(t: Test, pdf: Uint8Array): Promise<SeenPdf> {
  const file = join(t.testdir({}), 'posted.pdf');
  await writeFile(file, pdf);
  return { pages: await checkedPages(file), inks: await inksOf(file), turns: await turnsOf(file) };
}
