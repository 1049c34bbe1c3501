/** One scanner that is found at several endpoints. */
import { isIP } from 'node:net';
import type { DiscoveredDevice } from './discoveredDevice.js';
import type { Endpoint } from './endpoint.js';

/** A configured scanner that is also discovered is listed once, with its discovered endpoints. */
export function mergedDevices(
  configured: readonly DiscoveredDevice[],
  discovered: readonly DiscoveredDevice[],
): readonly DiscoveredDevice[] {
  const isConfigured = ({ endpoint }: DiscoveredDevice) => configured.some(known => isSameScanner(known, endpoint));
  return [
    ...configured.map(known => ({
      ...known,
      endpoints: discovered.map(({ endpoint }) => endpoint).filter(each => isSameScanner(known, each)),
    })),
    ...discovered.filter(other => !isConfigured(other)),
  ];
}

/**
 * Whether a configured scanner was also discovered. One host may have several scanners, each at its own path, and two hosts
 * scanners of one UUID; the address of a host that is configured by name is not known.
 */
function isSameScanner({ endpoint, capabilities }: DiscoveredDevice, other: Endpoint): boolean {
  if (endpoint.url.href === other.url.href) return true;
  const { hostname } = endpoint.url;
  const mayBeHost = hostname === other.url.hostname || isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return mayBeHost && capabilities?.uuid !== undefined && capabilities.uuid === other.advertised?.uuid;
}

/**
 * One endpoint for each device. Most devices advertise one with TLS and one without: TLS is preferred. An endpoint of
 * another host never replaces one, because anyone may advertise a device's UUID: it is another scanner. But a scanner that
 * this computer has by USB (ipp-usb advertises it on loopback) is also its network's.
 * @param endpoints in the order in which they were first heard of
 */
export function withoutDuplicates(endpoints: readonly Endpoint[]): ReadonlyMap<string, Endpoint> {
  const unique = new Map<string, Endpoint>();
  const onUsb = new Set(endpoints.filter(isLoopback).map(({ advertised }) => advertised?.uuid ?? ''));
  for (const endpoint of endpoints) {
    const { uuid = '' } = endpoint.advertised ?? {};
    if (uuid !== '' && onUsb.has(uuid) && !isLoopback(endpoint)) continue;
    const { hostname } = endpoint.url;
    const isSame = (other: Endpoint): boolean =>
      other.id === endpoint.id || (uuid !== '' && other.advertised?.uuid === uuid && other.url.hostname === hostname);
    const first = [...unique.values()].find(isSame);
    const isSafer = endpoint.url.protocol === 'https:' && hostname === first?.url.hostname;
    if (!first) unique.set(endpoint.id, endpoint);
    else if (isSafer) unique.set(first.id, { ...endpoint, id: first.id });
  }
  return unique;
}

const isLoopback = ({ url }: Endpoint): boolean => url.hostname.startsWith('127.');
