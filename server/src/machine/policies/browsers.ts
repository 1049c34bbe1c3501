/** The browsers whose policies Platen prints and reads, and where each system keeps them. */

export const browserNames = ['chrome', 'edge', 'chromium', 'firefox'] as const;
export type BrowserName = (typeof browserNames)[number];

export interface Browser {
  readonly name: BrowserName;
  readonly title: string;
  /** Which policies it knows, and how it reads its files. */
  readonly engine: 'chromium' | 'firefox';
  /** Windows: below `HKEY_LOCAL_MACHINE` and `HKEY_CURRENT_USER`. */
  readonly registry: string;
  /** macOS: the domain of its preferences, and the type of its payload in a profile. */
  readonly domain: string;
  /** Linux: the folder of its policies. */
  readonly folder: string;
  /** The same in Ubuntu's package, where it differs. */
  readonly ubuntuFolder?: string;
}

/**
 * Sources: chromeenterprise.google/policies, chromium.org/administrators/linux-quick-start, learn.microsoft.com/deployedge, firefox-admin-docs.mozilla.org. Tried with
 * Chromium 156 and Firefox 153, whose Debian package reads `/etc/firefox` and not `/etc/firefox-esr`.
 */
export const browsers: Readonly<Record<BrowserName, Browser>> = {
  chrome: {
    name: 'chrome',
    title: 'Chrome',
    engine: 'chromium',
    registry: 'SOFTWARE\\Policies\\Google\\Chrome',
    domain: 'com.google.Chrome',
    folder: '/etc/opt/chrome/policies',
  },
  edge: {
    name: 'edge',
    title: 'Edge',
    engine: 'chromium',
    registry: 'SOFTWARE\\Policies\\Microsoft\\Edge',
    domain: 'com.microsoft.Edge',
    folder: '/etc/opt/edge/policies',
  },
  chromium: {
    name: 'chromium',
    title: 'Chromium',
    engine: 'chromium',
    registry: 'SOFTWARE\\Policies\\Chromium',
    domain: 'org.chromium.Chromium',
    folder: '/etc/chromium/policies',
    ubuntuFolder: '/etc/chromium-browser/policies',
  },
  firefox: {
    name: 'firefox',
    title: 'Firefox',
    engine: 'firefox',
    registry: 'SOFTWARE\\Policies\\Mozilla\\Firefox',
    domain: 'org.mozilla.firefox',
    folder: '/etc/firefox/policies',
  },
};

/** What a policy is set to, as JSON has it. */
export type Setting = readonly string[] | Settings;
/** Policies by name. */
export interface Settings {
  readonly [name: string]: Setting;
}

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
