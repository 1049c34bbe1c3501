/** Where a scanner is: configured or discovered. Nothing else is ever called. */
import { plain, uuidOf } from './machine.js';

export interface Place {
  /** Stable: the configured address, or the device's own identity as discovery says. */
  readonly id: string;
  /** With the path of the service, without a slash at its end. */
  readonly url: URL;
  /** What discovery says of it before it is asked. */
  readonly told?: Told;
}

export interface Told {
  /** The name under which it is announced: `Office`. */
  readonly instance: string;
  readonly makeAndModel: string;
  readonly uuid: string;
  readonly feeder: boolean;
  readonly flatbed: boolean;
  readonly duplex: boolean;
}

/** @param address as configured; the path is eSCL where there is none */
export function configuredPlace(address: string): Place {
  const url = new URL(address);
  if (url.pathname === '/') url.pathname = '/eSCL';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { id: url.href, url };
}

export interface Announcement {
  readonly isTls: boolean;
  /** The service's full name: `Office._uscan._tcp.local`. */
  readonly fullName: string;
  /** An IPv4 address, or an IPv6 one without brackets. */
  readonly address: string;
  readonly port: number;
  /** Keys in lower case. */
  readonly txt: Readonly<Record<string, string>>;
}

/** Undefined for what cannot be one. TXT keys are those of Apple's AirScan: rs, ty, uuid, pdl, cs, is, duplex. */
export function announcedPlace({ isTls, fullName, address, port, txt }: Announcement): Place | undefined {
  const root = (txt['rs'] ?? 'eSCL').replace(/^\/+|\/+$/g, '');
  if (!/^[\w./~-]{0,64}$/.test(root) || /(?:^|\/)\.\.?(?:\/|$)/.test(root) || port < 1 || port > 65_535) return undefined;
  const host = address.includes(':') ? `[${address}]` : address;
  const uuid = uuidOf(txt['uuid']);
  const instance = plain(fullName.split('._usc')[0]);
  const sources = (txt['is'] ?? '').toLowerCase().split(',').map(each => each.trim());
  const flatbed = sources.includes('platen');
  const feeder = sources.includes('adf') || sources.includes('feeder');
  return {
    id: uuid === '' ? fullName : uuid,
    url: new URL(`${isTls ? 'https' : 'http'}://${host}:${port}${root === '' ? '' : `/${root}`}`),
    told: {
      instance,
      makeAndModel: plain(txt['ty']) || instance,
      uuid,
      feeder,
      flatbed: flatbed || !feeder,
      duplex: feeder && /^t/i.test(txt['duplex'] ?? ''),
    },
  };
}

/** Without a slash at its end. */
export function rootOf({ url }: Place): string {
  return url.pathname.replace(/\/+$/, '');
}
