/** Browses the local network for scanners continuously: mDNS and DNS-SD (RFC 6762, 6763). */
import { delay } from '@platen/core/driver';
import type { Log } from '@platen/core/plugin';
import { announcedEndpoint, type Endpoint } from './endpoint.js';
import { createMdnsSockets } from './mdnsSockets.js';
import { createRecordCache } from './recordCache.js';
import type { EsclOptions } from '../options.js';

export interface Discovery {
  /** The endpoints that are advertised at present. */
  endpoints(): readonly Endpoint[];
  /**
   * Queries the network at once, and resolves when devices have had `discoverySeconds` to answer. The first call begins
   * listening, until `close`. It never fails: a network that cannot be queried has no scanners.
   */
  browse(signal: AbortSignal): Promise<void>;
  close(): void;
}

const services = ['_uscan._tcp.local', '_uscans._tcp.local'] as const;
/** The first two queries are a second apart; each further interval is twice as long (RFC 6762, 5.2). */
const FIRST_INTERVAL_MS = 1000;
const MAX_INTERVAL_MS = 3_600_000;
/** How often the network interfaces are checked: the system does not report changes. */
const INTERFACES_MS = 5000;
/** The shortest time between two queries. */
const QUERY_PAUSE_MS = 200;
/** Responses within this time are handled together. */
const SETTLE_MS = 20;

/** @param onChange called when endpoints appeared, changed or vanished */
export function createDiscovery(options: EsclOptions, log: Log, onChange: () => void): Discovery {
  const records = createRecordCache();
  let timer: NodeJS.Timeout | undefined;
  let due = Infinity;
  let interval = FIRST_INTERVAL_MS;
  let queryAt = Infinity;
  let interfacesAt = 0;
  let queryPauseEnd = 0;
  let isClosed = false;
  let last = '[]';
  let known: readonly Endpoint[] = [];

  const sockets = createMdnsSockets({
    options,
    log,
    onReady() {
      [queryAt, interval] = [0, FIRST_INTERVAL_MS];
      wakeAt(performance.now());
    },
    onResponse(packet, from) {
      records.receive(packet, from, performance.now());
      wakeAt(performance.now() + SETTLE_MS);
    },
  });

  function wakeAt(time: number): void {
    if (isClosed || time >= due) return;
    clearTimeout(timer);
    due = time;
    timer = setTimeout(wake, Math.max(0, time - performance.now())).unref();
  }

  function wake(): void {
    clearTimeout(timer);
    due = Infinity;
    const now = performance.now();
    if (now >= interfacesAt) {
      interfacesAt = now + INTERFACES_MS;
      sockets.update();
    }
    const questions = now >= queryPauseEnd ? records.questions(now) : [];
    if (now >= queryAt) {
      questions.unshift(...services.map(name => ({ name, type: 'PTR' as const })));
      queryAt = now + interval;
      interval = Math.min(interval * 2, MAX_INTERVAL_MS);
    }
    if (questions.length > 0) {
      queryPauseEnd = now + QUERY_PAUSE_MS;
      sockets.query(questions);
    }
    publish(now);
    wakeAt(
      Math.min(
        Math.max(records.nextDue(), queryPauseEnd, now + SETTLE_MS),
        Math.max(queryAt, now + SETTLE_MS),
        interfacesAt,
      ),
    );
  }

  function publish(now: number): void {
    const instances = records.instances(now);
    const text = JSON.stringify(instances);
    if (text === last) return;
    last = text;
    known = instances.flatMap(each => announcedEndpoint(each) ?? []);
    onChange();
  }

  return {
    endpoints: () => known,
    async browse(signal) {
      signal.throwIfAborted();
      if (isClosed) return;
      [queryAt, interval, interfacesAt] = [0, FIRST_INTERVAL_MS, 0];
      wake();
      await delay(options.discoverySeconds * 1000, signal);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      sockets.close();
    },
  };
}
