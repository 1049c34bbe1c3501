/** A scanner as far as it is known, in the contract's words. */
import type { Device } from '@platen/core/plugin';
import type { Machine } from './machine.js';
import type { Place } from './place.js';
import type { Quirks } from './quirks.js';

export interface Known {
  readonly place: Place;
  /** Absent: it did not answer. */
  readonly machine?: Machine;
  /** The Host header that it took, where that is not what its name says. */
  readonly host?: Quirks['host'];
  /** Whether what is known of it is of now. */
  readonly isAway?: boolean;
}

export function describe({ place: { id, url, told }, machine, isAway = false }: Known, feeding: Device['feeding']): Device {
  const makeAndModel = machine?.makeAndModel || told?.makeAndModel || url.host;
  const [first = makeAndModel] = makeAndModel.split(' ');
  const manufacturer = machine?.manufacturer ?? first;
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
  };
}
