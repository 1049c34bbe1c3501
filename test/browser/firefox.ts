/** A page from another origin in Firefox, driven over WebDriver BiDi. */
import { launch, type Page } from 'puppeteer-core';
import type { Test } from 'tap';
import { PATIENCE_MS } from './chromium.js';
import { openForeignSite, type ForeignSite, type SitePage } from './foreignSite.js';

export const FIREFOX = 'firefox-esr';

export interface InFirefox {
  readonly page: Page;
  /** The page's own origin. */
  readonly web: string;
  /** Errors of the page and its console. */
  readonly problems: string[];
  readonly site: ForeignSite;
}

/** It trusts any certificate. */
export async function openInFirefox(t: Test, foreign: SitePage): Promise<InFirefox> {
  const site = await openForeignSite();
  t.teardown(() => site.close());
  const browser = await launch({
    browser: 'firefox',
    executablePath: `/usr/bin/${FIREFOX}`,
    headless: true,
    acceptInsecureCerts: true,
  });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  page.on('console', message => void (['error', 'warn'].includes(message.type()) && problems.push(message.text())));
  page.on('pageerror', error => void problems.push(String(error)));
  const web = `http://127.0.0.1:${site.ports[0]}`;
  await page.goto(`${web}${site.add(foreign)}`);
  return { page, web, problems, site };
}
