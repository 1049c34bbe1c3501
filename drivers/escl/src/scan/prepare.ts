/** The ScanSettings for an order, decided before anything moves. */
import { assertPixels, checkDriverOptions } from '@platen/core/driver';
import {
  ScanError,
  type ColorMode,
  type PageFacts,
  type PageWork,
  type ScanOrder,
  type Source,
} from '@platen/core/plugin';
import { short } from '../http/esclError.js';
import { capabilitiesOf, esclModes, formatOf, pixelsOf, regionOf, regionOfArea } from '../protocol/capabilities.js';
import type { ScannerCapabilities } from '../protocol/scannerCapabilities.js';
import { levels, settingsFor } from '../protocol/supportedSettings.js';
import type { ScanSettings } from '../protocol/scanSettings.js';

export interface Prepared {
  readonly settings: ScanSettings;
  readonly sides: readonly PageFacts['side'][];
  readonly lossless: boolean;
  /** Controls that the device follows. */
  readonly adjusted: readonly PageWork[];
}

/** @throws ScanError `unsupported` if the device lacks the source, or the page has too many pixels; or for an option that it does not take */
export function prepare(capabilities: ScannerCapabilities, source: Source, order: ScanOrder, name: string): Prepared {
  const wantsBoth = source === 'feeder' && order.duplexMode !== 'Simplex';
  // A duplex-only feeder always scans both sides.
  const both = source === 'feeder' && capabilities.duplex !== undefined && (wantsBoth || !capabilities.simplex);
  const caps = source === 'flatbed' ? capabilities.platen : both ? capabilities.duplex : capabilities.simplex;
  if (!caps) throw new ScanError('unsupported', `"${name}" has no ${source}.`);
  const its = capabilitiesOf(capabilities)[source];
  checkDriverOptions(its?.driverOptions, order.driverOptions);
  const offered = its?.colorModes ?? [];
  const mode =
    ([order.colorMode, 'Grayscale', 'Color'] as const).find(each => offered.includes(each)) ?? offered[0] ?? 'Color';
  const format = formatOf(caps, mode, order.lossless);
  if (!format)
    throw new ScanError(
      'unsupported',
      `"${name}" sends ${short(caps.formats.join(', '))}; Platen accepts image/jpeg, image/png and image/tiff.`,
    );
  const region = order.area
    ? regionOfArea(caps, order.area, order.resolution)
    : regionOf(caps, order.pageSize, source === 'feeder' ? capabilities.justification : 'Left');
  const values = settingsFor(capabilities, order);
  const adjusted = (['area', ...levels] as const).filter(
    each => order[each] !== undefined && its?.controls?.includes(each),
  );
  assertPixels(pixelsOf(region.width, order.resolution), pixelsOf(region.height, order.resolution), order.maxPixels);
  return {
    sides: both ? ['front', 'back'] : ['front'],
    lossless: order.lossless ?? false,
    adjusted,
    settings: {
      version: capabilities.version,
      source: source === 'feeder' ? 'Feeder' : 'Platen',
      ...(source === 'feeder' && { duplex: both }),
      mode: esclModes[mode],
      format,
      hasFormatExt: caps.hasFormatExt,
      ...(order.lossless &&
        format === 'image/jpeg' &&
        capabilities.leastCompression !== undefined && { compression: capabilities.leastCompression }),
      dpi: order.resolution,
      region,
      values,
    },
  };
}

/**
 * In grey, for a device that offers black and white and refuses it (409): without a threshold, which software then
 * applies. Undefined if that does not apply.
 */
export function asGrey(prepared: Prepared, capabilities: ScannerCapabilities): Prepared | undefined {
  const { settings, sides, lossless } = prepared;
  if (settings.mode !== esclModes.BlackAndWhite) return undefined;
  const caps =
    settings.source === 'Platen' ? capabilities.platen : sides.length > 1 ? capabilities.duplex : capabilities.simplex;
  const mode: ColorMode = 'Grayscale';
  const format = caps && caps.modes.includes(esclModes[mode]) ? formatOf(caps, mode, lossless) : undefined;
  const { Threshold: _, ...values } = settings.values;
  const adjusted = prepared.adjusted.filter(each => each !== 'threshold');
  return format && { sides, lossless, adjusted, settings: { ...settings, mode: esclModes[mode], format, values } };
}
