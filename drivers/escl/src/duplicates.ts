/** One scanner that is found at several endpoints. */
import type { DiscoveredDevice } from './discoveredDevice.js';
import type { Endpoint } from './endpoint.js';

/** Whether a configured scanner was also discovered. One host may have several scanners, each at its own path. */
export function isSameScanner({ endpoint, capabilities }: DiscoveredDevice, other: Endpoint): boolean {
  return (
    endpoint.url.href === other.url.href ||
    (capabilities?.uuid !== undefined && capabilities.uuid === other.advertised?.uuid)
  );
}

/**
 * One endpoint for each device id. Most devices advertise one with TLS and one without: TLS is preferred. An endpoint on
 * another host never replaces the first one: anyone may advertise a device's UUID.
 * @param endpoints in the order in which they were first heard of
 */
export function withoutDuplicates(endpoints: readonly Endpoint[]): ReadonlyMap<string, Endpoint> {
  const unique = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const first = unique.get(endpoint.id);
    const isSafer = endpoint.url.protocol === 'https:' && endpoint.url.hostname === first?.url.hostname;
    if (!first || isSafer) unique.set(endpoint.id, endpoint);
  }
  return unique;
}
