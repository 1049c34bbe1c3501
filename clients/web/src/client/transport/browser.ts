/** What the browser reports: whether a page may reach this computer, and whether the page's own policy forbids it. */
import { pause } from './waiting.js';

/**
 * Chrome split the permission in two and keeps the old name for both; Firefox has the first name only:
 * https://developer.mozilla.org/en-US/docs/Web/Security/Defenses/Local_network_access
 */
const names = ['loopback-network', 'local-network-access'];

/** `granted`, `denied` or `prompt`; undefined if the browser does not ask: Safari, Chrome before 142, Node. */
export async function localNetworkPermission(): Promise<PermissionState | undefined> {
  for (const name of names) {
    try {
      return (await navigator.permissions.query({ name: name as PermissionName })).state;
    } catch {
      // Unknown permission name, or no Permissions API.
    }
  }
  return undefined;
}

export const isLoopback = (host: string): boolean => /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/.test(host);

/** For a page of this computer, browsers do not ask, although its permission is `prompt`. */
export const isOfThisComputer = (): boolean => typeof location !== 'undefined' && isLoopback(location.hostname);

/** Unlike Chromium, it asks for insecure pages, too. */
export const isFirefox = (): boolean => typeof navigator !== 'undefined' && /\bFirefox\//.test(navigator.userAgent);

/** Whether the page is in a frame of another page. */
export const isFramed = (): boolean => typeof window !== 'undefined' && window.top !== window;

/** Of Chromium; Firefox does not tell. */
interface WithFeatures {
  readonly featurePolicy?: { features(): readonly string[]; allowsFeature(name: string): boolean };
}

/** Whether the page that embeds this frame does not pass the permission on; false if the browser does not tell. */
export function isWithheldFromFrame(): boolean {
  const policy = typeof document === 'undefined' ? undefined : (document as WithFeatures).featurePolicy;
  const name = names.find(each => policy?.features().includes(each));
  return name !== undefined && policy?.allowsFeature(name) === false;
}

/** Whether the page is not a secure context; false outside a browser. */
export const isInsecure = (): boolean => typeof isSecureContext !== 'undefined' && !isSecureContext;

/** Watches for requests to this address that the page's policy forbids. */
export function watchPolicy(baseUrl: string): { forbade(): Promise<boolean>; end(): void } {
  // In a worker, its global scope gets the event; Node has neither.
  const target = typeof document === 'undefined' ? (globalThis as Partial<EventTarget>) : document;
  let told = false;
  const onViolation = (event: Event): void => {
    const { disposition, blockedURI } = event as SecurityPolicyViolationEvent;
    told ||= disposition === 'enforce' && blockedURI.startsWith(baseUrl);
  };
  target.addEventListener?.('securitypolicyviolation', onViolation);
  return {
    /** The browser reports the violation after the request has failed. */
    async forbade() {
      if (!told) await pause(50);
      return told;
    },
    end: () => target.removeEventListener?.('securitypolicyviolation', onViolation),
  };
}
