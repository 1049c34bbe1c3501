/** Which scanners there are: the configured ones, and those that discovery finds. What is known is told at once; devices are asked in the background. */
import { createSemaphore, delay, messageOf, unlessAborted, type Log } from '@platen/core/plugin';
import type { Discovery } from './discovery.js';
import type { DiscoveredDevice } from './discoveredDevice.js';
import { isSameScanner, withoutDuplicates } from './duplicates.js';
import { configuredEndpoint, type Endpoint } from './endpoint.js';

export interface ListerParts {
  readonly configured: readonly string[];
  /** @param onChange told when its endpoints change */
  createDiscovery(onChange: () => void): Discovery | undefined;
  /** Asks a device what it is, within a deadline. */
  meet(endpoint: Endpoint, signal: AbortSignal): Promise<DiscoveredDevice>;
  /** Whether a session is open. */
  isInUse(id: string): boolean;
  /** The longest first look, in milliseconds. */
  readonly lookMs: number;
  readonly log: Log;
}

export interface Lister {
  /**
   * What is known, each scanner once, also where it is found in two ways. The first time the scanners come as they answer, for as long as a look takes;
   * later it ends at once.
   */
  list(signal: AbortSignal): AsyncIterable<DiscoveredDevice>;
  /** The endpoint of a device; one that is not known is looked for. */
  find(id: string, signal: AbortSignal): Promise<Endpoint | undefined>;
  /** A device answered. */
  remember(known: DiscoveredDevice): void;
  /** A device did not answer: it is asked again. */
  doubt(id: string): void;
  remembered(endpoint: Endpoint): DiscoveredDevice;
  /** Advertised when what `list` gives has changed. Returns what ends that. */
  watch(listener: () => void): () => void;
  close(): void;
}

interface Entry {
  endpoint: Endpoint;
  /** What it said of itself, also while it is away; absent: it has not answered yet. */
  known?: DiscoveredDevice;
  /** It answered, or had the time to. */
  isSettled: boolean;
  asking?: Promise<void> | undefined;
  /** When it was asked last, in milliseconds of the monotonic clock. */
  at: number;
  failures: number;
  timer?: NodeJS.Timeout | undefined;
}

/** A device is asked again when a listing finds its answer older than this; one at a configured address, of which nobody tells, by itself. */
const FRESH_MS = 5000;
const CONFIGURED_AGAIN_MS = 60_000;
/** One that does not is asked again after this, and after twice as long each time. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;
/** Of a network with very many the others wait for their turn. */
const MOST_AT_ONCE = 32;
/** Out of descriptors: that says nothing of the device. */
const ours = new Set(['EMFILE', 'ENFILE']);

