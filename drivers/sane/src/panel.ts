/** The options of an open device, read again whenever setting one has changed the others. */
import type { Log } from '@platen/core/plugin';
import { nearest, settable, usable, type Descriptors } from './descriptors.js';
import type { Handle } from './handle.js';
import type { Choice } from './sources.js';
import { statusOf } from './statuses.js';

export interface Panel {
  /** As they are now. */
  readonly descriptors: Descriptors;
  /**
   * Sets an option, a number to the nearest that it takes. A backend may refuse: the pages will say what became of it.
   * @returns whether the option is there and took the value
   */
  set(choice: Choice): Promise<boolean>;
  setAll(choices: readonly Choice[]): Promise<void>;
  /** The value of an option that can be read now, else undefined. */
  get(name: string): Promise<unknown>;
}

/** Statuses with which a backend refuses one value; after others the device is of no use. */
const refusals = ['INVAL', 'UNSUPPORTED', 'BAD_REQUEST'];

export async function createPanel(handle: Handle, log: Log): Promise<Panel> {
  let descriptors = await handle.options();
  const panel: Panel = {
    get descriptors() {
      return descriptors;
    },
    async set({ name, value }) {
      const option = settable(descriptors, name);
      if (!option) return false;
      const wanted = typeof value === 'number' ? nearest(option, value) : value;
      try {
        if (await handle.set(option.index, option.type === 'int' ? Math.round(Number(wanted)) : wanted)) descriptors = await handle.options();
        return true;
      } catch (error) {
        if (!refusals.includes(statusOf(error) ?? '')) throw error;
        log.debug(`The backend refused ${name} = ${String(wanted)}.`);
        return false;
      }
    },
    async setAll(choices) {
      for (const choice of choices) await panel.set(choice);
    },
    async get(name) {
      const option = usable(descriptors, name);
      return option?.readable ? handle.get(option.index) : undefined;
    },
  };
  return panel;
}
