/** A rig: a driver under test with one device, and functions that load paper and cause faults. */
import type { HardwareControl } from '@platen/core/driver';
import type { Area, DecodedImage, Driver, DriverCode, EncodedPage, ScanOrder, Source } from '@platen/core/plugin';

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
  /** Takes the device away as if its cable had been pulled or its mains were off, also during a scan. */
  unplug?(): Promise<void>;
  /** Brings back the device that `unplug` took. What lies in its feeder may be gone. */
  plug?(): Promise<void>;
  /** Another device of the same driver, which scans at the same time. Its features are those of the first. */
  readonly second?: { readonly deviceId: string; load(sheets: number): Promise<void> };
  /** The pixels of a page that the device encoded: for cases that look at the picture. */
  decode?(page: EncodedPage): Promise<DecodedImage>;
  dispose?(): Promise<void>;
}

export interface DriverFeatures {
  readonly feeder: boolean;
  readonly flatbed: boolean;
  readonly duplex: boolean;
  /** Faults that `rig.fault` can cause. */
  readonly faults: readonly (DriverCode | 'hang')[];
  /** Those that it can cause on the flatbed too, as sheet 1. All but those of paper when absent. */
  readonly flatbedFaults?: readonly (DriverCode | 'hang')[];
  /** `rig.tear` can make the device deliver a truncated page. */
  readonly tears?: boolean;
  /** `rig.unplug` and `rig.plug` take the device away and bring it back. */
  readonly unplugs?: boolean;
  /**
   * Devices that the driver can have at once: 2 or more where the rig has a `second`; 1 where the driver can never have
   * more than one, so that their cases do not apply. Absent: the rig has one only, and they are not tried.
   */
  readonly devices?: number;
  /** Sheets that the rig can load one after the other, in lots of at most 20; 200 when absent. Real paper may be less. */
  readonly pages?: number;
  /**
   * What to ask for so that the `data` of a page has 1 MB or more: copies of it are counted. Where a device is simulated
   * in the process of the test, its memory counts too. Absent: not tried.
   */
  readonly largePage?: Partial<ScanOrder> | undefined;
  /** Controls that the capabilities of its sources name: their cases apply. Absent: none. */
  readonly controls?: readonly HardwareControl[];
  /** The capabilities list options of the driver. Absent: no. */
  readonly driverOptions?: boolean;
  /** What lies where on the sheets: for the place of an area. Absent: its size is checked only. */
  readonly marks?: readonly Mark[];
  /** How long to wait for one answer of the device before a case fails, in ms; 10 000 when absent. */
  readonly timeoutMs?: number;
  /** Where the driver's package is imported from, for promise 7. */
  readonly packageUrl?: URL;
}

/** A rectangle of one colour on each sheet that `load` inserts, or on what lies on the flatbed. */
export interface Mark {
  readonly source: Source;
  /** No nearer to the left and top edge of the page than half its own size. */
  readonly area: Area;
  /** 0, black, to 255, within 32. What surrounds it differs by more than 64. */
  readonly lightness: number;
}
