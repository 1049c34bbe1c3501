/** Turns options into the device's order and the software steps, or rejects them; no paper moves yet. */
import type { Area } from '../contract/controls.js';
import type { Capabilities, Device, SourceCapabilities, Status } from '../contract/driver.js';
import { InvalidValue, ScanError } from '../contract/errors.js';
import { isLossy, type Format } from '../contract/format.js';
import type { ScanOrder } from '../contract/order.js';
import type { BarcodeWishes } from '../contract/recogniser.js';
import {
  adjustmentParameters,
  colorModes,
  millimetres,
  type Adjustment,
  type ColorMode,
  type DuplexMode,
  type PageSize,
  type Source,
} from '../contract/words.js';
import { hasProcessor, offeredColorModes } from '../registry/capabilities.js';
import { findersOf, processorsOf, type AskedFinder, type AskedProcessor } from '../registry/asked.js';
import { noteOnField, type ScanNote } from './notes.js';
import { areaPixels, planControls, type ControlPlan, type PlannedControls } from './planControls.js';
import type { ScanOptions } from './scanOptions.js';
import { separatorKind } from './separation.js';
import type { Software } from '../registry/registry.js';

/** Input of scanPages; made once per scan. */
export interface ScanPlan {
  /** As requested. */
  readonly options: ScanOptions;
  /** Why the page size differs from the requested one. */
  readonly pageSizeIgnored?: string;
  readonly order: ScanOrder;
  /** The device does not count: core stops it at the order's `sheets`. */
  readonly countsSheets?: true;
  /** As requested; the order may ask the device for a richer mode. */
  readonly colorMode: ColorMode;
  readonly format: Format;
  readonly quality: number;
  /** Requested controls, whether done by the device or in software. */
  readonly controls: PlannedControls;
  /** Requested adjustments, whether done by the device or in software. */
  readonly adjustments: readonly Adjustment[];
  readonly barcode: BarcodeWishes<string> | undefined;
  readonly ocr: boolean;
  /** Whether to find out which pages are blank. */
  readonly blank: boolean;
  /** Whether to read patch codes that separate documents. */
  readonly patch: boolean;
  /** Recognisers of other kinds. */
  readonly finders: readonly AskedFinder[];
  /** Processors with names of their own, in their order. */
  readonly processors: readonly AskedProcessor[];
}

export interface PlanInput {
  readonly device: Device;
  readonly capabilities: Capabilities;
  /** Paper in the feeder; ignored if there is no feeder. */
  readonly paper: Status['paper'];
  readonly options: ScanOptions;
  readonly software: Software;
  readonly maxPixels: number;
  /** Reports an option that was not followed, and why. */
  note(note: ScanNote): void;
}

const MM_PER_INCH = 25.4;
const DEFAULT_RESOLUTION = 200;
/** Why a page is not cropped. */
export const AREA_HAS_SIZE = 'the area determines the size of the page';
const DEFAULT_COLOR_MODE: ColorMode = 'Grayscale';

