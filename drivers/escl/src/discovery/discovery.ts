/** Browses the local network for scanners continuously: mDNS and DNS-SD (RFC 6762, 6763). */
import type { RemoteInfo } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { delay } from '@platen/core/driver';
import { messageOf, type Log } from '@platen/core/plugin';
import makeMdns, { type MulticastDNS, type ResponsePacket } from 'multicast-dns';
import { announcedEndpoint, type Endpoint } from './endpoint.js';
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
export function createDiscovery(
  { discoverySeconds, discoveryInterface, discoveryPort }: EsclOptions,
  log: Log,
  onChange: () => void,
): Discovery {
  /** By the address of the interface: a socket sends queries on one interface only. */
  const sockets = new Map<string, MulticastDNS>();
  const records = createRecordCache();
  let timer: NodeJS.Timeout | undefined;
  let due = Infinity;
  let interval = FIRST_INTERVAL_MS;
  let queryAt = Infinity;
  let interfacesAt = 0;
  let queryPauseEnd = 0;
  let hasWarned = false;
  let isClosed = false;
  let last = '[]';
  let known: readonly Endpoint[] = [];

  function drop(address: string, mdns: MulticastDNS): void {
    mdns.destroy();
    if (sockets.get(address) === mdns) sockets.delete(address);
  }

  function open(address: string): void {
    // A socket bound to one address receives no multicast.
    const opened = makeMdns({ port: discoveryPort, interface: address, bind: '0.0.0.0' });
    sockets.set(address, opened);
    opened.on('error', (error: Error) => {
      if (!hasWarned)
        log.warn(
          `No discovery of scanners on ${address}: ${error.message}. It is retried; scanners configured by address still work.`,
        );
      hasWarned = true;
      drop(address, opened);
    });
    opened.once('ready', () => {
      [queryAt, interval] = [0, FIRST_INTERVAL_MS];
      wakeAt(performance.now());
    });
    opened.on('warning', (error: Error) => log.debug(`mDNS on ${address}: ${error.message}`));
    opened.on('response', (packet: ResponsePacket, from: RemoteInfo) => {
      records.receive(packet, isIPv4(from.address) ? from.address : undefined, performance.now());
      wakeAt(performance.now() + SETTLE_MS);
    });
  }

  /** Opens and closes sockets as interfaces appear and vanish. */
  function updateInterfaces(): void {
    let addresses: readonly string[];
    try {
      addresses = discoveryInterface === undefined ? interfaceAddresses() : [discoveryInterface];
    } catch (error) {
      // Out of file descriptors: open sockets stay open.
      return log.debug(`Could not list the network interfaces: ${messageOf(error)}.`);
    }
    for (const [address, mdns] of sockets) if (!addresses.includes(address)) drop(address, mdns);
    for (const address of addresses) if (!sockets.has(address)) open(address);
  }

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
      updateInterfaces();
    }
    const questions = now >= queryPauseEnd ? records.questions(now) : [];
    if (now >= queryAt) {
      questions.unshift(...services.map(name => ({ name, type: 'PTR' as const })));
      queryAt = now + interval;
      interval = Math.min(interval * 2, MAX_INTERVAL_MS);
    }
    if (questions.length > 0) {
      queryPauseEnd = now + QUERY_PAUSE_MS;
      for (const socket of sockets.values()) socket.query({ questions });
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
      await delay(discoverySeconds * 1000, signal);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const [address, mdns] of [...sockets]) drop(address, mdns);
    },
  };
}

/** With loopback: programs such as ipp-usb advertise USB scanners there. */
function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address);
}
