/** Chromium for tests of pages, and the problems of a page in it. */
import { chromium, type Browser, type Page } from 'playwright-core';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A busy computer takes longer than Playwright's own limit to load a page, or to read its text. */
export const PATIENCE_MS = 120_000;

export const CHROMIUM = '/usr/bin/chromium';

export const launchChromium = (...more: readonly string[]): Promise<Browser> => launchChromiumAt(CHROMIUM, ...more);

/** @param executablePath a program that starts Chromium */
export const launchChromiumAt = (executablePath: string, ...more: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...args, ...more] });

/** Collects errors of the console, the page and the network from now on. */
export function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', message => void (['error', 'warning'].includes(message.type()) && problems.push(message.text())));
  page.on('pageerror', error => void problems.push(String(error)));
  page.on('requestfailed', request => {
    const why = request.failure()?.errorText;
    // Chromium sometimes reports a stream that the page read to its end, or closed, as aborted.
    if (why !== 'net::ERR_ABORTED') problems.push(`${request.method()} ${request.url()}: ${why}`);
  });
  return problems;
}
