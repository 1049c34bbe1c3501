/** The controls of the settings that every scanner has, such as resolution, colour and file format. */
import type { Capabilities, CapabilityDetails, ColorMode, ImageFormat, PageSize } from '../client.js';
import { choiceOf, numberOf, segmentsOf, switchOf } from './controls.js';
import { improvements, labels, type Values } from './settingValues.js';
import { valueWord } from './words.js';

type Improvement = keyof typeof improvements;
const improvementNames = Object.keys(improvements) as Improvement[];
/** The values that a scan accepts; capabilities may list more. */
const askable: readonly string[] = ['Auto', 'A4', 'A5', 'A6', 'B5', 'Letter', 'Legal'] satisfies PageSize[];
const formatHints: Readonly<Record<string, string>> = {
  Png: 'Lossless. Every program can open it.',
  Jpeg: 'Small files; fine detail is lost.',
  Tiff: 'For archives. Browsers cannot show TIFF, so pages of auto-scan have no preview here. Save them to view them.',
  Bmp: 'Uncompressed: very large files.',
};
const blankHints: Readonly<Record<Values['blankPages'], string>> = {
  keep: 'Like every other page.',
  flag: 'They get a mark. A PDF has them, too.',
  drop: 'They get a mark, and a PDF is without them. You can still save them.',
};
const levels = [
  ['Low', 'Low: finds more, some of them wrong'],
  ['Normal', 'Normal'],
  ['High', 'High'],
  ['VeryHigh', 'Very high: only certain ones'],
] as const;

export interface BasicSettings {
  readonly nodes: {
    readonly [Name in Exclude<keyof Values, Improvement>]: HTMLElement;
  };
  /** Of what the scanner or software can do. */
  readonly improvements: readonly HTMLElement[];
  /** Always values that are offered. */
  readonly values: Values;
}

/** @param start a value that is not offered becomes the nearest one that is */
export function createBasicSettings(
  can: Capabilities,
  { formats, recognisers }: Pick<CapabilityDetails, 'formats' | 'recognisers'>,
  start: Values,
  onChange: () => void,
): BasicSettings {
  const missing = (kind: string, what: string): string | undefined =>
    recognisers.some(each => each.kind === kind) ? undefined : `${what} is not installed on this computer.`;
  const sizes = askable.filter(size => can.supportedPageSizes.includes(size as PageSize)) as PageSize[];
  const sides = can.supportsDuplex
    ? (['Simplex', 'DuplexLongEdge', 'DuplexShortEdge'] as const)
    : (['Simplex'] as const);
  const formatNames: readonly ImageFormat[] = formats.map(({ name }) => name);
  const noBlanks = missing('blank', 'Finding blank pages');
  const blanks = noBlanks === undefined ? (['keep', 'flag', 'drop'] as const) : (['keep'] as const);

  const controls = {
    resolution: choiceOf(
      labels.resolution,
      can.resolutions.map(value => ({ value, text: valueWord(value, 'resolution') })),
      nearest(can.resolutions, start.resolution),
      onChange,
    ),
    colorMode: segmentsOf<ColorMode>(
      labels.colorMode,
      can.colorModes.map(value => ({ value, text: value === 'BlackAndWhite' ? 'B/W' : valueWord(value) })),
      among(can.colorModes, start.colorMode, 'Color'),
      onChange,
    ),
    duplexMode: choiceOf<Values['duplexMode']>(
      labels.duplexMode,
      sides.map(value => ({ value, text: valueWord(value) })),
      can.supportsDuplex ? start.duplexMode : 'Simplex',
      onChange,
    ),
    pageSize: choiceOf(
      labels.pageSize,
      sizes.map(value => ({ value, text: valueWord(value) })),
      among(sizes, start.pageSize, 'Letter'),
      onChange,
    ),
    imageFormat: choiceOf<ImageFormat>(
      labels.imageFormat,
      formatNames.map(value => ({ value, text: value.toUpperCase() })),
      among(formatNames, start.imageFormat, 'Png'),
      onChange,
      value => formatHints[value],
    ),
    barcodeReadingEnabled: switchOf(
      labels.barcodeReadingEnabled,
      start.barcodeReadingEnabled,
      onChange,
      missing('barcode', 'Barcode reading'),
    ),
    ocrEnabled: switchOf(labels.ocrEnabled, start.ocrEnabled, onChange, missing('ocr', 'Text recognition')),
    blankPages: choiceOf<Values['blankPages']>(
      labels.blankPages,
      blanks.map(value => ({ value, text: valueWord(value) })),
      among<Values['blankPages']>(blanks, start.blankPages, 'keep'),
      onChange,
      value => noBlanks ?? blankHints[value],
    ),
    barcodeFilterLevel: choiceOf<Values['barcodeFilterLevel']>(
      labels.barcodeFilterLevel,
      levels.map(([value, words]) => ({ value, text: words })),
      start.barcodeFilterLevel,
      onChange,
    ),
    barcodeStopAfterFirst: switchOf(labels.barcodeStopAfterFirst, start.barcodeStopAfterFirst, onChange),
    jpegQuality: numberOf(
      labels.jpegQuality,
      start.jpegQuality,
      { minimum: 1, maximum: 100 },
      onChange,
      '1 to 100. For formats that lose detail, such as JPEG.',
    ),
    requestTimeoutSeconds: numberOf(
      labels.requestTimeoutSeconds,
      start.requestTimeoutSeconds,
      { minimum: 0, maximum: 86_400 },
      onChange,
      'For one scan. 0: no limit.',
    ),
  };
  const improve = improvementNames
    .filter(name => can[improvements[name]])
    .map(name => [name, switchOf(labels[name], start[name], onChange)] as const);

  return {
    nodes: mapped(controls, ({ node }) => node),
    improvements: improve.map(([, { node }]) => node),
    get values() {
      const improved = { autoRotate: false, autoDeskew: false, autoCrop: false };
      for (const [name, { value }] of improve) improved[name] = value;
      return { ...(mapped(controls, ({ value }) => value) as Omit<Values, Improvement>), ...improved };
    },
  };
}

function mapped<Name extends string, From, To>(from: Record<Name, From>, to: (each: From) => To): Record<Name, To> {
  return Object.fromEntries(Object.entries<From>(from).map(([name, each]) => [name, to(each)])) as Record<Name, To>;
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
