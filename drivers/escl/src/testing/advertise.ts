/** Advertises a device by mDNS, on loopback by default. */
import { once } from 'node:events';
import makeMdns, { type MulticastDNS } from 'multicast-dns';
import type { ServiceFacts } from './serviceFacts.js';

type Answers = Exclude<Parameters<MulticastDNS['respond']>[0], readonly unknown[]>['answers'];

export interface AdvertiseOptions {
  /** IPv4 address of the interface; 127.0.0.1 when absent. */
  readonly interface?: string;
  /** UDP; 5353 when absent. Separate ports keep tests apart. */
  readonly port?: number;
  /** The address that is advertised; 127.0.0.1 when absent. */
  readonly address?: string;
}

export interface Advertisement {
  /** The number of queries for it. */
  readonly asked: number;
  /** Sends a goodbye, and ends. */
  withdraw(): Promise<void>;
  /** Ends without a goodbye, as when the cable is unplugged. */
  vanish(): Promise<void>;
}

const SECONDS = 120;

/** Announces the service, and answers queries until it is withdrawn. */
export async function advertise(service: ServiceFacts, options: AdvertiseOptions = {}): Promise<Advertisement> {
  const { interface: network = '127.0.0.1', port = 5353, address = '127.0.0.1' } = options;
  // A socket bound to one address receives no multicast.
  const mdns = makeMdns({ interface: network, bind: '0.0.0.0', port });
  const ended = { already: false };
  let asked = 0;
  mdns.on('query', ({ questions = [] }) => {
    const type = `${service.type}.local`;
    if (!questions.some(({ name }) => name.toLowerCase() === type || name === `${service.name}.${type}`)) return;
    asked++;
    mdns.respond({ answers: recordsOf(service, address, SECONDS) });
  });
  await once(mdns, 'ready');
  mdns.respond({ answers: recordsOf(service, address, SECONDS) });

  async function vanish(): Promise<void> {
    if (ended.already) return;
    ended.already = true;
    await new Promise<void>(resolve => mdns.destroy(() => resolve()));
  }
  return {
    get asked() {
      return asked;
    },
    vanish,
    async withdraw() {
      if (!ended.already)
        await new Promise<void>(resolve => mdns.respond({ answers: recordsOf(service, address, 0) }, () => resolve()));
      await vanish();
    },
  };
}

function recordsOf({ name, type, port, txt }: ServiceFacts, address: string, ttl: number): Answers {
  const instance = `${name}.${type}.local`;
  const host = `${txt['uuid'] ?? 'device'}.local`;
  return [
    { name: `${type}.local`, type: 'PTR', ttl, data: instance },
    { name: instance, type: 'SRV', ttl, data: { target: host, port } },
    { name: instance, type: 'TXT', ttl, data: Object.entries(txt).map(([key, value]) => `${key}=${value}`) },
    { name: host, type: 'A', ttl, data: address },
  ];
}
