/** The configured and the discovered scanners. A listing answers from memory; devices are probed in the background. */
import { createNotifier, delay } from '@platen/core/driver';
import { unlessAborted } from '@platen/core/plugin';
import type { Discovery } from './discovery.js';
import type { DiscoveredDevice } from './discoveredDevice.js';
import { mergedDevices, withoutDuplicates } from './duplicates.js';
import { configuredEndpoint, type Endpoint } from './endpoint.js';
import { createProbes, type ProbesParts } from './probes.js';

export interface DeviceListParts extends Pick<ProbesParts, 'probe' | 'isInUse' | 'log'> {
  readonly configured: readonly string[];
  /** @param onChange called when its endpoints change */
  createDiscovery(onChange: () => void): Discovery | undefined;
  /** The longest time for the first listing, in milliseconds. */
  readonly browseMs: number;
}

export interface DeviceList {
  /**
   * The known scanners, each once, even if it is found in two ways. The first listing yields them as they answer and ends
   * after `browseMs` at the latest; later ones end at once.
   */
  list(signal: AbortSignal): AsyncIterable<DiscoveredDevice>;
  /** What `list` yields, without waiting or searching. */
  known(): readonly DiscoveredDevice[];
  /** The endpoint of a device. An unknown device is searched for on the network. */
  find(id: string, signal: AbortSignal): Promise<Endpoint | undefined>;
  /** A device answered. */
  update(known: DiscoveredDevice): void;
  /** A device did not answer: it is probed again. */
  recheck(id: string): void;
  /** What is known of a device that does not answer. */
  offline(endpoint: Endpoint): DiscoveredDevice;
  /** Calls back when the list has changed. Returns what ends the watch. */
  watch(listener: () => void): () => void;
  close(): void;
}

export function createDeviceList({ configured, createDiscovery, browseMs, ...parts }: DeviceListParts): DeviceList {
  const own = new Map(configured.map(configuredEndpoint).map(endpoint => [endpoint.id, endpoint] as const));
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  let last = '';
  let firstBrowse: Promise<void> | undefined;
  let isBrowsing = true;
  const change = createNotifier();
  const discovery = createDiscovery(sync);
  const probes = createProbes({
    ...parts,
    isConfigured: id => own.has(id),
    onChange: publish,
    closed: closing.signal,
  });

  function publish(): void {
    change.notify();
    const now = JSON.stringify(
      listed().map(({ endpoint, endpoints, capabilities, isAway }) => [endpoint, endpoints, capabilities, isAway]),
    );
    if (now === last) return;
    last = now;
    for (const each of [...listeners]) each();
  }

  /** Takes over the current endpoints. */
  function sync(): void {
    probes.follow(new Map([...withoutDuplicates(discovery?.endpoints() ?? []), ...own]));
    publish();
  }

  function listed(): readonly DiscoveredDevice[] {
    const devices = probes.devices();
    const configuredOnes = devices.filter(({ endpoint }) => own.has(endpoint.id));
    const discovered = devices.filter(({ endpoint, isSettled }) => isSettled && !own.has(endpoint.id));
    return mergedDevices(
      configuredOnes.map(({ known }) => known),
      discovered.map(({ known }) => known),
    );
  }

  /** Begins the first listing; the driver does nothing before its first use. */
  function start(): Promise<void> {
    firstBrowse ??= (async () => {
      sync();
      const all = Promise.all([discovery?.browse(closing.signal), ...[...own.keys()].map(probes.probed)]);
      await Promise.race([all, delay(browseMs, closing.signal)]).catch(() => undefined);
      isBrowsing = false;
      publish();
    })();
    return firstBrowse;
  }

  return {
    async *list(signal) {
      const browsed = start();
      const given = new Set<string>();
      probes.refresh();
      for (;;) {
        signal.throwIfAborted();
        const changed = isBrowsing ? change.wait() : undefined;
        for (const known of listed()) {
          const isReady = !isBrowsing || probes.find(known.endpoint.id)?.isSettled;
          if (!isReady || given.has(known.endpoint.id)) continue;
          given.add(known.endpoint.id);
          yield known;
        }
        if (!isBrowsing || closing.signal.aborted) return;
        await unlessAborted(Promise.race([changed, browsed]), signal);
      }
    },
    known: listed,
    async find(id, signal) {
      void start();
      const browsing = isBrowsing ? firstBrowse : discovery?.browse(signal);
      let isOver = false;
      const over = Promise.resolve(browsing)
        .catch(() => undefined)
        .then(() => (isOver = true));
      for (;;) {
        const endpoint = probes.find(id)?.endpoint;
        if (endpoint || isOver) return endpoint;
        await unlessAborted(Promise.race([change.wait(), over]), signal);
      }
    },
    update: probes.answered,
    recheck: id => void probes.probe(id),
    offline: probes.offline,
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      closing.abort(new Error('The driver was closed.'));
      probes.close();
      discovery?.close();
      listeners.clear();
    },
  };
}
