/** Settings of the device itself, under one name from the scan's parameters to the driver's order. */
import { adjustmentParameters } from './words.js';

export const transferModes = ['Auto', 'Native', 'Buffered'] as const;
/** How a TWAIN source transfers its pixels; other drivers ignore it. */
export type TransferMode = (typeof transferModes)[number];

/**
 * A part of a page, in millimetres from the top left corner of the page as it comes out: of the sheet where the device
 * finds its edges, else of everything that the source can scan. What lies outside the sheet is background.
 */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const MM_PER_INCH = 25.4;

/** A length on a page in pixels, rounded; at least 1. */
export function pixelsAt(dpi: number, lengthMm: number): number {
  return Math.max(1, Math.round((lengthMm * dpi) / MM_PER_INCH));
}

/** The scale of `brightness` and `contrast`; 0 is as the device has it. */
export const levelRange = { minimum: -100, maximum: 100 } as const;
/** The scale of `threshold`. */
export const thresholdRange = { minimum: 0, maximum: 255 } as const;

/** In an order: only what the capabilities of its source name. Software does the rest. */
export interface ScanControls {
  /** Absent: the source's configured default. */
  readonly transferMode?: TransferMode;
  /** Replaces the order's page size: a page has this size to one pixel per 300 dpi, at least one. */
  readonly area?: Area;
  /** Integer, -100 to 100: towards white. Absent: 0, as the device has it. */
  readonly brightness?: number;
  /** Integer, -100 to 100: towards more. Absent: 0, as the device has it. */
  readonly contrast?: number;
  /** Integer, 0 to 255: a darker sample is black. For BlackAndWhite only. Absent: the device's own. */
  readonly threshold?: number;
  /** Of the source's `driverOptions`, by name. Absent ones have their defaults, also after a scan that set them. */
  readonly driverOptions?: DriverOptionValues;
}

/** Controls whose effect is visible on a page: software can do them too. */
export const pageControls = ['area', 'brightness', 'contrast', 'threshold'] as const;
export type PageControl = (typeof pageControls)[number];

/** Controls that a source's hardware may do itself. `sheets`: it feeds no sheet more, also if it is `continuous`. */
export const hardwareControls = [...pageControls, 'sheets'] as const;
export type HardwareControl = (typeof hardwareControls)[number];

export type DriverOptionValue = string | number | boolean;
export type DriverOptionValues = Readonly<Record<string, DriverOptionValue>>;

export const optionTypes = ['boolean', 'integer', 'number', 'string'] as const;
export const optionUnits = ['mm', 'dpi', 'percent', 'pixel', 'bit', 'microsecond'] as const;
/** Scan parameters that an option of a driver may contradict. */
export const optionControls = [
  'source',
  'sheets',
  'resolution',
  'colorMode',
  'duplexMode',
  'pageSize',
  ...pageControls,
  ...adjustmentParameters.map(each => each.parameter),
  'transferMode',
] as const;
export type OptionControl = (typeof optionControls)[number];

/**
 * What a scanner's driver offers beyond the contract, as the device or its vendor's driver describes it. Nothing is
 * invented: a fact that cannot be read is absent, an option that cannot be read is not listed.
 */
export interface DriverOption {
  /** Unique in its source; as clients write it. */
  readonly name: string;
  /** For people, as the vendor has it. */
  readonly title?: string;
  readonly description?: string;
  readonly type: (typeof optionTypes)[number];
  readonly unit?: (typeof optionUnits)[number];
  /** Of an integer or number; both are allowed values. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** From the minimum, or from 0; another value becomes the nearest. */
  readonly step?: number;
  /** All values that it takes. Absent: what its type and range allow. */
  readonly values?: readonly DriverOptionValue[];
  readonly default?: DriverOptionValue;
  /** The scan parameters that set the same: a request may have the option or the parameters. */
  readonly controls?: readonly OptionControl[];
  /** The vendor counts it as one for experts: clients show it apart. Absent: it is not. */
  readonly advanced?: boolean;
}

/** A setting of the device that scan parameters set, and only they: a request for it by name is refused. */
export interface ReservedOption {
  /** As the vendor's interface has it. */
  readonly name: string;
  /** At least one. */
  readonly controls: readonly OptionControl[];
}
