/** Tells the browser that requests go to this computer, where it takes that: Chromium, as `targetAddressSpace`. */
import { isLoopback } from './browser.js';

const space = { targetAddressSpace: 'loopback' };

/** Whether `fetch` reads it and knows the value. */
export function takesLoopback(): boolean {
  let isRead = false;
  const init = {
    get targetAddressSpace() {
      isRead = true;
      return space.targetAddressSpace;
    },
  };
  try {
    const { url } = new Request('https://localhost/', init as RequestInit);
    return url !== '' && isRead;
  } catch {
    // Another value was expected, or there is no Request.
    return false;
  }
}

const hostOf = (address: string): string => /^https?:\/\/(\[[^\]]*\]|[^/:]+)/.exec(address)?.[1] ?? '';

/** The global `fetch` for a service at this address; undefined if it needs nothing more. */
export const fetchOnLoopback = (baseUrl: string): typeof fetch | undefined =>
  isLoopback(hostOf(baseUrl)) && takesLoopback() ? (url, init) => fetch(url, { ...init, ...space }) : undefined;
