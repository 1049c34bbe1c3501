/** What a client sets on the device itself, under one name from the parameters of a scan to the driver's order. */

export const transferModes = ['Auto', 'Native', 'Buffered'] as const;
/** How a TWAIN source hands over its pixels; other drivers ignore it. */
export type TransferMode = (typeof transferModes)[number];

export interface ScanControls {
  /** Absent: the source's configured default. */
  readonly transferMode?: TransferMode;
}
