/** What the driver suite needs of a body to test: a driver, one device, and hands to load paper and to cause faults. */
import type { Driver, DriverCode } from '@platen/core/plugin';

export interface DriverRig {
  readonly driver: Driver;
  readonly deviceId: string;
  /** Puts so many more sheets into the feeder. */
  load(sheets: number): Promise<void>;
  /** Sheets that lie in the feeder now, unfed. */
  remaining?(): Promise<number>;
  /** Makes the following scans fail when they reach this sheet (1-based): with a code, or by never delivering it. */
  fault?(sheet: number, fault: DriverCode | 'hang'): Promise<void>;
  /** Makes the device hand over this sheet's data without their end, as if all were well. */
  tear?(sheet: number): Promise<void>;
  /** Clears the faults. */
  mend?(): Promise<void>;
  dispose?(): Promise<void>;
}

export interface DriverFeatures {
  readonly feeder: boolean;
  readonly flatbed: boolean;
  readonly duplex: boolean;
  /** Faults that `rig.fault` can cause on this body. */
  readonly faults: readonly (DriverCode | 'hang')[];
  /** `rig.tear` can make the device hand over a page without its end. */
  readonly tears?: boolean;
  /** How long to wait for one answer of the device before a case fails; 10 000 ms when absent. */
  readonly patienceMs?: number;
  /** Where the driver's package is imported from, for promise 7. */
  readonly packageUrl?: URL;
}
