/** The capabilities of a virtual scanner, and the check of an order against them. */
import { checkDriverOptions } from '@platen/core/driver';
import {
  ScanError,
  type Area,
  type AreaLimits,
  type Capabilities,
  type DriverOption,
  type ScanOrder,
  type Source,
  type SourceCapabilities,
} from '@platen/core/plugin';
import { areas, MM_PER_INCH } from './layout.js';
import type { ScannerSettings } from './options.js';

const limitsOf = ({ largest }: ScannerSettings): AreaLimits => ({
  width: tenths(areas[largest].width * MM_PER_INCH),
  height: tenths(areas[largest].height * MM_PER_INCH),
  minWidth: 1,
  minHeight: 1,
});

/** Colours that the lamp does not see: `dropout`. */
export const dropouts = ['none', 'red', 'green', 'blue'] as const;

export function capabilitiesOf(scanner: ScannerSettings): Capabilities {
  const { resolutions, colorModes, pageSizes, duplex } = scanner;
  const common = {
    resolutions,
    colorModes,
    pageSizes,
    area: limitsOf(scanner),
    driverOptions: driverOptionsOf(scanner),
  };
  const feeder: SourceCapabilities = {
    ...common,
    duplex,
    adjustments: duplex ? ['turn'] : [],
    controls: ['area', 'sheets'],
  };
  const flatbed: SourceCapabilities = { ...common, duplex: false, adjustments: [], controls: ['area'] };
  return { ...(scanner.feeder && { feeder }), ...(scanner.flatbed && { flatbed }) };
}

function driverOptionsOf({ backing }: ScannerSettings): readonly DriverOption[] {
  return [
    {
      name: 'backing',
      title: 'Background',
      description: 'The background behind a sheet that is smaller than the page.',
      type: 'string',
      values: ['white', 'black'],
      default: backing,
    },
    {
      name: 'dropout',
      title: 'Dropout colour',
      description: 'Ink of this colour is scanned as white in Grayscale and BlackAndWhite. Color ignores it.',
      type: 'string',
      values: dropouts,
      default: 'none',
    },
  ];
}

/** @throws ScanError `unsupported`, naming the wrong value and the supported ones */
export function checkOrder(scanner: ScannerSettings, order: ScanOrder): void {
  if (!scanner[order.source]) refuse(scanner, `a ${order.source}`, [other[order.source]]);
  check(scanner, `${order.resolution} dpi`, order.resolution, scanner.resolutions);
  check(scanner, `the colour mode ${order.colorMode}`, order.colorMode, scanner.colorModes);
  if (order.area) checkArea(scanner, order.area);
  else check(scanner, `the page size ${order.pageSize}`, order.pageSize, scanner.pageSizes);
  if (!scanner.duplex) check(scanner, order.duplexMode, order.duplexMode, ['Simplex']);
  checkDriverOptions(driverOptionsOf(scanner), order.driverOptions);
}

function checkArea(scanner: ScannerSettings, { x, y, width, height }: Area): void {
  const rounding = 0.01;
  const limits = limitsOf(scanner);
  const fits = x + width <= limits.width + rounding && y + height <= limits.height + rounding;
  if (!fits)
    refuse(scanner, `an area to ${tenths(x + width)} x ${tenths(y + height)} mm`, [
      `${limits.width} x ${limits.height} mm`,
    ]);
}

const other: Readonly<Record<Source, string>> = { feeder: 'a flatbed', flatbed: 'a feeder' };

function check(scanner: ScannerSettings, what: string, value: unknown, has: readonly unknown[]): void {
  if (!has.includes(value)) refuse(scanner, what, has);
}

function refuse(scanner: ScannerSettings, what: string, has: readonly unknown[]): never {
  throw new ScanError('unsupported', `"${scanner.name}" does not have ${what}; it has ${has.join(', ')}.`);
}

function tenths(mm: number): number {
  return Math.round(mm * 10) / 10;
}
