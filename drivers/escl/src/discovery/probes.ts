/** The probes of scanners: each is asked what it is when it appears or moves, and again while it does not answer. */
import { createSemaphore } from '@platen/core/driver';
import { messageOf, type Log } from '@platen/core/plugin';
import type { DiscoveredDevice } from './discoveredDevice.js';
import type { Endpoint } from './endpoint.js';

export interface ProbesParts {
  /** Asks a device for its capabilities, within a deadline. */
  probe(endpoint: Endpoint, signal: AbortSignal): Promise<DiscoveredDevice>;
  /** Whether a session is open. */
  isInUse(id: string): boolean;
  /** Whether the device is configured: it is probed regularly, because the network does not report when it comes or goes. */
  isConfigured(id: string): boolean;
  /** A device answered, or a probe of it ended. */
  onChange(): void;
  /** Ends running probes; none begins after it. */
  readonly closed: AbortSignal;
  readonly log: Log;
}

export interface ProbedDevice {
  readonly endpoint: Endpoint;
  /** As it last answered, also while it is offline. */
  readonly known: DiscoveredDevice;
  /** It answered, or a probe of it failed. */
  readonly isSettled: boolean;
}

export interface Probes {
  /**
   * The devices at these endpoints, by id; all others are forgotten. A new one and one that moved are probed. What is known
   * of a device that moved stays until then.
   */
  follow(endpoints: ReadonlyMap<string, Endpoint>): void;
  find(id: string): ProbedDevice | undefined;
  devices(): readonly ProbedDevice[];
  /** Probes the devices whose last answer is no longer fresh, except those with an open session. */
  refresh(): void;
  /** Probes a device at once. @returns when the running probe has ended */
  probe(id: string): Promise<void>;
  /** When the running probe has ended; at once if none runs. */
  probed(id: string): Promise<void>;
  /** A device answered a request that was not a probe. */
  answered(known: DiscoveredDevice): void;
  /** What is known of a device that does not answer. */
  offline(endpoint: Endpoint): DiscoveredDevice;
  /** Plans no more probes; `closed` ends those that run. */
  close(): void;
}

interface Entry {
  endpoint: Endpoint;
  /** Absent: it has not answered yet. */
  known?: DiscoveredDevice;
  isSettled: boolean;
  probing?: Promise<void> | undefined;
  /** When it was last probed, in milliseconds of the monotonic clock. */
  probedAt: number;
  failures: number;
  timer?: NodeJS.Timeout | undefined;
}

/** An answer is fresh for this long. */
const FRESH_MS = 5000;
/** Configured devices that answer are probed again after this. */
const CONFIGURED_PAUSE_MS = 60_000;
/** A device that does not answer is probed again after this, and after twice as long each time. */
const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 60_000;
/** On a large network further devices wait for their turn. */
const MAX_PROBES = 32;
/** Out of file descriptors, which is not the device's fault. */
const outOfFiles = new Set(['EMFILE', 'ENFILE']);

export function createProbes({ probe, isInUse, isConfigured, onChange, closed, log }: ProbesParts): Probes {
  const entries = new Map<string, Entry>();
  const semaphore = createSemaphore(MAX_PROBES);

  function probeOnce(id: string): Promise<void> {
    const entry = entries.get(id);
    if (!entry || closed.aborted) return Promise.resolve();
    clearTimeout(entry.timer);
    entry.probing ??= probeEntry(entry).finally(() => {
      entry.probing = undefined;
      if (entries.get(id) !== entry || closed.aborted) return;
      // The network reports when a discovered device that answers goes.
      if (entry.failures > 0 || isConfigured(id))
        entry.timer = setTimeout(() => probeIdle(id), pauseAfter(entry.failures)).unref();
      onChange();
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
    if (!closed.aborted && entry.endpoint.url.href !== endpoint.url.href) await probeEntry(entry);
  }

  /** @returns the endpoint that was probed */
  async function probeEndpoint(entry: Entry): Promise<Endpoint> {
    const { endpoint } = entry;
    try {
      const known = await probe(endpoint, closed);
      if (entry.failures > 0 && entry.isSettled) log.info(`The network scanner at ${endpoint.url.href} answers again.`);
      Object.assign(entry, { known, isSettled: true, failures: 0 });
    } catch (error) {
      if (closed.aborted) return endpoint;
      if (entry.failures === 0)
        log.warn(
          `The network scanner at ${endpoint.url.href} does not answer as a scanner: ${messageOf(error)}. It is asked again from time to time.`,
        );
      entry.failures++;
      if (!isOurFault(error)) Object.assign(entry, { isSettled: true, known: offline(endpoint) });
    } finally {
      entry.probedAt = performance.now();
    }
    return endpoint;
  }

  function offline(endpoint: Endpoint): DiscoveredDevice {
    const { capabilities } = entries.get(endpoint.id)?.known ?? {};
    return { endpoint, ...(capabilities && { capabilities }), isAway: true };
  }

  const probedDevice = ({ endpoint, known, isSettled }: Entry): ProbedDevice => ({
    endpoint,
    known: { ...(known ?? offline(endpoint)), endpoint },
    isSettled,
  });

  return {
    follow(endpoints) {
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
    },
    find(id) {
      const entry = entries.get(id);
      return entry && probedDevice(entry);
    },
    devices: () => [...entries.values()].map(probedDevice),
    refresh() {
      for (const { endpoint, probedAt } of entries.values())
        if (performance.now() - probedAt > FRESH_MS) probeIdle(endpoint.id);
    },
    probe: probeOnce,
    probed: async id => entries.get(id)?.probing,
    answered(known) {
      const entry = entries.get(known.endpoint.id);
      if (!entry) return;
      Object.assign(entry, { known, isSettled: true, failures: 0, probedAt: performance.now() });
      onChange();
    },
    offline,
    close() {
      for (const { timer } of entries.values()) clearTimeout(timer);
    },
  };
}

function pauseAfter(failures: number): number {
  return failures > 0 ? Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS) : CONFIGURED_PAUSE_MS;
}

function isOurFault(error: unknown): boolean {
  return error instanceof Error && outOfFiles.has(((error.cause ?? error) as NodeJS.ErrnoException).code ?? '');
}
