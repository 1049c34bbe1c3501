/** The mDNS sockets, one for each network interface: they open and close as interfaces appear and vanish. */
import type { RemoteInfo } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { messageOf, type Log } from '@platen/core/plugin';
import makeMdns, { type MulticastDNS, type QueryPacket, type ResponsePacket } from 'multicast-dns';
import type { EsclOptions } from '../options.js';

export interface MdnsSocketsParts {
  readonly options: Pick<EsclOptions, 'discoveryInterface' | 'discoveryPort'>;
  readonly log: Log;
  /** A socket can send queries from now on. */
  onReady(): void;
  /** @param from the sender's address, if it is an IPv4 one */
  onResponse(packet: ResponsePacket, from: string | undefined): void;
}

export interface MdnsSockets {
  /** Opens a socket on each interface that has none, and closes those whose interface has vanished. */
  update(): void;
  /** Sends a query on every interface. */
  query(questions: NonNullable<QueryPacket['questions']>): void;
  close(): void;
}

export function createMdnsSockets({ options, log, onReady, onResponse }: MdnsSocketsParts): MdnsSockets {
  const { discoveryInterface, discoveryPort } = options;
  /** By the address of the interface: a socket sends queries on one interface only. */
  const sockets = new Map<string, MulticastDNS>();
  let hasWarned = false;

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
    opened.once('ready', onReady);
    opened.on('warning', (error: Error) => log.debug(`mDNS on ${address}: ${error.message}`));
    opened.on('response', (packet: ResponsePacket, from: RemoteInfo) =>
      onResponse(packet, isIPv4(from.address) ? from.address : undefined),
    );
  }

  return {
    update() {
      let addresses: readonly string[];
      try {
        addresses = discoveryInterface === undefined ? interfaceAddresses() : [discoveryInterface];
      } catch (error) {
        // Out of file descriptors: open sockets stay open.
        return log.debug(`Could not list the network interfaces: ${messageOf(error)}.`);
      }
      for (const [address, mdns] of sockets) if (!addresses.includes(address)) drop(address, mdns);
      for (const address of addresses) if (!sockets.has(address)) open(address);
    },
    query(questions) {
      for (const socket of sockets.values()) socket.query({ questions });
    },
    close() {
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
