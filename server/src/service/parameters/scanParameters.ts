/**
 * The parameters of a scan: their schemas, and the options that they mean.
 * A string without a list of words describes its accepted values, because errors quote that description.
 */
import {
  colorModes,
  duplexModes,
  filterLevels,
  formatAsked,
  processAsked,
  readersAsked,
  recogniseAsked,
  scanPageSizes,
  symbologiesAsked,
  type AdjustmentParameter,
  type formatNames,
  type Registry,
  type ScanOptions,
  type Symbology,
} from '@platen/core';
import type { TSchema } from 'typebox';
import { Type } from '../../machine/schemaType.js';
import { controlFields, controlsFrom } from './controls.js';
import { Separate, separationOf } from './separate.js';

const adjustmentFields = {
  autoRotate: Type.Optional(Type.Boolean({ description: 'Turn pages upright, by their content. Absent: false.' })),
  autoDeskew: Type.Optional(
    Type.Boolean({ description: 'Straighten pages that were fed at an angle. Absent: false.' }),
  ),
  autoCrop: Type.Optional(Type.Boolean({ description: 'Crop pages to the edges of the sheet. Absent: false.' })),
} satisfies Record<AdjustmentParameter['parameter'], TSchema>;

/** Names that plugins bring: `optionsFrom…` checks them, and the OpenAPI document lists those that are loaded. */
export type ImageFormatName = (typeof formatNames)[number] | (string & {});
type SymbologyName = Symbology | (string & {});

const named = Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()));

/** Additions to the interface that name loaded plugins' recognisers and processors. */
const pluginFields = {
  recognise: Type.Optional(
    Type.Unsafe<Type.Static<typeof named>>({
      ...named,
      description:
        'Recognisers of plugins, by kind, each with its wishes; {} for their defaults. Each page then has `findings`, by kind. An addition to the interface.',
    }),
  ),
  process: Type.Optional(
    Type.Unsafe<Type.Static<typeof named>>({
      ...named,
      description:
        "Processors of plugins, by name, each with its options; {} for their defaults. They run after the adjustments, in the order of the service's configuration. An addition to the interface.",
    }),
  ),
  readers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'If several recognisers of a kind are loaded: the name of the one that reads. Absent: the first. An addition to the interface.',
    }),
  ),
};

/** The fields that both scan calls share; they differ only in the name of the output format. */
const sharedParameters = {
  resolution: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "Pixels per inch: one of the scanner's resolutions. Absent: 200, or the nearest one.",
      examples: [300],
    }),
  ),
  colorMode: Type.Optional(
    Type.Enum([...colorModes], {
      description: '24-bit, 8-bit or 1-bit. If the scanner lacks the mode, software converts. Absent: Grayscale.',
    }),
  ),
  duplexMode: Type.Optional(
    Type.Enum([...duplexModes], {
      description:
        'One side or both, and the edge on which a sheet is turned over; back sides are upright. Absent: Simplex.',
    }),
  ),
  pageSize: Type.Optional(
    Type.Enum([...scanPageSizes], {
      description:
        'If the scanner lacks the size, it scans the next larger or its largest, and `message` says so. Auto: the detected sheet, else the whole area. Absent: Letter.',
    }),
  ),
  ...adjustmentFields,
  jpegQuality: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'For formats that lose detail: JPEG, and others of plugins. Absent: 90.',
    }),
  ),
  barcodeReadingEnabled: Type.Optional(Type.Boolean({ description: 'Read barcodes into `barcodes`. Absent: false.' })),
  barcodeFilterLevel: Type.Optional(
    Type.Enum([...filterLevels], {
      description: 'How strictly a result is checked, from Low (false positives possible) to VeryHigh. Absent: Normal.',
    }),
  ),
  barcodeFormats: Type.Optional(
    Type.Array(Type.Unsafe<SymbologyName>({}), {
      maxItems: 1000,
      description:
        'The symbologies to look for; empty or absent: all. The list is open: the reader of a plugin may have more.',
    }),
  ),
  barcodeStopAfterFirst: Type.Optional(
    Type.Boolean({ description: 'Stop at the first barcode on a page. Absent: false.' }),
  ),
  ocrEnabled: Type.Optional(Type.Boolean({ description: 'Read text into `ocrText`. Absent: false.' })),
  blankPages: Type.Optional(
    Type.Enum(['keep', 'flag', 'drop'], {
      description:
        'flag: each page says in `blank` whether it is blank. drop: also, documents are without blank pages, which stay in the scan. An addition to the interface. Absent: keep.',
    }),
  ),
  requestTimeoutSeconds: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The deadline of the whole call. 0 or absent: none.' }),
  ),
  ...pluginFields,
  ...controlFields,
  profile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'the name of a profile of the configuration: its parameters apply where the request has none',
    }),
  ),
  report: Type.Optional(
    Type.Boolean({
      description:
        'Adds `report` to each image (each requested adjustment and its result) and `notes` to the answer (the sentences of `message`, with codes). An addition to the interface. Absent: false.',
    }),
  ),
};

const anyCase =
  'Words are case-insensitive. Unknown fields are ignored, and so is null. An invalid value of a known field is rejected before paper moves; of an addition to the interface, it is ignored with a note, except by POST /api/scans.';