/** @throws `InvalidValue` for a value that this scanner or installation does not support */
export function planScan(input: PlanInput): ScanPlan {
  const { options, capabilities, software, note } = input;
  const source = sourceFor(input);
  const from = capabilities[source];
  if (!from)
    throw new ScanError(
      'driver-failed',
      `The driver of ${input.device.name} reports no capabilities for its ${source}.`,
    );

  const format = formatFor(input);
  const resolution = resolutionFor(input, from);
  const colorMode = colorModeFor(input, from);
  const duplexMode = duplexModeFor(input, from);
  const controls = planControls(input, from, colorMode);
  const pageSize = controls.controls.area ? sizeAround(controls, input, from) : pageSizeFor(input, from);
  // The page of the device, and what software makes of it.
  for (const size of [controls.order.area ?? pageSize, controls.cutFrom && controls.controls.area])
    if (size) refuseTooLarge(resolution, size, input.maxPixels);

  const hasArea = controls.order.area !== undefined || controls.cutFrom !== undefined;
  const adjustments = wanted(options, duplexMode).filter(each => !(each === 'crop' && hasArea));
  if (options.autoCrop && hasArea) note(notCropped);
  for (const adjustment of adjustments) {
    if (!from.adjustments.includes(adjustment) && !hasProcessor(software, adjustment)) note(notDone(adjustment));
  }
  if (options.barcode && !software.barcode) note(noBarcodes);
  if (options.ocr && !software.ocr) note(noOcr);
  if (options.blankPages && !software.blank) note(noBlank);
  const sheets = source === 'feeder' ? options.sheets : undefined;
  const separating = separatorKind(options.separate, software);

  const pageSizeIgnored = controls.controls.area ? undefined : sizeIgnored(input, pageSize);
  return {
    options,
    ...(pageSizeIgnored === undefined ? {} : { pageSizeIgnored }),
    ...(sheets !== undefined && !from.controls?.includes('sheets') && { countsSheets: true }),
    order: {
      source,
      ...(sheets !== undefined && { sheets }),
      resolution,
      colorMode: deviceColorMode(colorMode, from, controls.needsLevels),
      duplexMode,
      pageSize,
      ...controls.order,
      adjustments: adjustments.filter(each => from.adjustments.includes(each)),
      ...(isLossy(format) && colorMode !== 'BlackAndWhite' ? {} : { lossless: true }),
      maxPixels: input.maxPixels,
    },
    colorMode,
    format,
    quality: options.quality,
    adjustments,
    controls: controls.controls,
    barcode: software.barcode ? barcodeWishes(options) : undefined,
    ocr: options.ocr && software.ocr !== undefined,
    blank: (options.blankPages !== undefined || separating === 'blank') && software.blank !== undefined,
    patch: separating === 'patch',
    finders: findersOf(options.recognise, software, options.readers, (kind, why) => note(notLicensed(kind, why))),
    processors: processorsOf(options.process, software, (name, why) => note(notProcessed(name, why))),
  };
}

/** @throws `InvalidValue` */
function formatFor({ options, software: { formats, whyNot }, note }: PlanInput): Format {
  const format = formats.find(each => each.name === options.format);
  if (format) return format;
  const names = formats.map(each => each.name);
  const why = whyNot?.('format', options.format);
  const instead = formats.find(each => each.name === 'Png') ?? formats[0];
  if (why === undefined || !instead)
    throw new InvalidValue('imageFormat', `one of ${names.join(', ')}: ${options.format} is not installed`, names);
  const text = `Pages are ${instead.name}: ${why}.`;
  note({ code: 'format-not-licensed', text, field: 'imageFormat' });
  return instead;
}

function notDone(adjustment: Adjustment): ScanNote {
  const field = adjustmentParameters.find(each => each.adjustment === adjustment)?.parameter;
  const why = 'neither the scanner nor a loaded plugin supports it.';
  if (field) return noteOnField('adjustment-ignored', field, `was ignored: ${why}`);
  const text = `Backs were not turned for DuplexShortEdge: ${why}`;
  return { code: 'backs-not-turned', text, field: 'duplexMode' };
}

const noBarcodes: ScanNote = {
  code: 'barcodes-not-installed',
  text: 'Barcodes were not read: no loaded plugin reads barcodes.',
  field: 'barcodeReadingEnabled',
};
const noOcr: ScanNote = {
  code: 'ocr-not-installed',
  text: 'Text was not read: no loaded plugin does OCR.',
  field: 'ocrEnabled',
};

const noBlank: ScanNote = {
  code: 'blank-pages-not-installed',
  text: 'Blank pages were kept: no loaded plugin finds them.',
  field: 'blankPages',
};

const notLicensed = (kind: string, why: string): ScanNote => ({
  code: 'recogniser-not-licensed',
  text: `Pages were not searched for ${kind}: ${why}.`,
  field: `recognise.${kind}`,
});

