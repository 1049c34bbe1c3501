/** The shapes of the interface document, as schemas: what routes take and give. */
import { colorModes, duplexModes, filterLevels, formatNames, pageSizes, scanPageSizes, symbologies, transferModes, type Symbology } from '@platen/core';
import { Type } from 'typebox';

const timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 UTC, with milliseconds and Z' });

/** Fields that both scan calls share; the name of the output format is the only difference. */
const sharedParameters = {
  resolution: Type.Optional(Type.Integer({ minimum: 1, description: 'pixels per inch' })),
  colorMode: Type.Optional(Type.Enum([...colorModes])),
  duplexMode: Type.Optional(Type.Enum([...duplexModes])),
  pageSize: Type.Optional(Type.Enum([...scanPageSizes])),
  autoRotate: Type.Optional(Type.Boolean()),
  autoDeskew: Type.Optional(Type.Boolean()),
  autoCrop: Type.Optional(Type.Boolean()),
  jpegQuality: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  barcodeReadingEnabled: Type.Optional(Type.Boolean()),
  barcodeFilterLevel: Type.Optional(Type.Enum([...filterLevels])),
  barcodeFormats: Type.Optional(Type.Array(Type.Enum(Object.keys(symbologies) as Symbology[]), { maxItems: 1000 })),
  barcodeStopAfterFirst: Type.Optional(Type.Boolean()),
  ocrEnabled: Type.Optional(Type.Boolean()),
  requestTimeoutSeconds: Type.Optional(Type.Integer({ minimum: 0 })),
  transferMode: Type.Optional(Type.Enum([...transferModes])),
  report: Type.Optional(Type.Boolean()),
};

export const Parameters = Type.Object({ ...sharedParameters, imageFormat: Type.Optional(Type.Enum([...formatNames])) });
export type Parameters = Type.Static<typeof Parameters>;

/** The names that `outputFormat` takes, and the format that each means. */
export const outputFormats = { png: 'Png', jpeg: 'Jpeg', jpg: 'Jpeg', tiff: 'Tiff', tif: 'Tiff', bmp: 'Bmp' } as const;

export const DirectParameters = Type.Object({ ...sharedParameters, outputFormat: Type.Optional(Type.Enum(Object.keys(outputFormats) as (keyof typeof outputFormats)[])) });
export type DirectParameters = Type.Static<typeof DirectParameters>;

const sourceName = Type.String({ minLength: 1, description: 'the name of a scanner' });
/** What each method takes in `params`. */
export const directParams = {
  getSources: Type.Object({}),
  openSource: Type.Object({ sourceName }),
  closeSource: Type.Object({}),
  getCapabilities: Type.Object({ sourceName: Type.Optional(sourceName) }),
  getStatus: Type.Object({}),
  scan: DirectParameters,
};
export type DirectMethod = keyof typeof directParams;

export const DirectBody = Type.Object({
  kind: Type.Enum(['twainlocalscanner']),
  method: Type.Enum(Object.keys(directParams) as DirectMethod[]),
  commandId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$', description: 'up to 200 printable characters without spaces' })),
});

export const DirectAnswer = Type.Object({
  kind: Type.String(),
  commandId: Type.String(),
  method: Type.String(),
  results: Type.Object({ success: Type.Boolean(), code: Type.String(), jsonKey: Type.Optional(Type.String()), characterOffset: Type.Optional(Type.Integer()) }),
  data: Type.Record(Type.String(), Type.Unknown()),
});

export const EnableBody = Type.Object({ parameters: Type.Optional(Parameters), scannerName: Type.Optional(sourceName) });
export type EnableBody = Type.Static<typeof EnableBody>;

export const ScanBody = Type.Object({
  scannerName: Type.String({ minLength: 1, description: 'the name of a scanner' }),
  parameters: Type.Optional(Parameters),
  requestId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$', description: 'up to 200 printable characters without spaces' })),
});
export type ScanBody = Type.Static<typeof ScanBody>;

export const CancelBody = Type.Object({ requestId: Type.Optional(Type.String()) });

export const RootInfo = Type.Object({ service: Type.String(), version: Type.String(), status: Type.String(), timestamp });

export const ServiceStatus = Type.Object({
  success: Type.Boolean(),
  serviceOnline: Type.Boolean(),
  desktopAppConnected: Type.Boolean(),
  scannerStatus: Type.Object({ isOnline: Type.Boolean(), isPaperLoaded: Type.Boolean(), isSourceOpen: Type.Boolean(), ocrEnabled: Type.Boolean() }),
  timestamp,
});

export const VersionInfo = Type.Object({
  success: Type.Boolean(),
  productName: Type.String(),
  serviceVersion: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+\\.\\d+$' }),
  desktopVersion: Type.Optional(Type.String()),
  desktopAppConnected: Type.Boolean(),
  timestamp,
});

export const ScannerInfo = Type.Object({
  name: Type.String(),
  manufacturer: Type.String(),
  model: Type.String(),
  isOnline: Type.Boolean(),
  hasFeeder: Type.Boolean(),
  hasFlatbed: Type.Boolean(),
  supportsDuplex: Type.Boolean(),
});

export const ScannerList = Type.Object({ success: Type.Literal(true), scanners: Type.Array(ScannerInfo), count: Type.Integer() });

export const CapabilitiesAnswer = Type.Object({
  success: Type.Literal(true),
  capabilities: Type.Object({
    resolutions: Type.Array(Type.Integer()),
    colorModes: Type.Array(Type.Enum([...colorModes])),
    supportsDuplex: Type.Boolean(),
    supportsAutoRotate: Type.Boolean(),
    supportsAutoDeskew: Type.Boolean(),
    supportsAutoCrop: Type.Boolean(),
    supportedPageSizes: Type.Array(Type.Enum([...pageSizes])),
    supportedOcrLanguages: Type.Optional(Type.Array(Type.String())),
  }),
});

export const Barcode = Type.Object({
  text: Type.String(),
  barcodeType: Type.Enum(Object.values(symbologies)),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
});

export const Reported = Type.Object({
  parameter: Type.String({ description: 'its name in the request' }),
  requested: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
  result: Type.Enum(['applied', 'emulated', 'ignored']),
  why: Type.Optional(Type.String()),
});

export const Image = Type.Object({
  base64Data: Type.String(),
  mimeType: Type.String(),
  pageNumber: Type.Integer({ minimum: 1 }),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  resolution: Type.Integer({ minimum: 1 }),
  format: Type.String(),
  fileSizeBytes: Type.Integer({ minimum: 1 }),
  ocrText: Type.String(),
  barcodes: Type.Array(Barcode),
  report: Type.Optional(Type.Array(Reported)),
});
export type Image = Type.Static<typeof Image>;

export const ScanResult = Type.Object({
  success: Type.Boolean(),
  status: Type.String(),
  message: Type.String(),
  error: Type.Optional(Type.String({ description: 'why the scan failed; absent when it succeeded' })),
  images: Type.Array(Image),
  imageCount: Type.Integer({ minimum: 0 }),
  elapsedMs: Type.Integer({ minimum: 0 }),
});

export const Done = Type.Object({ success: Type.Literal(true), message: Type.String() });

export const Failure = Type.Object({ success: Type.Literal(false), error: Type.String() });
