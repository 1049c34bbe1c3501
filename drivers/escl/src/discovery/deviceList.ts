/** The configured and the discovered scanners. A listing answers from memory; devices are probed in the background. */
import { createNotifier, createSemaphore, delay } from '@platen/core/driver';
import { messageOf, unlessAborted, type Log } from '@platen/core/plugin';
import type { Discovery } from './discovery.js';
import type { DiscoveredDevice } from './discoveredDevice.js';
import { isSameScanner, withoutDuplicates } from './duplicates.js';
import { configuredEndpoint, type Endpoint } from './endpoint.js';

export interface DeviceListParts {
  readonly configured: readonly string[];
  /** @param onChange called when its endpoints change */
  createDiscovery(onChange: () => void): Discovery | undefined;
  /** Asks a device for its capabilities, within a deadline. */
  probe(endpoint: Endpoint, signal: AbortSignal): Promise<DiscoveredDevice>;
  /** Whether a session is open. */
  isInUse(id: string): boolean;
  /** The longest time for the first listing, in milliseconds. */
  readonly browseMs: number;
  readonly log: Log;
}

export interface DeviceList {
  /**
   * The known scanners, each once, even if it is found in two ways. The first listing yields them as they answer and ends
   * after `browseMs` at the latest; later ones end at once.
   */
  list(signal: AbortSignal): AsyncIterable<DiscoveredDevice>;
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

interface Entry {
  endpoint: Endpoint;
  /** As it last answered, also while it is offline. Absent: it has not answered yet. */
  known?: DiscoveredDevice;
  /** It answered, or a probe of it failed. */
  isSettled: boolean;
  probing?: Promise<void> | undefined;
  /** When it was last probed, in milliseconds of the monotonic clock. */
  probedAt: number;
  failures: number;
  timer?: NodeJS.Timeout | undefined;
}

/** A listing probes devices whose last answer is older than this. */
const FRESH_MS = 5000;
/** Configured devices are probed regularly: the network does not report when they come or go. */
const CONFIGURED_PAUSE_MS = 60_000;
/** A device that does not answer is probed again after this, and after twice as long each time. */
const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 60_000;
/** On a large network further devices wait for their turn. */
const MAX_PROBES = 32;
/** Out of file descriptors, which is not the device's fault. */
const outOfFiles = new Set(['EMFILE', 'ENFILE']);

export function createDeviceList({
  configured,
  createDiscovery,
  probe,
  isInUse,
  browseMs,
  log,
}: DeviceListParts): DeviceList {
  const own = new Map(configured.map(configuredEndpoint).map(endpoint => [endpoint.id, endpoint] as const));
  const entries = new Map<string, Entry>();
  const listeners = new Set<() => void>();
  const semaphore = createSemaphore(MAX_PROBES);
  const closing = new AbortController();
  let last = '';
  let firstBrowse: Promise<void> | undefined;
  let isBrowsing = true;
  const change = createNotifier();
  const discovery = createDiscovery(sync);

  function publish(): void {
    change.notify();
    const now = JSON.stringify(
      listed().map(({ endpoint, endpoints, capabilities, isAway }) => [endpoint, endpoints, capabilities, isAway]),
    );
    if (now === last) return;
    last = now;
    for (const each of [...listeners]) each();
  }

  /** Takes over the current endpoints. What is known of a device that moved stays until it is probed. */
  function sync(): void {
    const endpoints = new Map([...withoutDuplicates(discovery?.endpoints() ?? []), ...own]);
    for (const [id, entry] of entries) {
      if (endpoints.has(id)) continue;
      clearTimeout(entry.timer);
      entries.delete(id);
    }
    for (const endpoint of endpoints.values()) {
      const entry = entries.get(endpoint.id);
      const hasMoved = entry && entry.endpoint.url.href !== endpoint.url.href;
      if (entry) entry.endpoint = endpoint;
      else entries.set(endpoint.id, { endpoint, isSettled: false, probedAt: -Infinity, failures: 0 });
      if (!entry || hasMoved) void probeOnce(endpoint.id);
    }
    publish();
  }

  function probeOnce(id: string): Promise<void> {
    const entry = entries.get(id);
    if (!entry || closing.signal.aborted) return Promise.resolve();
    clearTimeout(entry.timer);
    entry.probing ??= probeEntry(entry).finally(() => {
      entry.probing = undefined;
      if (entries.get(id) !== entry || closing.signal.aborted) return;
      const pause =
        entry.failures > 0 ? Math.min(FIRST_PAUSE_MS * 2 ** (entry.failures - 1), MAX_PAUSE_MS) : CONFIGURED_PAUSE_MS;
      // The network reports when a discovered device that answers goes.
      if (entry.failures > 0 || own.has(id)) entry.timer = setTimeout(() => probeIdle(id), pause).unref();
      publish();
    });
    return entry.probing;
  }

  /** A device with an open session is not probed while it answers. */
  function probeIdle(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    clearTimeout(entry.timer);
    if (isInUse(id) && entry.failures === 0) entry.timer = setTimeout(() => probeIdle(id), CONFIGURED_PAUSE_MS).unref();
    else void probeOnce(id);
  }

  async function probeEntry(entry: Entry): Promise<void> {
    const endpoint = await semaphore.run(() => probeEndpoint(entry));
    // It has moved meanwhile.
    if (!closing.signal.aborted && entry.endpoint.url.href !== endpoint.url.href) await probeEntry(entry);
  }

  /** @returns the endpoint that was probed */
  async function probeEndpoint(entry: Entry): Promise<Endpoint> {
    const { endpoint } = entry;
    try {
      const known = await probe(endpoint, closing.signal);
      if (entry.failures > 0 && entry.isSettled) log.info(`The network scanner at ${endpoint.url.href} answers again.`);
      Object.assign(entry, { known, isSettled: true, failures: 0 });
    } catch (error) {
      if (closing.signal.aborted) return endpoint;
      const isOurFault =
        error instanceof Error && outOfFiles.has(((error.cause ?? error) as NodeJS.ErrnoException).code ?? '');
      if (entry.failures === 0)
        log.warn(
          `The network scanner at ${endpoint.url.href} does not answer as a scanner: ${messageOf(error)}. It is asked again from time to time.`,
        );
      entry.failures++;
      if (!isOurFault) Object.assign(entry, { isSettled: true, known: offline(endpoint) });
    } finally {
      entry.probedAt = performance.now();
    }
    return endpoint;
  }

  const offline = (endpoint: Endpoint): DiscoveredDevice => {
    const { capabilities } = entries.get(endpoint.id)?.known ?? {};
    return { endpoint, ...(capabilities && { capabilities }), isAway: true };
  };

  const knownOf = (entry: Entry): DiscoveredDevice => ({
    ...(entry.known ?? offline(entry.endpoint)),
    endpoint: entry.endpoint,
  });

  /** A configured scanner that is also discovered is listed once, with its discovered endpoints. */
  function listed(): DiscoveredDevice[] {
    const configuredOnes = [...entries.values()].filter(({ endpoint }) => own.has(endpoint.id)).map(knownOf);
    const others = [...entries.values()]
      .filter(({ endpoint, isSettled }) => isSettled && !own.has(endpoint.id))
      .map(knownOf);
    const isOwn = (other: DiscoveredDevice) => configuredOnes.some(known => isSameScanner(known, other.endpoint));
    return [
      ...configuredOnes.map(known => ({
        ...known,
        endpoints: others.map(({ endpoint }) => endpoint).filter(each => isSameScanner(known, each)),
      })),
      ...others.filter(other => !isOwn(other)),
    ];
  }

  /** Begins the first listing; the driver does nothing before its first use. */
  function start(): Promise<void> {
    firstBrowse ??= (async () => {
      sync();
      const all = Promise.all([
        discovery?.browse(closing.signal),
        ...[...own.keys()].map(id => entries.get(id)?.probing),
      ]);
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
      for (const { endpoint, probedAt } of entries.values())
        if (performance.now() - probedAt > FRESH_MS) probeIdle(endpoint.id);
      for (;;) {
        signal.throwIfAborted();
        const changed = isBrowsing ? change.wait() : undefined;
        for (const known of listed()) {
          const isReady = !isBrowsing || entries.get(known.endpoint.id)?.isSettled;
          if (!isReady || given.has(known.endpoint.id)) continue;
          given.add(known.endpoint.id);
          yield known;
        }
        if (!isBrowsing || closing.signal.aborted) return;
        await unlessAborted(Promise.race([changed, browsed]), signal);
      }
    },
    async find(id, signal) {
      void start();
      const browsing = isBrowsing ? firstBrowse : discovery?.browse(signal);
      let isOver = false;
      const over = Promise.resolve(browsing)
        .catch(() => undefined)
        .then(() => (isOver = true));
      for (;;) {
        const endpoint = entries.get(id)?.endpoint;
        if (endpoint || isOver) return endpoint;
        await unlessAborted(Promise.race([change.wait(), over]), signal);
      }
    },
    update(known) {
      const entry = entries.get(known.endpoint.id);
      if (!entry) return;
      Object.assign(entry, { known, isSettled: true, failures: 0, probedAt: performance.now() });
      publish();
    },
    recheck: id => void probeOnce(id),
    offline,
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      closing.abort(new Error('The driver was closed.'));
      for (const { timer } of entries.values()) clearTimeout(timer);
      discovery?.close();
      listeners.clear();
    },
  };
}
