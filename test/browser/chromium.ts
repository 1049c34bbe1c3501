/** Chromium for tests of pages, and the problems of a page in it. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Test } from 'tap';
import { atProcessEnd } from '../topology/processEnd.js';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Playwright's own limits are for a computer that is not busy. With this one it says for what it waited just before the
 * runner ends a process that is silent.
 */
export const PATIENCE_MS = 540_000;

export const CHROMIUM = '/usr/bin/chromium';

/** The same without a window of its own, which is a quarter of the processor time of the tests. */
const SHELL = '/usr/bin/chromium-headless-shell';

/** Long tests use the browser that people have. */
const usual = existsSync(SHELL) && !process.argv[1]?.includes('.long.test.') ? SHELL : CHROMIUM;

/** @param servers `IP:port` of those that Chromium is to treat as servers of the public network */
export const asPublic = (...servers: readonly string[]): string =>
  '--ip-address-space-overrides=' + servers.map(server => `${server}=public`).join(',');

export const launchChromium = (...more: readonly string[]): Promise<Browser> => launchChromiumAt(usual, ...more);

/** @param executablePath a program that starts Chromium */
export const launchChromiumAt = (executablePath: string, ...more: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...args, ...more], timeout: PATIENCE_MS });

const shared = new Map<string, Promise<Browser>>();

/** One browser for all tests of the process that want these flags. The contexts that a test opens are closed at its end. */
export async function shareChromium(t: Test, ...more: readonly string[]): Promise<Browser> {
  const key = more.join(' ');
  if (!shared.has(key)) {
    const launched = launchChromium(...more);
    shared.set(key, launched);
    atProcessEnd(async () => (await launched).close());
  }
  const browser = await shared.get(key)!;
  const before = new Set(browser.contexts());
  t.teardown(async () => {
    for (const context of browser.contexts()) if (!before.has(context)) await context.close();
  });
  return browser;
}

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
