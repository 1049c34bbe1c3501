/** Tells a network of a device by mDNS: on loopback, unless it is told another interface. */
import { once } from 'node:events';
import makeMdns, { type MulticastDNS } from 'multicast-dns';
import type { ServiceFacts } from './serviceFacts.js';

type Answers = Exclude<Parameters<MulticastDNS['respond']>[0], readonly unknown[]>['answers'];

export interface AdvertiseOptions {
  /** IPv4 address of the interface; 127.0.0.1 when absent. */
  readonly interface?: string;
  /** UDP; 5353 when absent. A port of their own keeps tests apart. */
  readonly port?: number;
  /** Where the device is said to be; 127.0.0.1 when absent. */
  readonly address?: string;
}

export interface Advertisement {
  /** How often it was asked for. */
  readonly asked: number;
  /** Says goodbye, and ends. */
  withdraw(): Promise<void>;
  /** Ends without a word, as a device does whose cable is pulled. */
  vanish(): Promise<void>;
}

const SECONDS = 120;

/** Announces the service, and answers whoever asks, until it is withdrawn. */
export async function advertise(service: ServiceFacts, options: AdvertiseOptions = {}): Promise<Advertisement> {
  const { interface: network = '127.0.0.1', port = 5353, address = '127.0.0.1' } = options;
  // Bound to one address, a socket hears nothing that is sent to a group.
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
      if (!ended.already) await new Promise<void>(resolve => mdns.respond({ answers: recordsOf(service, address, 0) }, () => resolve()));
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
