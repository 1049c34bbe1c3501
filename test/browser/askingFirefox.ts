/** Firefox that asks before a page may reach this computer; the question is answered in the browser's own window. */
import { launch, type Browser, type Page } from 'puppeteer-core';
import type { Test } from 'tap';
import { until } from '../spec/calls.js';
import { PATIENCE_MS } from './chromium.js';
import { FIREFOX } from './firefox.js';
import { framed, top, type PublicSite } from './publicSite.js';

export interface AskingFirefox {
  open(url: string): Promise<Page>;
  /** Of the site, as if the person had chosen it in the settings. */
  set(host: string, state: 'granted' | 'denied' | 'prompt'): Promise<void>;
  /** Whether the question is shown. */
  isAsking(): Promise<boolean>;
  /** Presses a button of the question, once it is shown. */
  answer(button: 'Allow' | 'Block'): Promise<void>;
}

type Prefs = Readonly<Record<string, string | number | boolean>>;

/** What puppeteer-core does not declare. */
interface WithConnection {
  readonly connection: { send(method: string, parameters: object): Promise<{ readonly result: unknown }> };
}

/** @param trusting whether it accepts any certificate */
export async function openAskingFirefox(
  t: Test,
  site: PublicSite,
  { trusting = true, prefs = {} }: { readonly trusting?: boolean; readonly prefs?: Prefs } = {},
): Promise<AskingFirefox> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: `/usr/bin/${FIREFOX}`,
    headless: true,
    acceptInsecureCerts: trusting,
    // The browser's own window.
    args: ['-remote-allow-system-access'],
    extraPrefsFirefox: {
      // Defaults of 153, of which tests cannot be sure in another version.
      'network.lna.enabled': true,
      'network.lna.blocking': true,
      'network.lna.address_space.public.override': site.addresses.join(','),
      'network.dns.localDomains': site.secure.map(origin => new URL(origin).hostname).join(',') + ',plain.example',
      'dom.securecontext.allowlist': `${top},${framed}`,
      'security.notification_enable_delay': 0,
      ...prefs,
    },
  });
  t.teardown(() => browser.close());
  const { connection } = browser as Browser & WithConnection;
  const send = async <T>(method: string, parameters: object): Promise<T> =>
    (await connection.send(method, parameters)).result as T;
  const { contexts } = await send<{ contexts: { context: string; url: string }[] }>('browsingContext.getTree', {
    'moz:scope': 'chrome',
  });
  const context = contexts.find(({ url }) => url.endsWith('/browser.xhtml'))?.context;
  const inWindow = async (expression: string): Promise<unknown> => {
    const parameters = { expression, target: { context }, awaitPromise: true };
    return (await send<{ result?: { value?: unknown } }>('script.evaluate', parameters)).result?.value;
  };
  const isAsking = async (): Promise<boolean> =>
    (await inWindow(
      `PopupNotifications.panel.state === 'open' && PopupNotifications.panel.firstElementChild?.id === 'loopback-network-notification'`,
    )) === true;
  return {
    isAsking,
    async open(url) {
      const page = await browser.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(url);
      return page;
    },
    async set(host, state) {
      const descriptor = { name: 'loopback-network' };
      await send('permissions.setPermission', { descriptor, state, origin: site.origin(host) });
    },
    async answer(button) {
      await until(isAsking);
      await inWindow(
        `PopupNotifications.panel.firstElementChild.${button === 'Allow' ? 'button' : 'secondaryButton'}.click()`,
      );
    },
  };
}
