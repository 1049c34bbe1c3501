/** Scanners that announce themselves and are not among the configured ones, for who changes the settings. */
import type { FindCall, Found, Log } from '@platen/core/plugin';
import type { EsclOptions } from '../options.js';
import { createDiscovery } from './discovery.js';
import { withoutDuplicates } from './duplicates.js';
import { configuredEndpoint } from './endpoint.js';

/** Looks in the network also if discovery is off. */
export async function findScanners(options: EsclOptions, log: Log, { signal }: FindCall): Promise<readonly Found[]> {
  const discovery = createDiscovery(options, log, () => undefined);
  try {
    await discovery.browse(signal);
    const configured = new Set(options.devices.map(each => configuredEndpoint(each).url.href));
    const found = [...withoutDuplicates(discovery.endpoints()).values()];
    return found
      .filter(({ url }) => !configured.has(url.href))
      .map(({ url, advertised }) => ({
        title: `${advertised?.makeAndModel ?? url.host} at ${url.host}`,
        options: { devices: [url.href] },
      }));
  } finally {
    discovery.close();
  }
}
