/**
 * A page from another origin in Chromium, and its problems.
 *
 * The page comes from a server on 127.0.0.1. Chromium's Local Network Access asks the user whether a page of the public
 * network may reach this computer; for a page of this computer it does not ask. To have the same conditions as
 * real pages, the tests tell Chromium that the page's server is public, and grant the permission; without it,
 * the request never leaves the browser.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';
import { atProcessEnd } from '../topology/processEnd.js';
import { asPublic, PATIENCE_MS, problemsOf, shareChromium } from './chromium.js';
import { openForeignSite, type ForeignSite, type SitePage } from './foreignSite.js';

/** Its pages are not secure contexts; those of 127.0.0.1 are. */
const insecureHost = 'page.example';

/** The pages are beside the source, not beside the compiled files. */
export const pageFile = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../browser/${name}`, import.meta.url)), 'utf8');

export interface Foreign extends SitePage {
  /** Appended to the page's address. */
  query?(web: string): string;
  /** Whether the browser lets it reach this computer; default true. */
  readonly granted?: boolean;
  /** Whether the browser accepts any certificate; default true. */
  readonly trusting?: boolean;
  /** Whether it is served over HTTP by a host that browsers do not consider local. */
  readonly insecure?: boolean;
  /** Whether Chromium treats it as a page of this computer and does not ask for permission. */
  readonly local?: boolean;
  /** Of the browser. */
  readonly options?: BrowserContextOptions;
}

export interface Opened {
  readonly page: Page;
  /** The page's own origin. */
  readonly web: string;
  /** Errors of the console, the page and the network. */
  readonly problems: string[];
  /** Loads the page again. */
  reload(): Promise<void>;
  /** The form that is posted to this path of the page's origin next. */
  posted(path: string): Promise<FormData>;
}

/** One web server for all tests of the process. */
let opened: Promise<ForeignSite> | undefined;

async function theSite(): Promise<ForeignSite> {
  if (opened) return opened;
  opened = openForeignSite();
  const site = await opened;
  atProcessEnd(async () => site.close());
  return site;
}

export async function openPage(t: Test, foreign: Foreign): Promise<Opened> {
  const { granted = true, trusting = true, insecure = false, local = false, options = {} } = foreign;
  const site = await theSite();
  const browser = await shareChromium(
    t,
    asPublic(`127.0.0.1:${site.ports[0]}`),
    `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`,
  );
  const web = `http://${insecure ? insecureHost : '127.0.0.1'}:${site.ports[local ? 1 : 0]}`;
  const context = await browser.newContext({ ignoreHTTPSErrors: trusting, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  if (granted) await context.grantPermissions(['local-network-access'], { origin: web });
  return openTab(context, web, foreign);
}

/** Another tab of the same browser. */
export async function openTab(context: BrowserContext, web: string, foreign: Foreign): Promise<Opened> {
  const site = await theSite();
  const { query = () => '' } = foreign;
  const page = await context.newPage();
  const problems = problemsOf(page);
  const path = site.add(foreign);
  const load = (navigate: (options: { waitUntil: 'commit' }) => Promise<unknown>): Promise<void> =>
    inTwoParts(page, site.hold(path), () => navigate({ waitUntil: 'commit' }));
  await load(options => page.goto(`${web}${path}${query(web)}`, options));
  return { page, web, problems, posted: site.posted, reload: () => load(options => page.reload(options)) };
}

/**
 * Chromium knows that the page is there before the page asks for anything: its shell 156 otherwise ended the renderer of a
 * public page whose script is on this computer, in 14 of 500 pages (bad_message.h, 262). It asked for the permission before
 * it had heard of the page, and took that for an attack.
 */
async function inTwoParts(page: Page, goOn: () => void, navigate: () => Promise<unknown>): Promise<void> {
  await navigate();
  await page.evaluate('0');
  goOn();
  await page.waitForLoadState();
}
