/** The policies that let pages of the given origins reach this computer without a question. */
import type { Browser, Settings } from './browsers.js';
import type { PageOrigin } from './origin.js';

/**
 * Of Chrome and Edge, the narrowest: `LocalNetworkAccessAllowedForUrls` would open the local network too. Since 146.
 *
 * Firefox takes hosts, whatever their scheme and port. Without `Enabled`, all else stays as the person has it. Since 150.
 */
export function allowing(browser: Browser, origins: readonly PageOrigin[]): Settings {
  return browser.engine === 'firefox'
    ? { LocalNetworkAccess: { SkipDomains: unique(origins.map(({ host }) => host)) } }
    : { LoopbackNetworkAllowedForUrls: unique(origins.map(({ pattern }) => pattern)) };
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
