/** Looks for scanners of the local network: mDNS, DNS-SD (RFC 6762, 6763). */
import { isIPv4 } from 'node:net';
import type { RemoteInfo } from 'node:dgram';
import { delay, messageOf, type Log } from '@platen/core/plugin';
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
  let mdns: MulticastDNS | undefined;
  let said = false;
  let isClosed = false;
  const records = createRecords();

  function failed(error: unknown): void {
    if (!said) log.warn(`Scanners of the network are not looked for: ${messageOf(error)}. Those that are configured by their address can be used.`);
    said = true;
    mdns?.destroy();
    mdns = undefined;
  }

  function open(): MulticastDNS {
    // The library's own choice of an interface is the first one; to hear all of them the socket is bound to none.
    const opened = makeMdns({ port: discoveryPort, ...(discoveryInterface !== undefined && { interface: discoveryInterface, bind: '0.0.0.0' }) });
    opened.on('error', failed);
    opened.on('warning', (error: Error) => log.debug(`mDNS: ${error.message}`));
    opened.on('response', (packet: ResponsePacket, from: RemoteInfo) => records.take(packet, isIPv4(from.address) ? from.address : undefined));
    return opened;
  }

  return {
    async look(signal) {
      signal.throwIfAborted();
      if (isClosed) return [];
      mdns ??= open();
      const until = performance.now() + discoverySeconds * 1000;
      // Twice, since packets get lost; and what a device left out is asked for.
      for (let asked = 0; performance.now() < until && mdns; asked++) {
        const questions = [...(asked < 2 ? services : []).map(name => ({ name, type: 'PTR' as const })), ...records.missing()];
        if (questions.length > 0) mdns.query({ questions });
        await delay(Math.max(1, Math.min(discoverySeconds * 250, until - performance.now())), signal);
      }
      return records.announcements().flatMap(each => announcedPlace(each) ?? []);
    },
    close() {
      isClosed = true;
      mdns?.destroy();
      mdns = undefined;
    },
  };
}
