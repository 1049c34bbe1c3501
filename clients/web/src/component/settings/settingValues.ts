/** The values of the settings that every scanner has, and those with which a person and the service start. */
import type { Capabilities, ControlParameters, ScanParameters } from '../../client/shapes.js';

/** Parameters that plugins add under names of their own. */
export type PluginWishes = Pick<ScanParameters, 'recognise' | 'process' | 'readers'>;

export type Values = Required<
  Omit<ScanParameters, keyof ControlParameters | 'barcodeFormats' | 'profile' | 'report' | keyof PluginWishes>
>;

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
export const firstValues: Values = {
  ...serviceDefaults,
  colorMode: 'Color',
  pageSize: 'Auto',
  // A lossless page in colour is ten times as large: too large for most forms and mails.
  imageFormat: 'Jpeg',
  // A letter of 200 dpi in colour, with the noise of a scanner, has 450 kB; at 90 it has twice that.
  jpegQuality: 80,
  barcodeReadingEnabled: true,
  ocrEnabled: true,
};

/** The switches that improve pages, each with the capability that it needs. */
export const improvements = {
  autoRotate: 'supportsAutoRotate',
  autoDeskew: 'supportsAutoDeskew',
  autoCrop: 'supportsAutoCrop',
} as const satisfies Partial<Record<keyof Values, keyof Capabilities>>;

/** Both are included. */
export interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

/** Of settings that are numbers. */
export const ranges = {
  jpegQuality: { minimum: 1, maximum: 100 },
  requestTimeoutSeconds: { minimum: 0, maximum: 86_400 },
  sheets: { minimum: 1, maximum: 10_000 },
  threshold: { minimum: 0, maximum: 255 },
  level: { minimum: -100, maximum: 100 },
} as const satisfies Record<string, Range>;

export const within = (value: number, { minimum, maximum }: Range): number =>
  Math.max(minimum, Math.min(maximum, value));

/** The values of `now` that differ from those in `before`. */
export const changesIn = <T extends object>(now: T, before: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => !isSame(value, before[name as keyof T])),
  ) as Partial<T>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
