/** Settings of the device itself, under one name from the scan's parameters to the driver's order. */

export const transferModes = ['Auto', 'Native', 'Buffered'] as const;
/** How a TWAIN source transfers its pixels; other drivers ignore it. */
export type TransferMode = (typeof transferModes)[number];

export interface ScanControls {
  /** Absent: the source's configured default. */
  readonly transferMode?: TransferMode;
}
