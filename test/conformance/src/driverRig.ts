/** A rig: a driver under test with one device, and functions that load paper and cause faults. */
import type { Driver, DriverCode } from '@platen/core/plugin';

export interface DriverRig {
  readonly driver: Driver;
  readonly deviceId: string;
  /** Inserts this many more sheets into the feeder. */
  load(sheets: number): Promise<void>;
  /** Sheets in the feeder now, unfed. */
  remaining?(): Promise<number>;
  /** Makes the following scans fail when they reach this sheet (1-based): with a code, or by never delivering it. */
  fault?(sheet: number, fault: DriverCode | 'hang'): Promise<void>;
  /** Makes the device deliver this sheet's data truncated, without an error. */
  tear?(sheet: number): Promise<void>;
  /** Clears the faults. */
  clearFaults?(): Promise<void>;
  dispose?(): Promise<void>;
}

export interface DriverFeatures {
  readonly feeder: boolean;
  readonly flatbed: boolean;
  readonly duplex: boolean;
  /** Faults that `rig.fault` can cause. */
  readonly faults: readonly (DriverCode | 'hang')[];
  /** `rig.tear` can make the device deliver a truncated page. */
  readonly tears?: boolean;
  /** How long to wait for one answer of the device before a case fails, in ms; 10 000 when absent. */
  readonly timeoutMs?: number;
  /** Where the driver's package is imported from, for promise 7. */
  readonly packageUrl?: URL;
}
