/** What a person does with the pages at /app/, and what is saved of them. */
import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import type { Test } from 'tap';
import { readPdf, type DrawnPdf } from '../client/drawnPdf.js';
import { whichSide, type Ink } from '../topology/sheets.js';
import type { Fixture, FixtureOptions } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { untilIdle, untilPages } from './appPage.js';
import { configText } from './appSheets.js';
import { filesIn } from './archive.js';

/** A service that may be killed. */
export async function begin(t: Test, options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = await virtualTopology.start({ configText: await configText(), ...options });
  t.teardown(async () => {
    if (!t.passing()) t.comment(`The service's log:\n${fixture.log()}`);
    await fixture.stop();
  });
  return fixture;
}

/** The page knows which scans wait. */
export const looked = (page: Page): Promise<void> =>
  page.locator('#waiting:not([aria-busy])').waitFor({ state: 'attached' });

export const thumbs = (page: Page): Promise<number> => page.locator('.thumb').count();

/** Scans until it ends. @param pages in the list then */
export async function scan(page: Page, pages: number): Promise<void> {
  await page.locator('#scan:enabled').click();
  await untilPages(page, pages);
  await untilIdle(page);
}

/** @param button that saves */
export async function saved(page: Page, button = 'Save as PDF'): Promise<Download> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return download;
}

/** Of the menu beside “Save as PDF”. */
export async function savedByMenu(page: Page, button = 'Save all images'): Promise<Download> {
  await page.locator('#save-menu-summary').click();
  return saved(page, button);
}

export const pdfIn = async (download: Download): Promise<DrawnPdf> => readPdf(await readFile(await download.path()));

/** The inks of all pages in the list, as “Save all images” writes them. */
export async function savedInks(page: Page): Promise<Ink[]> {
  const files = filesIn(await readFile(await (await savedByMenu(page)).path()));
  return Promise.all(files.map(async ({ bytes }) => (await whichSide(bytes)).ink));
}

/** The numbers within their scans of all pages in the list. */
export const order = (page: Page): Promise<string> =>
  page.locator('.thumb').evaluateAll(all => all.map(({ id }) => id.slice(id.lastIndexOf('/') + 1)).join(' '));

/** In degrees, of all pages in the list. */
export const turns = (page: Page): Promise<readonly number[]> =>
  page.locator('platen-scan').evaluate(element => (element as unknown as Shown).pages.map(({ rotate }) => rotate));

interface Shown {
  readonly pages: readonly { readonly rotate: number }[];
}

/** The thumbnail of a page by its place, from 1. */
export const thumb = (page: Page, place: number) => page.locator('.thumb').nth(place - 1);

/** Pixels of the pictures of all thumbnails, once they are loaded. */
export async function thumbSizes(page: Page): Promise<readonly (readonly [number, number])[]> {
  const images = page.locator('.thumb img');
  return images.evaluateAll(async all => {
    const shown = all as unknown as readonly { naturalWidth: number; naturalHeight: number; decode(): Promise<void> }[];
    await Promise.all(shown.map(image => image.decode()));
    return shown.map(image => [image.naturalWidth, image.naturalHeight] as const);
  });
}
