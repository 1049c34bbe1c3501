/** The capabilities of a virtual scanner, and the check of an order against them. */
import {
  ScanError,
  type Capabilities,
  type ScanOrder,
  type Source,
  type SourceCapabilities,
} from '@platen/core/plugin';
import type { ScannerSettings } from './options.js';

export function capabilitiesOf(scanner: ScannerSettings): Capabilities {
  const { resolutions, colorModes, pageSizes, duplex } = scanner;
  const common = { resolutions, colorModes, pageSizes };
  const feeder: SourceCapabilities = { ...common, duplex, adjustments: duplex ? ['turn'] : [] };
  const flatbed: SourceCapabilities = { ...common, duplex: false, adjustments: [] };
  return { ...(scanner.feeder && { feeder }), ...(scanner.flatbed && { flatbed }) };
}

/** @throws ScanError `unsupported`, naming the wrong value and the supported ones */
export function checkOrder(scanner: ScannerSettings, order: ScanOrder): void {
  if (!scanner[order.source]) refuse(scanner, `a ${order.source}`, [other[order.source]]);
  check(scanner, `${order.resolution} dpi`, order.resolution, scanner.resolutions);
  check(scanner, `the colour mode ${order.colorMode}`, order.colorMode, scanner.colorModes);
  check(scanner, `the page size ${order.pageSize}`, order.pageSize, scanner.pageSizes);
  if (!scanner.duplex) check(scanner, order.duplexMode, order.duplexMode, ['Simplex']);
}

const other: Readonly<Record<Source, string>> = { feeder: 'a flatbed', flatbed: 'a feeder' };

function check(scanner: ScannerSettings, what: string, value: unknown, has: readonly unknown[]): void {
  if (!has.includes(value)) refuse(scanner, what, has);
}

function refuse(scanner: ScannerSettings, what: string, has: readonly unknown[]): never {
  throw new ScanError('unsupported', `"${scanner.name}" does not have ${what}; it has ${has.join(', ')}.`);
}
