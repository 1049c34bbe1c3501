/** The memory of a tab with the service's own page, while sixty pages arrive and are looked at. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, launchChromiumAt, PATIENCE_MS } from '../browser/chromium.js';
import { table, verdict } from './numbers.js';
import { startServiceWith } from './service.js';

const PAGES = 60;
const DPI = 300;
const WANTED_MB = 200;
const SAMPLE_MS = 200;
const REST_MS = 10_000;

type Say = (line: string) => void;

export async function tabRows(folder: string, _files: readonly string[], say: Say): Promise<string> {
  if (!existsSync(CHROMIUM)) return 'The row of the tab needs chromium.';
  const scanner = { name: 'Feeder L', feeder: true, samples: PAGES, msPerPage: 0 };
  const service = await startServiceWith(folder, { use: '@platen/driver-virtual', options: { scanners: [scanner] } });
  const browser = await launchChromiumAt(CHROMIUM);
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`https://localhost:${service.port}/app/`);
    await page.locator('#scan:enabled').waitFor();
    const empty = await tabBytes(browser);
    say(`tab: ${megabytes(empty)} MB without pages`);
    const scanned = await mostWhile(browser, () => scan(page));
    const looked = await mostWhile(browser, () => look(page));
    await pause(REST_MS);
    const rested = await tabBytes(browser);
    const sizes = [empty, scanned, looked, rested];
    return table(
      [
        'the tab of `/app/`, MB',
        'without pages',
        'most while they are scanned',
        'most while each is looked at, 10 in a second',
        `${REST_MS / 1000} s later`,
        'wanted',
      ],
      [
        [
          `${PAGES} pages at ${DPI} dpi, colour, JPEG`,
          ...sizes.map(megabytes),
          verdict('≤', Math.max(...sizes) / 1e6, WANTED_MB, 0),
        ],
      ],
    );
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function scan(page: Page): Promise<void> {
  await page.getByLabel('Resolution').selectOption({ label: `${DPI} dpi` });
  await page.getByLabel('File format').selectOption({ label: 'JPEG' });
  await page.locator('#scan').click();
  await page
    .locator('.thumb')
    .nth(PAGES - 1)
    .waitFor();
  await page.locator('body[data-under="nothing"]').waitFor();
}

/** Goes through the whole strip, and opens the viewer. */
async function look(page: Page): Promise<void> {
  await page.locator('.thumb').first().focus();
  for (let at = 1; at < PAGES; at++) {
    await page.keyboard.press('ArrowRight');
    await pause(SAMPLE_MS / 2);
  }
  await page.getByRole('button', { name: `Full size of page ${PAGES}` }).click();
  await page.getByRole('dialog').getByText(`Page ${PAGES} of ${PAGES}`).waitFor();
  await pause(SAMPLE_MS * 5);
}

async function mostWhile(browser: Browser, work: () => Promise<void>): Promise<number> {
  let most = 0;
  let isOver = false;
  const over = work().finally(() => (isOver = true));
  while (!isOver) {
    most = Math.max(most, await tabBytes(browser));
    await pause(SAMPLE_MS);
  }
  await over;
  return most;
}

/** The proportional memory (proc(5), smaps_rollup) of the largest renderer: what it shares counts for each its part. */
async function tabBytes(browser: Browser): Promise<number> {
  const tools = await browser.newBrowserCDPSession();
  const { processInfo } = await tools.send('SystemInfo.getProcessInfo');
  await tools.detach();
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => pssOf(id));
  return Math.max(0, ...(await Promise.all(sizes)));
}

async function pssOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s*(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
