/** The address of a scanner's eSCL service, configured or discovered. No other address is ever called. */
import { plain, uuidOf } from '../protocol/scannerCapabilities.js';

export interface Endpoint {
  /** Stable: the configured address, or the UUID that the device advertises, with its host. */
  readonly id: string;
  /** With the path of the service, without a trailing slash. */
  readonly url: URL;
  /** Its TXT record, if it was discovered: known before the device is asked. */
  readonly advertised?: Advertised;
}

export interface Advertised {
  /** The name of the service instance: `Office`. */
  readonly instance: string;
  readonly makeAndModel: string;
  readonly uuid: string;
  /** The name of its host: `office.local`. */
  readonly host: string;
  readonly feeder: boolean;
  readonly flatbed: boolean;
  readonly duplex: boolean;
}

/** @param address as configured; without a path, `/eSCL` is used */
export function configuredEndpoint(address: string): Endpoint {
  const url = new URL(address);
  if (url.pathname === '/') url.pathname = '/eSCL';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { id: url.href, url };
}

/** One resolved DNS-SD service instance (RFC 6763). */
export interface ServiceInstance {
  readonly isTls: boolean;
  /** The service's full name: `Office._uscan._tcp.local`. */
  readonly fullName: string;
  /** The name of its host: `office.local`. */
  readonly host: string;
  /** An IPv4 address, or an IPv6 one without brackets. */
  readonly address: string;
  readonly port: number;
  /** Keys in lower case. */
  readonly txt: Readonly<Record<string, string>>;
}

/** Undefined if the instance is not a valid endpoint. The TXT keys are AirScan's: rs, ty, uuid, is, duplex. */
export function announcedEndpoint({
  isTls,
  fullName,
  host: name,
  address,
  port,
  txt,
}: ServiceInstance): Endpoint | undefined {
  const root = (txt['rs'] ?? 'eSCL').replace(/^\/+|\/+$/g, '');
  if (!/^[\w./~-]{0,64}$/.test(root) || /(?:^|\/)\.\.?(?:\/|$)/.test(root) || port < 1 || port > 65_535)
    return undefined;
  const host = address.includes(':') ? `[${address}]` : address;
  const uuid = uuidOf(txt['uuid']);
  const instance = plain(fullName.split('._usc')[0]);
  const sources = (txt['is'] ?? '')
    .toLowerCase()
    .split(',')
    .map(each => each.trim());
  const flatbed = sources.includes('platen');
  const feeder = sources.includes('adf') || sources.includes('feeder');
  return {
    // A program that serves scanners (AirSane) makes the UUID from the model: two hosts may have the same.
    id: uuid === '' ? fullName : `${uuid}@${name}`,
    url: new URL(`${isTls ? 'https' : 'http'}://${host}:${port}${root === '' ? '' : `/${root}`}`),
    advertised: {
      instance,
      makeAndModel: plain(txt['ty']) || instance,
      uuid,
      host: name,
      feeder,
      flatbed: flatbed || !feeder,
      duplex: feeder && /^t/i.test(txt['duplex'] ?? ''),
    },
  };
}

/** Without a trailing slash. */
export function rootOf({ url }: Endpoint): string {
  return url.pathname.replace(/\/+$/, '');
}
