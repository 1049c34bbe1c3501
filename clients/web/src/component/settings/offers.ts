/** Which values of the settings a scanner and the installed plugins offer. */
import type { Capabilities, CapabilityDetails, ColorMode, ImageFormat, PageSize } from '../../client/shapes.js';
import { improvements, ranges, within, type Values } from './settingValues.js';

/** The values that a scan accepts; capabilities may list more. */
const askable: readonly PageSize[] = ['Auto', 'A4', 'A5', 'A6', 'B5', 'Letter', 'Legal'];

export type Improvement = keyof typeof improvements;

export interface Offers {
  readonly resolutions: readonly number[];
  readonly colorModes: readonly ColorMode[];
  readonly sides: readonly Values['duplexMode'][];
  readonly sizes: readonly PageSize[];
  readonly formats: readonly ImageFormat[];
  readonly blanks: readonly Values['blankPages'][];
  readonly improvements: readonly Improvement[];
  /** Kinds of recognisers that are not installed. */
  readonly missing: readonly ('barcode' | 'ocr' | 'blank')[];
}

const noDetails: CapabilityDetails = { sources: {}, formats: [], documents: [], recognisers: [], processors: [] };
export const detailsIn = ({ details = noDetails }: Capabilities): CapabilityDetails => details;

export function offersOf(can: Capabilities): Offers {
  const { formats, recognisers } = detailsIn(can);
  const missing = (['barcode', 'ocr', 'blank'] as const).filter(kind => !recognisers.some(each => each.kind === kind));
  return {
    resolutions: can.resolutions,
    colorModes: can.colorModes,
    sides: can.supportsDuplex ? ['Simplex', 'DuplexLongEdge', 'DuplexShortEdge'] : ['Simplex'],
    sizes: askable.filter(size => can.supportedPageSizes.includes(size)),
    formats: formats.map(({ name }) => name),
    blanks: missing.includes('blank') ? ['keep'] : ['keep', 'flag', 'drop'],
    improvements: (Object.keys(improvements) as Improvement[]).filter(name => can[improvements[name]]),
    missing,
  };
}

/** A value that is not offered becomes the nearest one that is. */
export function offered(values: Values, offers: Offers): Values {
  const { missing } = offers;
  const improved = (name: Improvement): boolean => values[name] && offers.improvements.includes(name);
  return {
    ...values,
    resolution: nearest(offers.resolutions, values.resolution),
    colorMode: among(offers.colorModes, values.colorMode, 'Color'),
    duplexMode: among(offers.sides, values.duplexMode, 'Simplex'),
    pageSize: among(offers.sizes, values.pageSize, 'Letter'),
    imageFormat: among(offers.formats, values.imageFormat, 'Png'),
    blankPages: among(offers.blanks, values.blankPages, 'keep'),
    barcodeReadingEnabled: values.barcodeReadingEnabled && !missing.includes('barcode'),
    ocrEnabled: values.ocrEnabled && !missing.includes('ocr'),
    jpegQuality: within(values.jpegQuality, ranges.jpegQuality),
    requestTimeoutSeconds: within(values.requestTimeoutSeconds, ranges.requestTimeoutSeconds),
    autoRotate: improved('autoRotate'),
    autoDeskew: improved('autoDeskew'),
    autoCrop: improved('autoCrop'),
  };
}

function nearest(resolutions: readonly number[], wanted: number): number {
  return resolutions.reduce(
    (best, each) => (Math.abs(each - wanted) < Math.abs(best - wanted) ? each : best),
    resolutions[0] ?? wanted,
  );
}

function among<T extends string>(values: readonly T[], wanted: T, other: T): T {
  return [wanted, other].find(each => values.includes(each)) ?? values[0] ?? other;
}
