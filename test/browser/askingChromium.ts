/**
 * Chromium that asks before a page may reach this computer. Without a window it answers its own question with Block, at
 * once: a test sets the permission instead.
 */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { asPublic, launchChromium, PATIENCE_MS } from './chromium.js';
import { framed, top, type PublicSite } from './publicSite.js';

export interface AskedPage {
  readonly page: Page;
  /** Of the site and of its frames, as if the person had chosen it in the settings. */
  set(setting: 'granted' | 'denied' | 'prompt'): Promise<void>;
}

export interface AskingChromium {
  /** In a profile of its own. @param trusting whether it accepts any certificate; default true */
  open(url: string, trusting?: boolean): Promise<AskedPage>;
}

export async function openAskingChromium(t: Test, site: PublicSite): Promise<AskingChromium> {
  const browser = await launchChromium(
    asPublic(...site.addresses),
    '--host-resolver-rules=MAP *.example 127.0.0.1',
    `--unsafely-treat-insecure-origin-as-secure=${site.secure.join(',')}`,
  );
  t.teardown(() => browser.close());
  return {
    async open(url, trusting = true) {
      const context = await browser.newContext({ ignoreHTTPSErrors: trusting });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(url);
      const session = await context.newCDPSession(page);
      const { browserContextId } = (await session.send('Target.getTargetInfo')).targetInfo;
      return {
        page,
        async set(setting) {
          for (const host of [top, framed])
            await session.send('Browser.setPermission', {
              origin: site.origin(host),
              permission: { name: 'loopback-network' },
              setting,
              ...(browserContextId && { browserContextId }),
            });
        },
      };
    },
  };
}
