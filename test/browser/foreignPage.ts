/**
 * A page from another origin in Chromium, and its problems.
 *
 * The page comes from a server on 127.0.0.1. Chromium's Local Network Access asks the user whether a page of the public
 * network may reach this computer; for a page of this computer it does not ask. To have the same conditions as
 * real pages, the tests tell Chromium that the page's server is public, and grant the permission; without it,
 * the request never leaves the browser.
 */
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import root, { type Test } from 'tap';
import { launchChromium, PATIENCE_MS, problemsOf } from './chromium.js';

/** Its pages are not secure contexts; those of 127.0.0.1 are. */
const insecureHost = 'page.example';

/** The pages are beside the source, not beside the compiled files. */
export const pageFile = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../browser/${name}`, import.meta.url)), 'utf8');

/** The client module of the installed package. */
const packaged = fileURLToPath(new URL('.', import.meta.resolve('@platen/client')));

export interface Foreign {
  /** The page's text. */
  readonly html: string;
  /** Appended to the page's address. */
  query?(web: string): string;
  /** Headers sent with the page. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the browser lets it reach this computer; default true. */
  readonly granted?: boolean;
  /** Whether the browser accepts any certificate; default true. */
  readonly trusting?: boolean;
  /** Whether it is served over HTTP by a host that browsers do not consider local. */
  readonly insecure?: boolean;
  /** Whether Chromium treats it as a page of this computer and does not ask for permission. */
  readonly local?: boolean;
}

export interface Opened {
  readonly page: Page;
  /** The page's own origin. */
  readonly web: string;
  /** Errors of the console, the page and the network. */
  readonly problems: string[];
}

interface Site {
  readonly browser: Browser;
  readonly port: number;
  /** The address at which Chromium treats the same pages as this computer's. */
  readonly localPort: number;
  /** @returns the path at which it is served from now on */
  add(page: Foreign): string;
}

/** One browser and one small web server on two ports for a file's tests; it serves only the pages and the packaged module. */
let site: Promise<Site> | undefined;

async function openSite(): Promise<Site> {
  const pages = new Map<string, Foreign>();
  const serve: RequestListener = (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const missing = (): void => void response.writeHead(404, { 'content-type': 'text/html' }).end('not here');
    const page = pages.get(path);
    if (page) response.writeHead(200, { ...page.headers, 'content-type': 'text/html; charset=utf-8' }).end(page.html);
    else if (/^\/client(?:\/\w+)?\.js$/.test(path))
      readFile(join(packaged, path)).then(
        text => void response.writeHead(200, { 'content-type': 'text/javascript' }).end(text),
        missing,
      );
    else missing();
  };
  const servers = [createServer(serve), createServer(serve)];
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  const [port, localPort] = servers.map(server => (server.address() as AddressInfo).port) as [number, number];
  const browser = await launchChromium(
    `--ip-address-space-overrides=127.0.0.1:${port}=public`,
    `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`,
  );
  root.teardown(async () => {
    await browser.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  return {
    browser,
    port,
    localPort,
    add(page) {
      const path = `/page${pages.size}.html`;
      pages.set(path, page);
      return path;
    },
  };
}

export async function openPage(t: Test, foreign: Foreign): Promise<Opened> {
  const { query = () => '', granted = true, trusting = true, insecure = false, local = false } = foreign;
  const { browser, port, localPort, add } = await (site ??= openSite());
  const web = `http://${insecure ? insecureHost : '127.0.0.1'}:${local ? localPort : port}`;
  const context = await browser.newContext({ ignoreHTTPSErrors: trusting });
  t.teardown(() => context.close());
  if (granted) await context.grantPermissions(['local-network-access'], { origin: web });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const problems = problemsOf(page);
  await page.goto(`${web}${add(foreign)}${query(web)}`);
  return { page, web, problems };
}
