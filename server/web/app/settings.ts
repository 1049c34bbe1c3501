/** The settings of the selected scanner: its capabilities as controls, the chosen values as scan parameters. */
import type { Capabilities, ColorMode, ImageFormat, PageSize, ScanParameters } from '../client.js';
import { choiceOf, numberOf, segmentsOf, switchOf } from './controls.js';
import { byId, element, fill } from './element.js';
import { recall, remember } from './memory.js';
import type { Installed } from './service.js';
import { valueWord } from './words.js';

type Wanted = Required<Omit<ScanParameters, 'barcodeFormats' | 'transferMode' | 'report'>>;

const labels: Readonly<Record<keyof Wanted, string>> = {
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
const defaults: Wanted = {
  resolution: 200,
  colorMode: 'Color',
  duplexMode: 'Simplex',
  pageSize: 'Auto',
  autoRotate: false,
  autoDeskew: false,
  autoCrop: false,
  imageFormat: 'Png',
  jpegQuality: 90,
  barcodeReadingEnabled: true,
  barcodeFilterLevel: 'Normal',
  barcodeStopAfterFirst: false,
  ocrEnabled: true,
  blankPages: 'keep',
  requestTimeoutSeconds: 0,
};
/** The switches that improve pages, each with the capability that it needs. */
const improvements = {
  autoRotate: 'supportsAutoRotate',
  autoDeskew: 'supportsAutoDeskew',
  autoCrop: 'supportsAutoCrop',
} as const satisfies Partial<Record<keyof Wanted, keyof Capabilities>>;
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
const blankHints: Readonly<Record<Wanted['blankPages'], string>> = {
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

export interface Settings {
  /** Replaces the controls by those of another scanner; keeps chosen values that this scanner has. */
  show(capabilities: Capabilities, installed: Installed): void;
  /** For a scanner whose capabilities are unknown. */
  say(sentence: string): void;
  /** Undefined while no controls are shown. */
  readonly parameters: ScanParameters | undefined;
}

/** The label of the parameter with this name. */
export const labelOf = (parameter: string): string =>
  (labels as Readonly<Record<string, string>>)[parameter] ?? parameter;

/** @param separatorSheet a button that gets one */
export function createSettings(separatorSheet: HTMLElement): Settings {
  const place = byId('controls', HTMLElement);
  const digest = byId('digest', HTMLElement);
  let read: (() => Wanted) | undefined;
  /** The last values of the controls. */
  let before: Wanted | undefined;
  let wanted: Wanted = { ...defaults, ...(recall('settings') as Partial<Wanted> | undefined) };

  /** Only the values that the user changed: one that this scanner lacks applies again to the next scanner. */
  function changed(): void {
    if (!read) return;
    const now = read();
    wanted = {
      ...wanted,
      ...Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== before?.[name as keyof Wanted])),
    };
    remember('settings', wanted);
    summarise(now);
  }

  function summarise(now: Wanted): void {
    before = now;
    digest.textContent = [
      valueWord(now.resolution, 'resolution'),
      valueWord(now.colorMode),
      now.imageFormat.toUpperCase(),
    ].join(' · ');
  }

  return {
    get parameters() {
      return read && { ...read(), report: true };
    },
    say(sentence) {
      read = undefined;
      digest.textContent = '';
      fill(place, element('p', { class: 'none' }, sentence));
    },
    show(can, installed) {
      const sizes = askable.filter(size => can.supportedPageSizes.includes(size as PageSize)) as PageSize[];
      const sides = (
        can.supportsDuplex ? (['Simplex', 'DuplexLongEdge', 'DuplexShortEdge'] as const) : (['Simplex'] as const)
      ).map(value => ({ value, text: valueWord(value) }));
      const formats = installed.formats.map(value => ({ value: value as ImageFormat, text: value.toUpperCase() }));
      const missing = (there: boolean, what: string): string | undefined =>
        there ? undefined : `${what} is not installed on this computer.`;
      const tuning = element('details', { class: 'more' }, element('summary', {}, 'More'));

      const resolution = choiceOf(
        labels.resolution,
        can.resolutions.map(value => ({ value, text: valueWord(value, 'resolution') })),
        nearest(can.resolutions, wanted.resolution),
        changed,
      );
      const color = segmentsOf<ColorMode>(
        labels.colorMode,
        can.colorModes.map(value => ({ value, text: value === 'BlackAndWhite' ? 'B/W' : valueWord(value) })),
        among(can.colorModes, wanted.colorMode, 'Color'),
        changed,
      );
      const duplex = choiceOf(labels.duplexMode, sides, can.supportsDuplex ? wanted.duplexMode : 'Simplex', changed);
      const size = choiceOf(
        labels.pageSize,
        sizes.map(value => ({ value, text: valueWord(value) })),
        among(sizes, wanted.pageSize, 'Letter'),
        changed,
      );
      const format = choiceOf<ImageFormat>(
        labels.imageFormat,
        formats,
        among(
          formats.map(({ value }) => value),
          wanted.imageFormat,
          'Png',
        ),
        changed,
        value => formatHints[value],
      );
      const improve = new Map(
        improvementNames
          .filter(name => can[improvements[name]])
          .map(name => [name, switchOf(labels[name], wanted[name], changed)] as const),
      );
      const barcodes = switchOf(
        labels.barcodeReadingEnabled,
        wanted.barcodeReadingEnabled,
        changed,
        missing(installed.barcodes, 'Barcode reading'),
      );
      const text = switchOf(labels.ocrEnabled, wanted.ocrEnabled, changed, missing(installed.text, 'Text recognition'));
      const blanks = installed.blankPages ? (['keep', 'flag', 'drop'] as const) : (['keep'] as const);
      const blank = choiceOf<Wanted['blankPages']>(
        labels.blankPages,
        blanks.map(value => ({ value, text: valueWord(value) })),
        among(blanks, wanted.blankPages, 'keep'),
        changed,
        value => missing(installed.blankPages, 'Finding blank pages') ?? blankHints[value],
      );
      const level = choiceOf(
        labels.barcodeFilterLevel,
        levels.map(([value, words]) => ({ value, text: words })),
        wanted.barcodeFilterLevel,
        changed,
      );
      const first = switchOf(labels.barcodeStopAfterFirst, wanted.barcodeStopAfterFirst, changed);
      const quality = numberOf(
        labels.jpegQuality,
        wanted.jpegQuality,
        { least: 1, most: 100 },
        changed,
        '1 to 100. For JPEG files only.',
      );
      const limit = numberOf(
        labels.requestTimeoutSeconds,
        wanted.requestTimeoutSeconds,
        { least: 0, most: 86_400 },
        changed,
        'For one scan. 0: no limit.',
      );
      // It is a PDF, which the service writes.
      const sheet = installed.documents.includes('pdf') && separatorSheet;
      tuning.append(element('div', { class: 'controls' }, level.node, first.node, quality.node, limit.node, sheet));

      read = () => ({
        resolution: resolution.value,
        colorMode: color.value,
        duplexMode: duplex.value,
        pageSize: size.value,
        imageFormat: format.value,
        jpegQuality: quality.value,
        ...(Object.fromEntries(improvementNames.map(name => [name, improve.get(name)?.value ?? false])) as Record<
          Improvement,
          boolean
        >),
        barcodeReadingEnabled: barcodes.value,
        barcodeFilterLevel: level.value,
        barcodeStopAfterFirst: first.value,
        ocrEnabled: text.value,
        blankPages: blank.value,
        requestTimeoutSeconds: limit.value,
      });
      const group = (title: string, ...nodes: HTMLElement[]): HTMLElement | undefined =>
        nodes.length === 0
          ? undefined
          : element('div', { class: 'group', role: 'group', 'aria-label': title }, element('h3', {}, title), ...nodes);
      fill(
        place,
        color.node,
        element('div', { class: 'pair' }, resolution.node, size.node),
        can.supportsDuplex && duplex.node,
        format.node,
        group('Improve', ...[...improve.values()].map(({ node }) => node)),
        group('Read', barcodes.node, text.node),
        blank.node,
        tuning,
      );
      summarise(read());
    },
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