const notProcessed = (name: string, why: string): ScanNote => ({
  code: 'processor-not-licensed',
  text: `Pages came without ${name}: ${why}.`,
  field: `process.${name}`,
});

const notCropped = noteOnField('adjustment-ignored', 'autoCrop', `was ignored: ${AREA_HAS_SIZE}.`);

/** A separator must be found even if the client asked for the first barcode only. */
function barcodeWishes({ barcode, separate }: ScanOptions): ScanOptions['barcode'] {
  if (separate?.by !== 'barcode') return barcode;
  return { filterLevel: 'Normal', formats: [], ...barcode, stopAfterFirst: false };
}

function wanted(options: ScanOptions, duplexMode: DuplexMode): Adjustment[] {
  const asked = adjustmentParameters.filter(({ parameter }) => options[parameter]).map(({ adjustment }) => adjustment);
  return duplexMode === 'DuplexShortEdge' ? ['turn', ...asked] : asked;
}

/** The only place that chooses a source: drivers are told. */
function sourceFor({ capabilities, paper, options }: PlanInput): Source {
  if (options.source === 'Feeder' || options.source === 'Flatbed') {
    const source = options.source === 'Feeder' ? 'feeder' : 'flatbed';
    if (capabilities[source]) return source;
    const has = [source === 'feeder' ? 'Flatbed' : 'Feeder', 'Auto'];
    throw new InvalidValue('source', `${has.join(' or ')} on this scanner: it has no ${source}`, has);
  }
  if (!capabilities.feeder) return 'flatbed';
  return capabilities.flatbed && paper === 'empty' ? 'flatbed' : 'feeder';
}

/** If only the scanner's other source has the resolution, the nearest of this one is used. */
function resolutionFor({ capabilities, options, note }: PlanInput, from: SourceCapabilities): number {
  const asked = options.resolution ?? DEFAULT_RESOLUTION;
  if (from.resolutions.includes(asked)) return asked;
  const all = [...new Set(Object.values(capabilities).flatMap(each => each.resolutions))].sort((a, b) => a - b);
  if (options.resolution !== undefined && !all.includes(asked))
    throw new InvalidValue('resolution', `one of ${all.join(', ')} on this scanner`, all);
  const nearest = [...from.resolutions].sort((a, b) => Math.abs(a - asked) - Math.abs(b - asked))[0];
  if (nearest === undefined) throw new ScanError('driver-failed', 'The driver lists no resolution.');
  const text = `Scanned at ${nearest} dpi, the nearest to ${asked} that this source has.`;
  if (options.resolution !== undefined) note({ code: 'resolution-changed', text, field: 'resolution' });
  return nearest;
}

/** If only the scanner's other source has the mode, the nearest of this one is used. */
function colorModeFor({ capabilities, options, software, note }: PlanInput, from: SourceCapabilities): ColorMode {
  const offered = offeredColorModes(from, software);
  const asked = options.colorMode ?? DEFAULT_COLOR_MODE;
  if (offered.includes(asked)) return asked;
  const all = colorModes.filter(mode =>
    Object.values(capabilities).some(each => offeredColorModes(each, software).includes(mode)),
  );
  if (options.colorMode !== undefined && !all.includes(asked))
    throw new InvalidValue('colorMode', `one of ${all.join(', ')} on this scanner`, all);
  const poorer = offered.find(mode => colorModes.indexOf(mode) > colorModes.indexOf(asked));
  const nearest = (options.colorMode === undefined ? offered[0] : poorer) ?? offered.at(-1);
  if (nearest === undefined) throw new ScanError('driver-failed', 'The driver lists no colour mode.');
  const text = `Scanned in ${nearest}: this source of the scanner does not support ${asked}.`;
  if (options.colorMode !== undefined) note({ code: 'color-mode-changed', text, field: 'colorMode' });
  return nearest;
}