export function createLister({ configured, createDiscovery, meet, isInUse, lookMs, log }: ListerParts): Lister {
  const own = new Map(configured.map(configuredEndpoint).map(endpoint => [endpoint.id, endpoint] as const));
  const entries = new Map<string, Entry>();
  const listeners = new Set<() => void>();
  const semaphore = createSemaphore(MOST_AT_ONCE);
  const closing = new AbortController();
  let last = '';
  let firstLook: Promise<void> | undefined;
  let isLooking = true;
  const discovery = createDiscovery(sync);

  /** What happens is looked at by whoever waits for it. */
  let ring = (): void => undefined;
  const nextTurn = () => new Promise<void>(resolve => (ring = resolve));
  let turn = nextTurn();

  function changed(): void {
    ring();
    turn = nextTurn();
    const now = JSON.stringify(listed().map(({ endpoint, endpoints, capabilities, isAway }) => [endpoint, endpoints, capabilities, isAway]));
    if (now === last) return;
    last = now;
    for (const each of [...listeners]) each();
  }

  /** The endpoints of now; what was known of one that moved stays until it is asked. */
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
      else entries.set(endpoint.id, { endpoint, isSettled: false, at: -Infinity, failures: 0 });
      if (!entry || hasMoved) void ask(endpoint.id);
    }
    changed();
  }

  function ask(id: string): Promise<void> {
    const entry = entries.get(id);
    if (!entry || closing.signal.aborted) return Promise.resolve();
    clearTimeout(entry.timer);
    entry.asking ??= answer(entry).finally(() => {
      entry.asking = undefined;
      if (entries.get(id) !== entry || closing.signal.aborted) return;
      const pause = entry.failures > 0 ? Math.min(FIRST_PAUSE_MS * 2 ** (entry.failures - 1), LONGEST_PAUSE_MS) : CONFIGURED_AGAIN_MS;
      // Of a discovered one that answers the network tells when it goes.
      if (entry.failures > 0 || own.has(id)) entry.timer = setTimeout(() => askIdle(id), pause).unref();
      changed();
    });
    return entry.asking;
  }

  /** What scans is not asked besides. */
  function askIdle(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    clearTimeout(entry.timer);
    if (isInUse(id)) entry.timer = setTimeout(() => askIdle(id), CONFIGURED_AGAIN_MS).unref();
    else void ask(id);
  }

  async function answer(entry: Entry): Promise<void> {
    const endpoint = await semaphore.run(() => answerFrom(entry));
    // It moved meanwhile.
    if (!closing.signal.aborted && entry.endpoint.url.href !== endpoint.url.href) await answer(entry);
  }

  /** @returns the endpoint that was asked */
  async function answerFrom(entry: Entry): Promise<Endpoint> {
    const { endpoint } = entry;
    try {
      const known = await meet(endpoint, closing.signal);
      if (entry.failures > 0 && entry.isSettled) log.info(`The network scanner at ${endpoint.url.href} answers.`);
      Object.assign(entry, { known, isSettled: true, failures: 0 });
    } catch (error) {
      if (closing.signal.aborted) return endpoint;
      const isOurs = error instanceof Error && ours.has(((error.cause ?? error) as NodeJS.ErrnoException).code ?? '');
      if (entry.failures === 0) log.warn(`The network scanner at ${endpoint.url.href} does not say what it is: ${messageOf(error)}. It is asked again from time to time.`);
      entry.failures++;
      if (!isOurs) Object.assign(entry, { isSettled: true, known: remembered(endpoint) });
    } finally {
      entry.at = performance.now();
    }
    return endpoint;
  }

  const remembered = (endpoint: Endpoint): DiscoveredDevice => {
    const { capabilities } = entries.get(endpoint.id)?.known ?? {};
    return { endpoint, ...(capabilities && { capabilities }), isAway: true };
  };

  const knownOf = (entry: Entry): DiscoveredDevice => ({ ...(entry.known ?? remembered(entry.endpoint)), endpoint: entry.endpoint });

  /** A configured scanner that is discovered as well counts once, with what is announced of it. */
  function listed(): DiscoveredDevice[] {
    const configuredOnes = [...entries.values()].filter(({ endpoint }) => own.has(endpoint.id)).map(knownOf);
    const others = [...entries.values()].filter(({ endpoint, isSettled }) => isSettled && !own.has(endpoint.id)).map(knownOf);
    const isOwn = (other: DiscoveredDevice) => configuredOnes.some(known => isSameScanner(known, other.endpoint));
    return [
      ...configuredOnes.map(known => ({ ...known, endpoints: others.map(({ endpoint }) => endpoint).filter(each => isSameScanner(known, each)) })),
      ...others.filter(other => !isOwn(other)),
    ];
  }

  /** The one look that a driver's first use begins. */
  function start(): Promise<void> {
    firstLook ??= (async () => {
      sync();
      const all = Promise.all([discovery?.browse(closing.signal), ...[...own.keys()].map(id => entries.get(id)?.asking)]);
      await Promise.race([all, delay(lookMs, closing.signal)]).catch(() => undefined);
      isLooking = false;
      changed();
    })();
    return firstLook;
  }

  return {
    async *list(signal) {
      const looked = start();
      const given = new Set<string>();
      for (const { endpoint, at } of entries.values()) if (performance.now() - at > FRESH_MS) askIdle(endpoint.id);
      for (;;) {
        signal.throwIfAborted();
        const next = turn;
        for (const known of listed()) {
          const isReady = !isLooking || entries.get(known.endpoint.id)?.isSettled;
          if (!isReady || given.has(known.endpoint.id)) continue;
          given.add(known.endpoint.id);
          yield known;
        }
        if (!isLooking || closing.signal.aborted) return;
        await unlessAborted(Promise.race([next, looked]), signal);
      }
    },
    async find(id, signal) {
      void start();
      const look = isLooking ? firstLook : discovery?.browse(signal);
      let isOver = false;
      const over = Promise.resolve(look).catch(() => undefined).then(() => (isOver = true));
      for (;;) {
        const endpoint = entries.get(id)?.endpoint;
        if (endpoint || isOver) return endpoint;
        await unlessAborted(Promise.race([turn, over]), signal);
      }
    },
    remember(known) {
      const entry = entries.get(known.endpoint.id);
      if (!entry) return;
      Object.assign(entry, { known, isSettled: true, failures: 0, at: performance.now() });
      changed();
    },
    doubt: id => void ask(id),
    remembered,
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
