/** Which policies of this computer's browsers decide whether web pages may reach it, and what they say. */
import { browserNames, browsers, isList, type Browser } from './browsers.js';
import { chromiumFiles, firefoxFiles } from './files.js';
import { managedPreferences } from './preferences.js';
import { registryPolicies } from './registry.js';
import { isRecord, type PolicySource, type PolicySurroundings } from './source.js';

/** `unasked`: every page may, and nobody is asked. */
export type Effect = 'allows' | 'blocks' | 'unasked';

export interface PolicyInForce {
  readonly browser: string;
  /** As it is written in the place. */
  readonly policy: string;
  readonly place: string;
  readonly effect: Effect;
  /** Patterns, or of Firefox hosts; empty if `unasked`. */
  readonly pages: readonly string[];
}

export type PolicyFault =
  | { readonly kind: 'damaged'; readonly browser: string; readonly place: string; readonly why: string }
  | { readonly kind: 'not-a-list'; readonly browser: string; readonly place: string; readonly policy: string }
  /** Another place sets the same policy, and counts instead. */
  | {
      readonly kind: 'overruled';
      readonly browser: string;
      readonly place: string;
      readonly policy: string;
      readonly by: string;
    };

export interface BrowserPolicies {
  readonly inForce: readonly PolicyInForce[];
  readonly faults: readonly PolicyFault[];
}

export async function browserPolicies(given: PolicySurroundings): Promise<BrowserPolicies> {
  const all = await Promise.all(browserNames.map(name => programsOf(browsers[name], given)));
  const found = all.flat().map(decide);
  return { inForce: found.flatMap(({ inForce }) => inForce), faults: found.flatMap(({ faults }) => faults) };
}

/** What each installed program reads: of two places that set a policy, the later one counts. */
async function programsOf(browser: Browser, given: PolicySurroundings): Promise<PolicySource[][]> {
  const files = browser.engine === 'firefox' ? await firefoxFiles(browser, given) : [];
  if (given.platform === 'win32') return [[...files, ...(await registryPolicies(browser, given))]];
  if (given.platform === 'darwin') return [[...files, ...(await managedPreferences(browser, given))]];
  if (browser.engine === 'firefox') return files.map(file => [file]);
  const { folder, ubuntuFolder } = browser;
  const folders = ubuntuFolder === undefined ? [folder] : [folder, ubuntuFolder];
  return Promise.all(folders.map(each => chromiumFiles(browser, each, given)));
}

/** Chromium's policies about pages that reach this computer. */
const chromiumLists: Readonly<Record<string, Effect>> = {
  LoopbackNetworkBlockedForUrls: 'blocks',
  LoopbackNetworkAllowedForUrls: 'allows',
  LocalNetworkAccessBlockedForUrls: 'blocks',
  LocalNetworkAccessAllowedForUrls: 'allows',
};
const CHROMIUM_OPT_OUT = 'LocalNetworkAccessRestrictionsTemporaryOptOut';
const FIREFOX_POLICY = 'LocalNetworkAccess';

function decide(sources: readonly PolicySource[]): BrowserPolicies {
  const faults: PolicyFault[] = [];
  const last = new Map<string, PolicySource>();
  for (const source of sources) {
    const { browser, place, settings, damage } = source;
    if (!settings) faults.push({ kind: 'damaged', browser: browser.title, place, why: damage ?? '' });
    const names = browser.engine === 'firefox' ? [FIREFOX_POLICY] : [...Object.keys(chromiumLists), CHROMIUM_OPT_OUT];
    for (const policy of names) {
      if (settings?.[policy] === undefined) continue;
      const before = last.get(policy);
      if (before) faults.push({ kind: 'overruled', browser: browser.title, place: before.place, policy, by: place });
      last.set(policy, source);
    }
  }
  const inForce = [...last].flatMap(([policy, source]) =>
    source.browser.engine === 'firefox' ? ofFirefox(source, faults) : ofChromium(policy, source, faults),
  );
  return { inForce, faults };
}

function ofChromium(
  policy: string,
  { browser, place, settings }: PolicySource,
  faults: PolicyFault[],
): PolicyInForce[] {
  const value = settings?.[policy];
  const found = { browser: browser.title, policy, place };
  const effect = chromiumLists[policy];
  if (effect === undefined) return value === true ? [{ ...found, effect: 'unasked', pages: [] }] : [];
  const pages = textsOf(value);
  if (pages) return pages.length > 0 ? [{ ...found, effect, pages }] : [];
  faults.push({ kind: 'not-a-list', ...found });
  return [];
}

function ofFirefox({ browser, place, settings }: PolicySource, faults: PolicyFault[]): PolicyInForce[] {
  const value = settings?.[FIREFOX_POLICY];
  const { Enabled, EnablePrompting, SkipDomains } = isRecord(value) ? value : {};
  const found = (key: string) => ({ browser: browser.title, policy: `${FIREFOX_POLICY}.${key}`, place });
  if (Enabled === false) return [{ ...found('Enabled'), effect: 'unasked', pages: [] }];
  if (Enabled === true && EnablePrompting === false)
    return [{ ...found('EnablePrompting'), effect: 'unasked', pages: [] }];
  if (SkipDomains === undefined) return [];
  const pages = textsOf(SkipDomains);
  if (pages) return pages.length > 0 ? [{ ...found('SkipDomains'), effect: 'allows', pages: pages.map(ofHost) }] : [];
  faults.push({ kind: 'not-a-list', ...found('SkipDomains') });
  return [];
}

/** Firefox skips its question for calls to such a host, too, from any page. */
const ofHost = (host: string): string => (/^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host) ? '*' : host);

const textsOf = (value: unknown): readonly string[] | undefined =>
  isList(value) && value.every(each => typeof each === 'string') ? value : undefined;