/** The mode to request from the device: the requested one, else the nearest richer one. */
function deviceColorMode(asked: ColorMode, from: SourceCapabilities, needsLevels: boolean): ColorMode {
  if (from.colorModes.includes(asked) && !(needsLevels && asked === 'BlackAndWhite')) return asked;
  return asked === 'BlackAndWhite' && from.colorModes.includes('Grayscale') ? 'Grayscale' : 'Color';
}

function duplexModeFor({ capabilities, options, note }: PlanInput, from: SourceCapabilities): DuplexMode {
  if (options.duplexMode === 'Simplex' || from.duplex) return options.duplexMode;
  if (!Object.values(capabilities).some(each => each.duplex))
    throw new InvalidValue('duplexMode', 'Simplex on this scanner: it scans one side only', ['Simplex']);
  const text = 'Scanned one side only: the pages are from the flatbed.';
  note({ code: 'one-side-only', text, field: 'duplexMode' });
  return 'Simplex';
}

/** The size itself if the scanner has it, else the smallest that holds it, else the scanner's largest. */
function pageSizeFor({ device, options, note }: PlanInput, from: SourceCapabilities): PageSize {
  const asked = options.pageSize;
  if (device.traits?.ignoresPageSize) {
    // Clients without a preference send the default, Letter.
    if (asked !== 'Letter' && asked !== 'Auto') {
      note(
        noteOnField(
          'page-size-ignored',
          'pageSize',
          `${asked} was not applied: this scanner always scans its whole area.`,
        ),
      );
    }
    return asked;
  }
  if (from.pageSizes.includes(asked)) return asked;
  const bySize = from.pageSizes.filter(size => size !== 'Auto').sort((a, b) => area(a) - area(b));
  const largest = bySize.at(-1) ?? 'Auto';
  if (asked === 'Auto') return largest;
  const holding = bySize.find(size => holds(size, asked));
  const size = holding ?? largest;
  const rank = holding || bySize.length === 0 ? 'not supported by' : 'larger than any size of';
  const instead = size === 'Auto' ? 'its whole area' : size;
  note(noteOnField('page-size-changed', 'pageSize', `${asked} is ${rank} this scanner: scanned at ${instead}.`));
  return size;
}

/** For a page with an area: what software cuts it from, or any size that the driver knows. */
function sizeAround({ cutFrom, order }: ControlPlan, input: PlanInput, from: SourceCapabilities): PageSize {
  if (cutFrom) return cutFrom;
  if (!order.area) return pageSizeFor(input, from);
  const asked = input.options.pageSize;
  return from.pageSizes.includes(asked) ? asked : (from.pageSizes[0] ?? 'Auto');
}

function sizeIgnored({ device, options }: PlanInput, size: PageSize): string | undefined {
  if (device.traits?.ignoresPageSize) return 'the driver of this scanner applies no page size';
  return size === options.pageSize
    ? undefined
    : `the page was scanned at ${size === 'Auto' ? "the scanner's whole area" : size}`;
}

function area(size: PageSize): number {
  return size === 'Auto' ? 0 : millimetres[size].width * millimetres[size].height;
}

function holds(outer: PageSize, inner: PageSize): boolean {
  if (outer === 'Auto' || inner === 'Auto') return false;
  return millimetres[outer].width >= millimetres[inner].width && millimetres[outer].height >= millimetres[inner].height;
}

function refuseTooLarge(resolution: number, size: PageSize | Area, maxPixels: number): void {
  if (size === 'Auto') return;
  const pixels = typeof size === 'string' ? area(size) * (resolution / MM_PER_INCH) ** 2 : areaPixels(size, resolution);
  if (pixels <= maxPixels) return;
  const most = Math.floor(Math.sqrt(maxPixels / pixels) * resolution);
  const what = typeof size === 'string' ? size : `an area of ${size.width} x ${size.height} mm`;
  throw new InvalidValue(
    'resolution',
    `at most ${most} for ${what}: the configuration's memory.maxPixels allows ${maxPixels} pixels a page`,
  );
}
