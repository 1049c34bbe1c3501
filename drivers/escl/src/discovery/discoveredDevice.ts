/** A discovered or configured scanner: its endpoint, its own description, and the contract's Device made from it. */
import type { Device } from '@platen/core/plugin';
import type { ScannerCapabilities } from '../protocol/scannerCapabilities.js';
import type { Endpoint } from './endpoint.js';
import type { Quirks } from '../protocol/quirkTable.js';

export interface DiscoveredDevice {
  readonly endpoint: Endpoint;
  /** Of a configured scanner: the endpoints at which it is advertised too. */
  readonly endpoints?: readonly Endpoint[];
  /** Absent: it has not answered yet. */
  readonly capabilities?: ScannerCapabilities;
  /** The Host header that it accepted, if its model name does not determine it. */
  readonly host?: Quirks['host'];
  /** Whether it does not answer at present: its capabilities are those of an earlier time. */
  readonly isAway?: boolean;
}

export function deviceOf(
  { endpoint, endpoints = [], capabilities, isAway = false }: DiscoveredDevice,
  feeding: Device['feeding'],
): Device {
  const { id, url, advertised } = endpoint;
  const makeAndModel = capabilities?.makeAndModel || advertised?.makeAndModel || url.host;
  const [first = makeAndModel] = makeAndModel.split(' ');
  const manufacturer = capabilities?.manufacturer ?? first;
  const identities = identitiesOf([endpoint, ...endpoints], capabilities);
  return {
    id,
    name: makeAndModel,
    manufacturer,
    model: makeAndModel.startsWith(`${manufacturer} `) ? makeAndModel.slice(manufacturer.length + 1) : makeAndModel,
    online: capabilities !== undefined && !isAway,
    feeder: capabilities ? (capabilities.simplex ?? capabilities.duplex) !== undefined : (advertised?.feeder ?? false),
    flatbed: capabilities ? capabilities.platen !== undefined : (advertised?.flatbed ?? true),
    duplex: capabilities ? capabilities.duplex !== undefined : (advertised?.duplex ?? false),
    feeding,
    ...(identities.length > 0 && { identities }),
  };
}

/**
 * Its UUIDs; its address with its instance name, as SANE's backends for network scanners report it; and its URL, for a
 * scanner that such a backend has in its configuration.
 */
function identitiesOf(
  endpoints: readonly Endpoint[],
  capabilities: ScannerCapabilities | undefined,
): readonly string[] {
  const uuids = [capabilities?.uuid ?? '', ...endpoints.map(({ advertised }) => advertised?.uuid ?? '')]
    .filter(uuid => uuid !== '')
    .map(uuid => `uuid:${uuid}`);
  const names = endpoints.flatMap(({ url, advertised }) =>
    advertised ? [`escl:${url.hostname.replace(/^\[|\]$/g, '')}/${advertised.instance}`] : [],
  );
  const urls = endpoints.map(({ url }) => `escl:${url.origin.replace('//localhost', '//127.0.0.1')}${url.pathname}`);
  return [...new Set([...uuids, ...names, ...urls])];
}
