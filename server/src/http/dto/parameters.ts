/**
 * The parameters of a scan: their schemas, and the options that they mean.
 * A string without a list of words describes its accepted values, because errors quote that description.
 */
import {
  colorModes,
  duplexModes,
  filterLevels,
  formatNames,
  InvalidValue,
  scanPageSizes,
  symbologies,
  transferModes,
  type AdjustmentParameter,
  type Format,
  type ScanControls,
  type ScanOptions,
  type Symbology,
} from '@platen/core';
import type { TSchema } from 'typebox';
import { Type } from '../../schemaType.js';
import { Separate, separationOf } from './separate.js';

const adjustmentFields = {
  autoRotate: Type.Optional(Type.Boolean({ description: 'Turn pages upright, by their content. Absent: false.' })),
  autoDeskew: Type.Optional(
    Type.Boolean({ description: 'Straighten pages that were fed at an angle. Absent: false.' }),
  ),
  autoCrop: Type.Optional(Type.Boolean({ description: 'Crop pages to the edges of the sheet. Absent: false.' })),
} satisfies Record<AdjustmentParameter['parameter'], TSchema>;

const controlFields = {
  transferMode: Type.Optional(
    Type.Enum([...transferModes], {
      description: "TWAIN only. Absent: the desktop application's configuration decides.",
    }),
  ),
} satisfies Record<keyof ScanControls, TSchema>;

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
  jpegQuality: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'For JPEG only. Absent: 90.' })),
  barcodeReadingEnabled: Type.Optional(Type.Boolean({ description: 'Read barcodes into `barcodes`. Absent: false.' })),
  barcodeFilterLevel: Type.Optional(
    Type.Enum([...filterLevels], {
      description: 'How strictly a result is checked, from Low (false positives possible) to VeryHigh. Absent: Normal.',
    }),
  ),
  barcodeFormats: Type.Optional(
    Type.Array(Type.Enum(Object.keys(symbologies) as Symbology[]), {
      maxItems: 1000,
      description: 'The symbologies to look for; empty or absent: all.',
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
  ...controlFields,
  report: Type.Optional(
    Type.Boolean({
      description:
        'Adds `report` to each image (each requested adjustment and its result) and `notes` to the answer (the sentences of `message`, with codes). An addition to the interface. Absent: false.',
    }),
  ),
};

const anyCase =
  'Words are case-insensitive. Unknown fields are ignored. An invalid value of a known field is rejected before paper moves.';

export const Parameters = Type.Object(
  {
    ...sharedParameters,
    imageFormat: Type.Optional(
      Type.Enum([...formatNames], {
        description:
          "The format of the images. Absent: Png. (`outputFormat`, the other endpoint's name, is ignored here.)",
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

/** The accepted names of `outputFormat`, and the format that each means. */
export const outputFormats = { png: 'Png', jpeg: 'Jpeg', jpg: 'Jpeg', tiff: 'Tiff', tif: 'Tiff', bmp: 'Bmp' } as const;

export const DirectParameters = Type.Object(
  {
    ...sharedParameters,
    outputFormat: Type.Optional(
      Type.Enum(Object.keys(outputFormats) as (keyof typeof outputFormats)[], {
        description: 'The format of the images. Absent: png.',
      }),
    ),
  },
  {
    title: 'DirectScanParameters',
    description: `The parameters of a scan through POST /api/twain: as ScanParameters, except for the name of the format. ${anyCase}`,
  },
);
export type DirectParameters = Type.Static<typeof DirectParameters>;

/** @param parameters already checked against their schema and in the interface's spelling */
export function optionsFromSimple({ imageFormat = 'Png', ...rest }: Parameters = {}): ScanOptions {
  return optionsFrom(rest, imageFormat);
}

/**
 * @param parameters already checked against their schema and in the interface's spelling
 * @throws `InvalidValue` for fields of `separate` that do not belong together
 */
export function optionsFromStart({ separate, ...rest }: StartParameters = {}): ScanOptions {
  return { ...optionsFromSimple(rest), ...(separate ? { separate: separationOf(separate) } : {}) };
}

/**
 * @param parameters already checked against their schema and in the interface's spelling
 * @throws `InvalidValue` for a format that is not installed
 */
export function optionsFromDirect(
  { outputFormat = 'png', ...rest }: DirectParameters,
  formats: readonly Format[],
): ScanOptions {
  const name = outputFormats[outputFormat];
  if (!formats.some(format => format.name === name)) {
    const names = formats.map(format => format.aliases[0] ?? format.name);
    throw new InvalidValue('outputFormat', `one of ${names.join(', ')}: ${outputFormat} is not installed`, names);
  }
  return optionsFrom(rest, name);
}

/** Fills in the defaults, except those that depend on the scanner (resolution, colour). */
function optionsFrom(parameters: Omit<Parameters, 'imageFormat'>, format: string): ScanOptions {
  const { resolution, colorMode, blankPages = 'keep' } = parameters;
  return {
    ...(resolution === undefined ? {} : { resolution }),
    ...(colorMode === undefined ? {} : { colorMode }),
    duplexMode: parameters.duplexMode ?? 'Simplex',
    pageSize: parameters.pageSize ?? 'Letter',
    ...only(adjustmentFields, parameters),
    controls: only(controlFields, parameters),
    format,
    quality: parameters.jpegQuality ?? 90,
    ...(parameters.barcodeReadingEnabled
      ? {
          barcode: {
            filterLevel: parameters.barcodeFilterLevel ?? 'Normal',
            formats: parameters.barcodeFormats ?? [],
            stopAfterFirst: parameters.barcodeStopAfterFirst ?? false,
          },
        }
      : {}),
    ocr: parameters.ocrEnabled ?? false,
    ...(blankPages === 'keep' ? {} : { blankPages }),
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
