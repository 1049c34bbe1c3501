/** Why an entry of the configuration is not loaded. */
import type { LeftOutState, LoadFault } from './entry.js';

export class LeftOut extends Error {
  readonly state: LeftOutState;
  readonly fault: LoadFault | undefined;
  constructor(state: LeftOutState, message: string, options: ErrorOptions & { readonly fault?: LoadFault } = {}) {
    super(message, options);
    this.state = state;
    this.fault = options.fault;
  }
}

/** A plugin that is refused at a step of the loader. */
export const refused = (fault: LoadFault, message: string, cause?: unknown): LeftOut =>
  new LeftOut('refused', message, { fault, cause });
