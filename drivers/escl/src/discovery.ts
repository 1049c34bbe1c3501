/** Browses the local network for scanners, all the time: mDNS, DNS-SD (RFC 6762, 6763). */
import type { RemoteInfo } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { delay, messageOf, type Log } from '@platen/core/plugin';
import makeMdns, { type MulticastDNS, type ResponsePacket } from 'multicast-dns';
import { announcedEndpoint, type Endpoint } from './endpoint.js';
import { createRecords } from './records.js';
import type { EsclOptions } from './settings.js';

export interface Discovery {
  /** What the network has said so far. */
  endpoints(): readonly Endpoint[];
  /**
   * Asks the network at once, and comes back when devices have had the time to answer (`discoverySeconds`). From the first look on the network is
   * listened to until `close`. Never fails: a network that cannot be asked has no scanners.
   */
  look(signal: AbortSignal): Promise<void>;
  close(): void;
}

const services = ['_uscan._tcp.local', '_uscans._tcp.local'] as const;
/** The first two questions are a second apart, and each of the following twice as far as the one before (RFC 6762, 5.2). */
const FIRST_GAP_MS = 1000;
const LONGEST_GAP_MS = 3_600_000;
/** Networks come and go without a word. */
const FOLLOW_MS = 5000;
/** Whatever is heard, questions about it are not sent more often. */
const QUIET_MS = 200;
/** What comes within this time is looked at together. */
const SETTLE_MS = 20;

/** @param onChange told when endpoints came, went or changed */
export function createDiscovery({ discoverySeconds, discoveryInterface, discoveryPort }: EsclOptions, log: Log, onChange: () => void): Discovery {
  /** By the address of the interface: a socket asks on one interface only. */
  const sockets = new Map<string, MulticastDNS>();
  const records = createRecords();
  let timer: NodeJS.Timeout | undefined;
  let due = Infinity;
  let gap = FIRST_GAP_MS;
  let askAt = Infinity;
  let followAt = 0;
  let quietUntil = 0;
  let said = false;
  let isClosed = false;
  let last = '[]';
  let known: readonly Endpoint[] = [];

  function drop(address: string, mdns: MulticastDNS): void {
    mdns.destroy();
    if (sockets.get(address) === mdns) sockets.delete(address);
  }

  function open(address: string): void {
    // Bound to one address it would hear nothing that is sent to the group.
    const opened = makeMdns({ port: discoveryPort, interface: address, bind: '0.0.0.0' });
    sockets.set(address, opened);
    opened.on('error', (error: Error) => {
      if (!said) log.warn(`Scanners are not looked for on ${address}: ${error.message}. It is tried again; those that are configured by their address can be used.`);
      said = true;
      drop(address, opened);
    });
    opened.once('ready', () => {
      [askAt, gap] = [0, FIRST_GAP_MS];
      wakeAt(performance.now());
    });
    opened.on('warning', (error: Error) => log.debug(`mDNS on ${address}: ${error.message}`));
    opened.on('response', (packet: ResponsePacket, from: RemoteInfo) => {
      records.take(packet, isIPv4(from.address) ? from.address : undefined, performance.now());
      wakeAt(performance.now() + SETTLE_MS);
    });
  }

  /** Computers come and go from networks. */
  function follow(): void {
    let addresses: readonly string[];
    try {
      addresses = discoveryInterface === undefined ? ownAddresses() : [discoveryInterface];
    } catch (error) {
      // Out of descriptors: what is open stays open.
      return log.debug(`The network interfaces are not known: ${messageOf(error)}.`);
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
    if (now >= followAt) {
      followAt = now + FOLLOW_MS;
      follow();
    }
    const questions = now >= quietUntil ? records.questions(now) : [];
    if (now >= askAt) {
      questions.unshift(...services.map(name => ({ name, type: 'PTR' as const })));
      askAt = now + gap;
      gap = Math.min(gap * 2, LONGEST_GAP_MS);
    }
    if (questions.length > 0) {
      quietUntil = now + QUIET_MS;
      for (const socket of sockets.values()) socket.query({ questions });
    }
    tell(now);
    wakeAt(Math.min(Math.max(records.next(), quietUntil, now + SETTLE_MS), Math.max(askAt, now + SETTLE_MS), followAt));
  }

  function tell(now: number): void {
    const announced = records.instances(now);
    const text = JSON.stringify(announced);
    if (text === last) return;
    last = text;
    known = announced.flatMap(each => announcedEndpoint(each) ?? []);
    onChange();
  }

  return {
    endpoints: () => known,
    async look(signal) {
      signal.throwIfAborted();
      if (isClosed) return;
      [askAt, gap, followAt] = [0, FIRST_GAP_MS, 0];
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

/** This computer's too: programs for USB scanners announce them there. */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap(each => each ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address);
}
