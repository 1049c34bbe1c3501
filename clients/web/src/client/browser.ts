/** What a browser says of itself: whether a page may reach this computer, and whether the page's own policy forbids it. */
import { pause } from './waiting.js';

/**
 * `granted`, `denied` or `prompt`; undefined where the browser asks nobody: Firefox, Safari, Chrome before 142, Node.
 * Chrome splits the permission in two, and keeps the old name for both: https://developer.mozilla.org/en-US/docs/Web/Security/Defenses/Local_network_access
 */
export async function localNetworkPermission(): Promise<PermissionState | undefined> {
  for (const name of ['loopback-network', 'local-network-access']) {
    try {
      return (await navigator.permissions.query({ name: name as PermissionName })).state;
    } catch {
      // No such name, or no permissions at all.
    }
  }
  return undefined;
}

/** Whether the page is a frame of another one. */
export const isFramed = (): boolean => typeof window !== 'undefined' && window.top !== window;

/** Whether the page came in a way that browsers do not trust; never outside of a browser. */
export const isInsecure = (): boolean => typeof isSecureContext !== 'undefined' && !isSecureContext;

/** Watches for requests to this address that the page's policy forbids. */
export function watchPolicy(baseUrl: string): { forbade(): Promise<boolean>; end(): void } {
  // A worker's own scope tells it; Node has neither.
  const target = typeof document === 'undefined' ? (globalThis as Partial<EventTarget>) : document;
  let told = false;
  const onViolation = (event: Event): void => {
    const { disposition, blockedURI } = event as SecurityPolicyViolationEvent;
    told ||= disposition === 'enforce' && blockedURI.startsWith(baseUrl);
  };
  target.addEventListener?.('securitypolicyviolation', onViolation);
  return {
    /** The browser tells after the request has failed. */
    async forbade() {
      if (!told) await pause(50);
      return told;
    },
    end: () => target.removeEventListener?.('securitypolicyviolation', onViolation),
  };
}
