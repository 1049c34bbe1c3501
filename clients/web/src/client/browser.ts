/** What the browser reports: whether a page may reach this computer, and whether the page's own policy forbids it. */
import { pause } from './waiting.js';

/**
 * `granted`, `denied` or `prompt`; undefined if the browser does not ask: Firefox, Safari, Chrome before 142, Node.
 * Chrome split the permission in two and keeps the old name for both:
 * https://developer.mozilla.org/en-US/docs/Web/Security/Defenses/Local_network_access
 */
export async function localNetworkPermission(): Promise<PermissionState | undefined> {
  for (const name of ['loopback-network', 'local-network-access']) {
    try {
      return (await navigator.permissions.query({ name: name as PermissionName })).state;
    } catch {
      // Unknown permission name, or no Permissions API.
    }
  }
  return undefined;
}

/** Whether the page is in a frame of another page. */
export const isFramed = (): boolean => typeof window !== 'undefined' && window.top !== window;

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
