/**
 * What a scan may be asked for: the schemas of its parameters, and the options that they mean.
 * Strings that have no list of words say in their description what they take: it ends up in errors.
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
import { Type, type TSchema } from 'typebox';

const adjustmentFields = {
  autoRotate: Type.Optional(Type.Boolean({ description: 'Turn pages upright, after their content. Absent: false.' })),
  autoDeskew: Type.Optional(Type.Boolean({ description: 'Straighten pages that were fed askew. Absent: false.' })),
  autoCrop: Type.Optional(Type.Boolean({ description: 'Cut pages to the edges of the sheet. Absent: false.' })),
} satisfies Record<AdjustmentParameter['parameter'], TSchema>;

const controlFields = {
  transferMode: Type.Optional(
    Type.Enum([...transferModes], {
      description: 'Means something to TWAIN. Absent: what the desktop application is configured with.',
    }),
  ),
} satisfies Record<keyof ScanControls, TSchema>;

/** Fields that both scan calls share; the name of the output format is the only difference. */
const sharedParameters = {
  resolution: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "Pixels per inch: one of the scanner's resolutions. Absent: 200, or the nearest it has.",
      examples: [300],
    }),
  ),
  colorMode: Type.Optional(
    Type.Enum([...colorModes], {
      description: '24-bit, 8-bit or 1-bit. A mode that the scanner lacks is made in software. Absent: Grayscale.',
    }),
  ),
  duplexMode: Type.Optional(
    Type.Enum([...duplexModes], {
      description:
        'One side or both, and on which edge a sheet is turned over; backs come out upright. Absent: Simplex.',
    }),
  ),
  pageSize: Type.Optional(
    Type.Enum([...scanPageSizes], {
      description:
        'One that the scanner lacks is scanned at the next larger, or its largest, and `message` says so. Auto: the detected sheet, else the whole area. Absent: Letter.',
    }),
  ),
  ...adjustmentFields,
  jpegQuality: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'For JPEG only. Absent: 90.' })),
  barcodeReadingEnabled: Type.Optional(Type.Boolean({ description: 'Read barcodes into `barcodes`. Absent: false.' })),
  barcodeFilterLevel: Type.Optional(
    Type.Enum([...filterLevels], {
      description:
        'How strictly a reading is checked, from Low, with false positives possible, to VeryHigh. Absent: Normal.',
    }),
  ),
  barcodeFormats: Type.Optional(
    Type.Array(Type.Enum(Object.keys(symbologies) as Symbology[]), {
      maxItems: 1000,
      description: 'The symbologies to look for; empty or absent: all.',
    }),
  ),
  barcodeStopAfterFirst: Type.Optional(
    Type.Boolean({ description: 'Look no further on a page once a barcode was read. Absent: false.' }),
  ),
  ocrEnabled: Type.Optional(Type.Boolean({ description: 'Read text into `ocrText`. Absent: false.' })),
  requestTimeoutSeconds: Type.Optional(
    Type.Integer({ minimum: 0, description: 'A deadline for the whole call. 0 or absent: none of its own.' }),
  ),
  ...controlFields,
  report: Type.Optional(
    Type.Boolean({
      description:
        'Add `report` to each image, what was requested and what became of it, and `notes` to the answer, what `message` says with codes. An addition to the interface. Absent: false.',
    }),
  ),
};

const anyCase =
  'Words are taken in any letter case. Fields that are not known are ignored; a bad value of a known one is refused before paper moves.';

export const Parameters = Type.Object(
  {
    ...sharedParameters,
    imageFormat: Type.Optional(
      Type.Enum([...formatNames], {
        description:
          "The format of the images. Absent: Png. (`outputFormat` is the other endpoint's name for it, and ignored here.)",
      }),
    ),
  },
  { title: 'ScanParameters', description: `What a scan is asked for. ${anyCase}` },
);
export type Parameters = Type.Static<typeof Parameters>;

/** The names that `outputFormat` takes, and the format that each means. */
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
    description: `What a scan is asked for through POST /api/twain: as ScanParameters, but for the name of the format. ${anyCase}`,
  },
);
export type DirectParameters = Type.Static<typeof DirectParameters>;

/** @param parameters already checked against their schema and in the interface's spelling */
export function optionsFromSimple({ imageFormat = 'Png', ...rest }: Parameters = {}): ScanOptions {
  return optionsFrom(rest, imageFormat);
}

/**
 * @param parameters already checked against their schema and in the interface's spelling
 * @throws `InvalidValue` for a format that is not loaded
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

/** The defaults are the design's decisions; what the scanner decides (resolution, colour) is left open here. */
function optionsFrom(parameters: Omit<Parameters, 'imageFormat'>, format: string): ScanOptions {
  const { resolution, colorMode } = parameters;
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
    timeoutSeconds: parameters.requestTimeoutSeconds ?? 0,
    report: parameters.report ?? false,
  };
}

/** The values that are there of these fields. */
function only<Values extends object, Name extends keyof Values>(
  fields: Readonly<Record<Name, TSchema>>,
  values: Values,
): Pick<Values, Name> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(fields, name))) as Pick<
    Values,
    Name
  >;
}
