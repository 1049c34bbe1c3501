/** The ScanSettings for an order, decided before anything moves. */
import {
  assertPixels,
  ScanError,
  type ColorMode,
  type PageFacts,
  type ScanOrder,
  type Source,
} from '@platen/core/plugin';
import { short } from './esclError.js';
import { capabilitiesOf, esclModes, formatOf, pixelsOf, regionOf } from './capabilities.js';
import type { ScannerCapabilities } from './scannerCapabilities.js';
import type { ScanSettings } from './scanSettings.js';

export interface Prepared {
  readonly settings: ScanSettings;
  readonly sides: readonly PageFacts['side'][];
  readonly lossless: boolean;
}

/** @throws ScanError `unsupported` if the device lacks the source, or the page has too many pixels */
export function prepare(capabilities: ScannerCapabilities, source: Source, order: ScanOrder, name: string): Prepared {
  const wantsBoth = source === 'feeder' && order.duplexMode !== 'Simplex';
  // A duplex-only feeder always scans both sides.
  const both = source === 'feeder' && capabilities.duplex !== undefined && (wantsBoth || !capabilities.simplex);
  const caps = source === 'flatbed' ? capabilities.platen : both ? capabilities.duplex : capabilities.simplex;
  if (!caps) throw new ScanError('unsupported', `"${name}" has no ${source}.`);
  const offered = capabilitiesOf(capabilities)[source]?.colorModes ?? [];
  const mode =
    ([order.colorMode, 'Grayscale', 'Color'] as const).find(each => offered.includes(each)) ?? offered[0] ?? 'Color';
  const format = formatOf(caps, mode, order.lossless);
  if (!format)
    throw new ScanError(
      'unsupported',
      `"${name}" sends ${short(caps.formats.join(', '))}; Platen accepts image/jpeg, image/png and image/tiff.`,
    );
  const region = regionOf(caps, order.pageSize, source === 'feeder' ? capabilities.justification : 'Left');
  assertPixels(pixelsOf(region.width, order.resolution), pixelsOf(region.height, order.resolution), order.maxPixels);
  return {
    sides: both ? ['front', 'back'] : ['front'],
    lossless: order.lossless ?? false,
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
    },
  };
}

/** In grey, for a device that offers black and white and refuses it (409). Undefined if that does not apply. */
export function asGrey(
  { settings, sides, lossless }: Prepared,
  capabilities: ScannerCapabilities,
): Prepared | undefined {
  if (settings.mode !== esclModes.BlackAndWhite) return undefined;
  const caps =
    settings.source === 'Platen' ? capabilities.platen : sides.length > 1 ? capabilities.duplex : capabilities.simplex;
  const mode: ColorMode = 'Grayscale';
  const format = caps && caps.modes.includes(esclModes[mode]) ? formatOf(caps, mode, lossless) : undefined;
  return format && { sides, lossless, settings: { ...settings, mode: esclModes[mode], format } };
}
