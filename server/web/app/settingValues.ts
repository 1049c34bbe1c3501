/** The settings that every scanner has: their labels, and the values with which the page and the service start. */
import type { Capabilities, ControlParameters, ScanParameters } from '../client.js';
import type { PluginWishes } from './pluginSwitches.js';

export type Values = Required<
  Omit<ScanParameters, keyof ControlParameters | 'barcodeFormats' | 'profile' | 'report' | keyof PluginWishes>
>;

export const labels: Readonly<Record<keyof Values, string>> = {
  resolution: 'Resolution',
  colorMode: 'Colour',
  duplexMode: 'Sides',
  pageSize: 'Page size',
  autoRotate: 'Turn upright',
  autoDeskew: 'Straighten',
  autoCrop: 'Crop to the sheet',
  imageFormat: 'File format',
  jpegQuality: 'JPEG quality',
  barcodeReadingEnabled: 'Read barcodes',
  barcodeFilterLevel: 'Barcode certainty',
  barcodeStopAfterFirst: 'Stop after the first barcode of a page',
  ocrEnabled: 'Read text',
  blankPages: 'Blank pages',
  requestTimeoutSeconds: 'Time limit in seconds',
};

export const controlLabels = {
  source: 'Source',
  sheets: 'Sheets',
  area: 'Area',
  brightness: 'Brightness',
  contrast: 'Contrast',
  threshold: 'Threshold',
} as const satisfies Partial<Record<keyof ControlParameters, string>>;

/** Of the service, for parameters that a request does not have. */
export const serviceDefaults: Values = {
  resolution: 200,
  colorMode: 'Grayscale',
  duplexMode: 'Simplex',
  pageSize: 'Letter',
  autoRotate: false,
  autoDeskew: false,
  autoCrop: false,
  imageFormat: 'Png',
  jpegQuality: 90,
  barcodeReadingEnabled: false,
  barcodeFilterLevel: 'Normal',
  barcodeStopAfterFirst: false,
  ocrEnabled: false,
  blankPages: 'keep',
  requestTimeoutSeconds: 0,
};

/** Of a person's first visit. */
export const pageDefaults: Values = {
  ...serviceDefaults,
  colorMode: 'Color',
  pageSize: 'Auto',
  barcodeReadingEnabled: true,
  ocrEnabled: true,
};

/** The switches that improve pages, each with the capability that it needs. */
export const improvements = {
  autoRotate: 'supportsAutoRotate',
  autoDeskew: 'supportsAutoDeskew',
  autoCrop: 'supportsAutoCrop',
} as const satisfies Partial<Record<keyof Values, keyof Capabilities>>;

/** The label of the parameter with this name. */
export const labelOf = (parameter: string): string =>
  ({ ...labels, ...controlLabels } as Readonly<Record<string, string>>)[parameter] ?? parameter;

/** The values of `now` that differ from those in `before`. */
export const changesIn = <T extends object>(now: T, before: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => !isSame(value, before[name as keyof T])),
  ) as Partial<T>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
