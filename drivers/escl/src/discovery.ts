/** Looks for scanners of the local network: mDNS, DNS-SD (RFC 6762, 6763). */
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { RemoteInfo } from 'node:dgram';
import { delay, type Log } from '@platen/core/plugin';
import makeMdns, { type MulticastDNS, type ResponsePacket } from 'multicast-dns';
import { createRecords } from './records.js';
import { announcedPlace, type Place } from './place.js';
import type { EsclOptions } from './settings.js';

export interface Discovery {
  /** Asks the network, and comes back after a while with what has answered so far. Never fails: a network that cannot be asked has no scanners. */
  look(signal: AbortSignal): Promise<readonly Place[]>;
  close(): void;
}

const services = ['_uscan._tcp.local', '_uscans._tcp.local'] as const;

export function createDiscovery({ discoverySeconds, discoveryInterface, discoveryPort }: EsclOptions, log: Log): Discovery {
  /** By the address of the interface: a socket asks on one interface only. */
  const sockets = new Map<string, MulticastDNS>();
  let said = false;
  let isClosed = false;
  const records = createRecords();

  function drop(address: string): void {
    sockets.get(address)?.destroy();
    sockets.delete(address);
  }

  function open(address: string): void {
    // Bound to one address it would hear nothing that is sent to the group.
    const opened = makeMdns({ port: discoveryPort, interface: address, bind: '0.0.0.0' });
    sockets.set(address, opened);
    opened.on('error', (error: Error) => {
      if (!said) log.warn(`Scanners are not looked for on ${address}: ${error.message}. Those that are configured by their address can be used.`);
      said = true;
      drop(address);
    });
    opened.on('warning', (error: Error) => log.debug(`mDNS on ${address}: ${error.message}`));
    opened.on('response', (packet: ResponsePacket, from: RemoteInfo) => records.take(packet, isIPv4(from.address) ? from.address : undefined));
  }

  /** Computers come and go from networks. */
  function follow(): void {
    const addresses = discoveryInterface === undefined ? ownAddresses() : [discoveryInterface];
    for (const address of sockets.keys()) if (!addresses.includes(address)) drop(address);
    for (const address of addresses) if (!sockets.has(address)) open(address);
  }

  return {
    async look(signal) {
      signal.throwIfAborted();
      if (isClosed) return [];
      follow();
      const until = performance.now() + discoverySeconds * 1000;
      // Twice, since packets get lost; and what a device left out is asked for.
      for (let asked = 0; performance.now() < until && sockets.size > 0; asked++) {
        const questions = [...(asked < 2 ? services : []).map(name => ({ name, type: 'PTR' as const })), ...records.missing()];
        if (questions.length > 0) for (const socket of sockets.values()) socket.query({ questions });
        await delay(Math.max(1, Math.min(discoverySeconds * 250, until - performance.now())), signal);
      }
      return records.announcements().flatMap(each => announcedPlace(each) ?? []);
    },
    close() {
      isClosed = true;
      for (const address of [...sockets.keys()]) drop(address);
    },
  };
}

/** This computer's too: programs for USB scanners announce them there. */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap(each => each ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address);
}
