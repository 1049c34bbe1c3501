/** A scanner as far as it is known, in the contract's words. */
import type { Device } from '@platen/core/plugin';
import type { Machine } from './machine.js';
import type { Place } from './place.js';
import type { Quirks } from './quirks.js';

export interface Known {
  readonly place: Place;
  /** The same scanner as it is announced, where it is configured too. */
  readonly places?: readonly Place[];
  /** Absent: it did not answer. */
  readonly machine?: Machine;
  /** The Host header that it took, where that is not what its name says. */
  readonly host?: Quirks['host'];
  /** Whether what is known of it is not of now. */
  readonly isAway?: boolean;
}

export function describe({ place, places = [], machine, isAway = false }: Known, feeding: Device['feeding']): Device {
  const { id, url, told } = place;
  const makeAndModel = machine?.makeAndModel || told?.makeAndModel || url.host;
  const [first = makeAndModel] = makeAndModel.split(' ');
  const manufacturer = machine?.manufacturer ?? first;
  const identities = identitiesOf([place, ...places], machine);
  return {
    id,
    name: makeAndModel,
    manufacturer,
    model: makeAndModel.startsWith(`${manufacturer} `) ? makeAndModel.slice(manufacturer.length + 1) : makeAndModel,
    online: machine !== undefined && !isAway,
    feeder: machine ? (machine.simplex ?? machine.duplex) !== undefined : (told?.feeder ?? false),
    flatbed: machine ? machine.platen !== undefined : (told?.flatbed ?? true),
    duplex: machine ? machine.duplex !== undefined : (told?.duplex ?? false),
    feeding,
    ...(identities.length > 0 && { identities }),
  };
}

/** By its UUID, and by its address and the name under which it is announced: the name tells several scanners of one host apart, and is what sane-airscan knows too. */
function identitiesOf(places: readonly Place[], machine: Machine | undefined): readonly string[] {
  const uuids = [machine?.uuid ?? '', ...places.map(({ told }) => told?.uuid ?? '')].filter(uuid => uuid !== '').map(uuid => `uuid:${uuid}`);
  const names = places.flatMap(({ url, told }) => (told ? [`escl:${url.hostname.replace(/^\[|\]$/g, '')}/${told.instance}`] : []));
  return [...new Set([...uuids, ...names])];
}