export const Parameters = Type.Object(
  {
    ...sharedParameters,
    imageFormat: Type.Optional(
      Type.Unsafe<ImageFormatName>({
        description:
          "The format of the images: the name of a loaded one. Absent: Png. (`outputFormat`, the other endpoint's name, is ignored here.)",
      }),
    ),
  },
  { title: 'ScanParameters', description: `The parameters of a scan. ${anyCase}` },
);
export type Parameters = Type.Static<typeof Parameters>;

export const StartParameters = Type.Object(
  { ...Parameters.properties, separate: Type.Optional(Separate) },
  {
    title: 'StartParameters',
    description: `The parameters of a scan whose pages are kept: as ScanParameters, and how its documents are separated. ${anyCase}`,
  },
);
export type StartParameters = Type.Static<typeof StartParameters>;

export const DirectParameters = Type.Object(
  {
    ...sharedParameters,
    outputFormat: Type.Optional(
      Type.Unsafe<string>({ description: 'The format of the images: the name of a loaded one. Absent: png.' }),
    ),
  },
  {
    title: 'DirectScanParameters',
    description: `The parameters of a scan through POST /api/twain: as ScanParameters, except for the name of the format. ${anyCase}`,
  },
);
export type DirectParameters = Type.Static<typeof DirectParameters>;

const { transferMode: _ofTheInterface, ...addedControls } = controlFields;
/** The parameters that the interface does not have. */
export const additions = {
  ...pluginFields,
  ...addedControls,
  blankPages: sharedParameters.blankPages,
  profile: sharedParameters.profile,
  report: sharedParameters.report,
};

/** The loaded plugins whose words a request may use. */
export type Vocabulary = Pick<Registry, 'formats' | 'readers' | 'processors'> & Partial<Pick<Registry, 'whyNot'>>;

/**
 * @param parameters already checked against their schema and in the interface's spelling
 * @throws `InvalidValue` for a word that no loaded plugin has
 */
export function optionsFromSimple(
  { imageFormat = 'Png', ...rest }: Parameters = {},
  vocabulary: Vocabulary,
): ScanOptions {
  return optionsFrom(rest, formatAsked('imageFormat', imageFormat, vocabulary.formats, vocabulary.whyNot), vocabulary);
}

/**
 * @param parameters already checked against their schema and in the interface's spelling
 * @throws `InvalidValue` also for fields of `separate` that do not belong together
 */
export function optionsFromStart({ separate, ...rest }: StartParameters = {}, vocabulary: Vocabulary): ScanOptions {
  return { ...optionsFromSimple(rest, vocabulary), ...(separate ? { separate: separationOf(separate) } : {}) };
}

/** As `optionsFromSimple`. @throws `InvalidValue` */
export function optionsFromDirect(
  { outputFormat = 'png', ...rest }: DirectParameters,
  vocabulary: Vocabulary,
): ScanOptions {
  return optionsFrom(
    rest,
    formatAsked('outputFormat', outputFormat, vocabulary.formats, vocabulary.whyNot),
    vocabulary,
  );
}

/** Fills in the defaults, except those that depend on the scanner (resolution, colour). */
function optionsFrom(
  parameters: Omit<Parameters, 'imageFormat'>,
  format: string,
  { readers, processors, whyNot }: Vocabulary,
): ScanOptions {
  const { recognise, process } = parameters;
  const chosen = parameters.readers && readersAsked(parameters.readers, readers);
  // Checked also if no barcodes are read.
  const barcodeFormats = symbologiesAsked(parameters.barcodeFormats ?? [], readers, chosen);
  const { resolution, colorMode, blankPages = 'keep' } = parameters;
  return {
    ...(resolution === undefined ? {} : { resolution }),
    ...(colorMode === undefined ? {} : { colorMode }),
    duplexMode: parameters.duplexMode ?? 'Simplex',
    pageSize: parameters.pageSize ?? 'Letter',
    ...only(adjustmentFields, parameters),
    ...controlsFrom(parameters),
    format,
    quality: parameters.jpegQuality ?? 90,
    ...(parameters.barcodeReadingEnabled
      ? {
          barcode: {
            filterLevel: parameters.barcodeFilterLevel ?? 'Normal',
            formats: barcodeFormats,
            stopAfterFirst: parameters.barcodeStopAfterFirst ?? false,
          },
        }
      : {}),
    ocr: parameters.ocrEnabled ?? false,
    ...(blankPages === 'keep' ? {} : { blankPages }),
    ...(recognise ? { recognise: recogniseAsked(recognise, readers, chosen, whyNot) } : {}),
    ...(process ? { process: processAsked(process, processors, whyNot) } : {}),
    ...(chosen ? { readers: chosen } : {}),
    timeoutSeconds: parameters.requestTimeoutSeconds ?? 0,
    report: parameters.report ?? false,
  };
}

/** Those of these fields that have a value. */
function only<Values extends object, Name extends keyof Values>(
  fields: Readonly<Record<Name, TSchema>>,
  values: Values,
): Pick<Values, Name> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(fields, name))) as Pick<
    Values,
    Name
  >;
}
