/** Turns options into an order for the device and the steps that software takes, or refuses them; nothing moves yet. */
import type { Capabilities, Device, SourceCapabilities, Status } from '../contract/driver.js';
import { InvalidValue, ScanError } from '../contract/errors.js';
import type { Format } from '../contract/format.js';
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
import type { Registry } from '../registry/registry.js';
import { noteOnField, type ScanNote } from './notes.js';
import type { ScanOptions } from './scanOptions.js';

/** What scanPages needs to know; made once for a scan. */
export interface ScanPlan {
  /** As they came. */
  readonly options: ScanOptions;
  /** Why the page has another size than was asked for. */
  readonly pageSizeIgnored?: string;
  readonly order: ScanOrder;
  /** As the client meant it; the order may ask the device for a richer one. */
  readonly colorMode: ColorMode;
  readonly format: Format;
  readonly quality: number;
  /** Adjustments that were asked for, whoever does them. */
  readonly adjustments: readonly Adjustment[];
  readonly barcode: BarcodeWishes | undefined;
  readonly ocr: boolean;
}

export interface PlanInput {
  readonly device: Device;
  readonly capabilities: Capabilities;
  /** In the feeder; of no account where there is none. */
  readonly paper: Status['paper'];
  readonly options: ScanOptions;
  readonly software: Pick<Registry, 'processors' | 'formats' | 'barcode' | 'ocr'>;
  readonly maxPixels: number;
  /** Says what a person should know: an option that was not followed, and why. */
  note(note: ScanNote): void;
}

const DEFAULT_RESOLUTION = 200;
const DEFAULT_COLOR_MODE: ColorMode = 'Grayscale';

/** @throws `InvalidValue` for a value that this scanner or installation does not take */
export function planScan(input: PlanInput): ScanPlan {
  const { options, capabilities, software, note } = input;
  const source = sourceFor(input);
  const from = capabilities[source];
  if (!from) throw new ScanError('driver-failed', `The driver of ${input.device.name} says nothing of its ${source}.`);

  const format = software.formats.find(each => each.name === options.format);
  const names = software.formats.map(each => each.name);
  if (!format)
    throw new InvalidValue('imageFormat', `one of ${names.join(', ')}: ${options.format} is not installed`, names);
  const resolution = resolutionFor(input, from);
  const colorMode = colorModeFor(input, from);
  const duplexMode = duplexModeFor(input, from);
  const pageSize = pageSizeFor(input, from);
  refuseTooLarge(resolution, pageSize, input.maxPixels);

  const adjustments = wanted(options, duplexMode);
  for (const adjustment of adjustments) {
    if (!from.adjustments.includes(adjustment) && !hasProcessor(software, adjustment)) note(notDone(adjustment));
  }
  if (options.barcode && !software.barcode) note(noBarcodes);
  if (options.ocr && !software.ocr) note(noOcr);

  const pageSizeIgnored = sizeIgnored(input, pageSize);
  return {
    options,
    ...(pageSizeIgnored === undefined ? {} : { pageSizeIgnored }),
    order: {
      source,
      resolution,
      colorMode: deviceColorMode(colorMode, from),
      duplexMode,
      pageSize,
      ...options.controls,
      adjustments: adjustments.filter(each => from.adjustments.includes(each)),
      ...(format.mimeType === 'image/jpeg' && colorMode !== 'BlackAndWhite' ? {} : { lossless: true }),
      maxPixels: input.maxPixels,
    },
    colorMode,
    format,
    quality: options.quality,
    adjustments,
    barcode: software.barcode ? options.barcode : undefined,
    ocr: options.ocr && software.ocr !== undefined,
  };
}

function notDone(adjustment: Adjustment): ScanNote {
  const field = adjustmentParameters.find(each => each.adjustment === adjustment)?.parameter;
  const why = 'the scanner does not do it, and no plugin that does is loaded.';
  if (field) return noteOnField('adjustment-ignored', field, `was ignored: ${why}`);
  const text = `Backs were not turned for DuplexShortEdge: ${why}`;
  return { code: 'backs-not-turned', text, field: 'duplexMode' };
}

const noBarcodes: ScanNote = {
  code: 'barcodes-not-installed',
  text: 'Barcodes were not read: barcode reading is not installed or not enabled here.',
  field: 'barcodeReadingEnabled',
};
const noOcr: ScanNote = {
  code: 'ocr-not-installed',
  text: 'Text was not read: OCR is not installed or not enabled here.',
  field: 'ocrEnabled',
};

function wanted(options: ScanOptions, duplexMode: DuplexMode): Adjustment[] {
  const asked = adjustmentParameters.filter(({ parameter }) => options[parameter]).map(({ adjustment }) => adjustment);
  return duplexMode === 'DuplexShortEdge' ? ['turn', ...asked] : asked;
}

/** The only place that chooses a source: drivers are told. */
function sourceFor({ capabilities, paper }: PlanInput): Source {
  if (!capabilities.feeder) return 'flatbed';
  return capabilities.flatbed && paper === 'empty' ? 'flatbed' : 'feeder';
}

/** A resolution that only the scanner's other source has is taken as the nearest of this one. */
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

/** A mode that only the scanner's other source has is taken as the nearest of this one. */
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
  const text = `Scanned in ${nearest}: this source of the scanner has no ${asked}.`;
  if (options.colorMode !== undefined) note({ code: 'color-mode-changed', text, field: 'colorMode' });
  return nearest;
}

/** The mode to ask the device for: the one that was asked for, else the nearest that has more. */
function deviceColorMode(asked: ColorMode, from: SourceCapabilities): ColorMode {
  if (from.colorModes.includes(asked)) return asked;
  return asked === 'BlackAndWhite' && from.colorModes.includes('Grayscale') ? 'Grayscale' : 'Color';
}

function duplexModeFor({ capabilities, options, note }: PlanInput, from: SourceCapabilities): DuplexMode {
  if (options.duplexMode === 'Simplex' || from.duplex) return options.duplexMode;
  if (!Object.values(capabilities).some(each => each.duplex))
    throw new InvalidValue('duplexMode', 'Simplex on this scanner: it scans one side only', ['Simplex']);
  const text = 'Scanned one side only: the glass has no other, and the feeder is empty.';
  note({ code: 'one-side-only', text, field: 'duplexMode' });
  return 'Simplex';
}

/** The size itself where the scanner has it, else the smallest that holds it, else its largest. */
function pageSizeFor({ device, options, note }: PlanInput, from: SourceCapabilities): PageSize {
  const asked = options.pageSize;
  if (device.traits?.ignoresPageSize) {
    // Clients that do not care send Letter, the default, all the same.
    if (asked !== 'Letter' && asked !== 'Auto') {
      note(
        noteOnField(
          'page-size-ignored',
          'pageSize',
          `${asked} was not applied: this scanner is scanned at its whole area.`,
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
  const rank = holding || bySize.length === 0 ? 'not one' : 'larger than any';
  const instead = size === 'Auto' ? 'its whole area' : size;
  note(noteOnField('page-size-changed', 'pageSize', `${asked} is ${rank} of this scanner's: scanned at ${instead}.`));
  return size;
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

function refuseTooLarge(resolution: number, size: PageSize, maxPixels: number): void {
  if (size === 'Auto') return;
  const pixels = area(size) * (resolution / 25.4) ** 2;
  if (pixels <= maxPixels) return;
  const most = Math.floor(Math.sqrt(maxPixels / area(size)) * 25.4);
  throw new InvalidValue(
    'resolution',
    `at most ${most} for ${size}: the configuration's memory.maxPixels allows ${maxPixels} pixels a page`,
  );
}
