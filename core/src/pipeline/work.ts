/** Context that the steps of the flow share while they process the pages of one scan. */
import type { Call } from '../contract/driver.js';
import type { Software } from '../registry/registry.js';
import type { ScanNote } from './notes.js';
import type { ScanPlan } from './plan.js';
import type { Timed } from './stages.js';

export interface Work {
  readonly plan: ScanPlan;
  readonly software: Software;
  readonly call: Call;
  /** Id of the driver that delivers the pages. */
  readonly driver: string;
  /** Called with remarks for the user. */
  note(note: ScanNote): void;
  /** Absent: nobody counts. */
  readonly timed?: Timed;
}
