/** Capabilities that are set for one scan only: they have their defaults in the next one. */
import type { CapabilityNegotiation } from './capabilityNegotiation.js';
import type { CapabilityKey } from '../protocol/constants.js';
import type { Item } from '../protocol/itemTypes.js';

export interface TemporarySettings {
  /** As `CapabilityNegotiation.set`. */
  set(key: CapabilityKey, value: Item): Promise<boolean>;
  /** Sets the defaults of all that were set, the last one first. */
  undo(): Promise<void>;
}

export function createTemporarySettings(negotiation: CapabilityNegotiation): TemporarySettings {
  const changed: CapabilityKey[] = [];
  return {
    set(key, value) {
      changed.push(key);
      return negotiation.set(key, value);
    },
    async undo() {
      for (let key = changed.at(-1); key !== undefined; key = changed.at(-1)) {
        await negotiation.reset(key);
        changed.pop();
      }
    },
  };
}
