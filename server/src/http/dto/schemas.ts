/** The shapes of the interface document, as schemas: what routes take and give. Those with a title are named in the OpenAPI document. */
import {
  adjustmentParameters,
  colorModes,
  noteCodes,
  pageSizes,
  symbologies,
  type AdjustmentParameter,
} from '@platen/core';
import { Type } from 'typebox';
import { DirectParameters, Parameters } from './parameters.js';

export { DirectParameters, Parameters } from './parameters.js';

const timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 UTC, with milliseconds and Z',
  examples: ['2026-01-31T12:00:00.000Z'],
});
const success = Type.Boolean({ description: 'Whether all went well.' });
const message = Type.String({ description: 'For a person.' });
const connected = Type.Boolean({
  description: 'Whether the desktop application is connected; true where there is no separate one.',
});

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
  commandId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'up to 200 printable characters without spaces',
    }),
  ),
});

/** `DirectBody` with all that a method takes, for the document: a request is held against the schema of its own method. */
export const DirectCommand = Type.Object(
  {
    ...DirectBody.properties,
    params: Type.Optional(
      Type.Union(
        [
          DirectParameters,
          Type.Object(
            { sourceName: Type.Optional(sourceName) },
            {
              title: 'DirectSource',
              description: 'For openSource, and getCapabilities, where it may be absent: the open one is meant.',
            },
          ),
          Type.Null(),
        ],
        {
          description:
            'scan takes DirectScanParameters, openSource and getCapabilities a DirectSource, the others nothing.',
        },
      ),
    ),
  },
  {
    title: 'DirectCommand',
    description: 'A method, and what it takes.',
    examples: [{ kind: 'twainlocalscanner', method: 'scan', params: { resolution: 300, outputFormat: 'jpeg' } }],
  },
);

export const DirectAnswer = Type.Object(
  {
    kind: Type.String({ examples: ['twainlocalscanner'] }),
    commandId: Type.String({ description: 'The one that was sent, or a new one.' }),
    method: Type.String(),
    results: Type.Object({
      success,
      code: Type.String({
        description:
          '`success`, or why not: invalidJson, invalidValue, invalidState (no scanner is open), busy, aborted, noMedia, paperJam, doubleFeed, coverOpen, timeout, critical.',
      }),
      jsonKey: Type.Optional(Type.String({ description: 'With invalidValue: the field.' })),
      characterOffset: Type.Optional(
        Type.Integer({ description: 'With invalidJson: where the text stops being JSON.' }),
      ),
    }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'On failure it has `message`. getSources: {availableSources: [Scanner]}. openSource: {message, scanner: Scanner}. closeSource: {message}. getCapabilities: {capabilities: Capabilities}. getStatus: {scannerStatus: ScannerStatus}. scan: the fields of ScanResult.',
    }),
  },
  {
    title: 'DirectAnswer',
    description: 'Which command it answers, and how it went.',
    examples: [
      {
        kind: 'twainlocalscanner',
        commandId: '7f1c2a3e-0000-4000-8000-000000000000',
        method: 'closeSource',
        results: { success: true, code: 'success' },
        data: { message: 'The scanner is closed.' },
      },
    ],
  },
);

export const EnableBody = Type.Object(
  {
    parameters: Type.Optional(Parameters),
    scannerName: Type.Optional(Type.String({ minLength: 1, description: 'the name of a scanner' })),
  },
  {
    title: 'EnableRequest',
    description: '`scannerName` opens that scanner first, an addition to the interface; absent, the open one is meant.',
    examples: [{ scannerName: 'Feeder A', parameters: { resolution: 200 } }],
  },
);
export type EnableBody = Type.Static<typeof EnableBody>;

export const ScanBody = Type.Object(
  {
    scannerName: Type.String({ minLength: 1, description: 'the name of a scanner' }),
    parameters: Type.Optional(Parameters),
    requestId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[\\x21-\\x7e]+$',
        description: 'up to 200 printable characters without spaces',
      }),
    ),
  },
  {
    title: 'ScanRequest',
    description: '`requestId` is for cancelling this scan and no other, an addition to the interface.',
    examples: [{ scannerName: 'Feeder A', parameters: { resolution: 300, colorMode: 'Color', imageFormat: 'Jpeg' } }],
  },
);
export type ScanBody = Type.Static<typeof ScanBody>;

export const CancelBody = Type.Object(
  { requestId: Type.Optional(Type.String({ description: 'the requestId of a scan' })) },
  { title: 'CancelRequest', description: 'Without `requestId`, whichever scan runs is meant.', examples: [{}] },
);

export const RootInfo = Type.Object(
  {
    service: Type.String({ examples: ['Platen'] }),
    version: Type.String({ examples: ['0.1.0.0'] }),
    status: Type.String({ description: 'A running service reports running.', examples: ['running'] }),
    timestamp,
  },
  { title: 'RootInfo', description: 'That the service is there, and which it is.' },
);

export const ScannerStatus = Type.Object(
  {
    isOnline: Type.Boolean({
      description: 'The open scanner is there and powered on; with none open, whether any is.',
    }),
    isPaperLoaded: Type.Boolean({ description: 'Paper is known to be in the feeder.' }),
    isSourceOpen: Type.Boolean({ description: 'A scanner is open.' }),
    ocrEnabled: Type.Boolean({ description: 'Text recognition is set up.' }),
  },
  { title: 'ScannerStatus' },
);

export const ServiceStatus = Type.Object(
  { success, serviceOnline: Type.Boolean(), desktopAppConnected: connected, scannerStatus: ScannerStatus, timestamp },
  { title: 'ServiceStatus', description: 'The service, the desktop application and the open scanner.' },
);

export const VersionInfo = Type.Object(
  {
    success,
    productName: Type.String({ examples: ['Platen'] }),
    serviceVersion: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+\\.\\d+$', examples: ['0.1.0.0'] }),
    desktopVersion: Type.Optional(
      Type.String({ description: 'Only while the desktop application is connected.', examples: ['0.1.0.0'] }),
    ),
    desktopAppConnected: connected,
    timestamp,
  },
  { title: 'VersionInfo', description: 'The versions of the service and of the desktop application.' },
);

export const ScannerInfo = Type.Object(
  {
    name: Type.String({
      description: 'What the scanner is called in every call; URL-encoded in paths.',
      examples: ['Feeder A'],
    }),
    manufacturer: Type.String(),
    model: Type.String(),
    isOnline: Type.Boolean(),
    hasFeeder: Type.Boolean(),
    hasFlatbed: Type.Boolean(),
    supportsDuplex: Type.Boolean(),
  },
  { title: 'Scanner', description: 'A scanner as far as it is known without opening it.' },
);

export const ScannerList = Type.Object(
  { success: Type.Literal(true), scanners: Type.Array(ScannerInfo), count: Type.Integer() },
  {
    title: 'ScannerList',
    description:
      'Every scanner of every driver. An empty list means that none is connected, or that its driver is not installed.',
    examples: [
      {
        success: true,
        scanners: [
          {
            name: 'Feeder A',
            manufacturer: 'Platen',
            model: 'Virtual',
            isOnline: true,
            hasFeeder: true,
            hasFlatbed: false,
            supportsDuplex: true,
          },
        ],
        count: 1,
      },
    ],
  },
);

/** The same of every adjustment: `supportsAutoRotate` and its like. */
const ofAdjustments = <Value>(value: Value) =>
  Object.fromEntries(adjustmentParameters.map(each => [each.capability, value])) as Record<
    AdjustmentParameter['capability'],
    Value
  >;

export const Capabilities = Type.Object(
  {
    resolutions: Type.Array(Type.Integer(), { description: 'Pixels per inch.', examples: [[75, 150, 200, 300]] }),
    colorModes: Type.Array(Type.Enum([...colorModes]), {
      description: 'Those of the scanner, and those that software makes of them.',
    }),
    supportsDuplex: Type.Boolean(),
    ...ofAdjustments(Type.Boolean()),
    supportedPageSizes: Type.Array(Type.Enum([...pageSizes]), {
      description: 'A3 and Executive may be listed; a scan cannot be asked for them.',
    }),
    supportedOcrLanguages: Type.Optional(
      Type.Array(Type.String(), { description: 'On macOS only, and for information.' }),
    ),
  },
  { title: 'Capabilities', description: 'What a scanner and the loaded plugins can do.' },
);

const capabilitiesExample = {
  success: true,
  capabilities: {
    resolutions: [75, 150, 200, 300],
    colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
    supportsDuplex: true,
    ...ofAdjustments(true),
    supportedPageSizes: ['Letter', 'Legal', 'A4', 'Auto'],
  },
};

export const CapabilitiesAnswer = Type.Object(
  { success: Type.Literal(true), capabilities: Capabilities },
  { title: 'CapabilitiesAnswer', description: 'What the scanner can do.', examples: [capabilitiesExample] },
);

export const Barcode = Type.Object(
  {
    text: Type.String({ description: 'The decoded content.' }),
    barcodeType: Type.Enum(Object.values(symbologies)),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
  },
  { title: 'Barcode' },
);

export const Reported = Type.Object(
  {
    parameter: Type.String({ description: 'its name in the request' }),
    requested: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
    result: Type.Enum(['applied', 'emulated', 'ignored'], { description: 'Done by the scanner, in software, or not.' }),
    why: Type.Optional(Type.String({ description: 'Why it was not.' })),
  },
  { title: 'Reported', description: 'What became of a wish.' },
);

export const Image = Type.Object(
  {
    base64Data: Type.String({ description: "The image's file, as base64.", examples: ['iVBORw0KGgo…'] }),
    mimeType: Type.String({ examples: ['image/png'] }),
    pageNumber: Type.Integer({ minimum: 1, description: 'A page is a side.' }),
    width: Type.Integer({ minimum: 1, description: 'Pixels.' }),
    height: Type.Integer({ minimum: 1, description: 'Pixels.' }),
    resolution: Type.Integer({ minimum: 1, description: 'Pixels per inch.' }),
    format: Type.String({ examples: ['Png'] }),
    fileSizeBytes: Type.Integer({ minimum: 1, description: 'Of the file, before base64.' }),
    ocrText: Type.String({ description: 'Empty unless text recognition was asked for.' }),
    barcodes: Type.Array(Barcode, { description: 'Empty unless barcode reading was asked for.' }),
    report: Type.Optional(Type.Array(Reported, { description: 'Where `report` was asked for.' })),
  },
  { title: 'Image', description: 'One scanned page.' },
);
export type Image = Type.Static<typeof Image>;

export const Note = Type.Object(
  {
    code: Type.Enum([...noteCodes], { description: 'For programs; core/ERRORS.md says when each.' }),
    text: Type.String({ description: 'For a person; it may change.' }),
    field: Type.Optional(Type.String({ description: 'The parameter that it is about.' })),
  },
  { title: 'Note', description: 'What a person should know of a scan that succeeds.' },
);
export type Note = Type.Static<typeof Note>;

const notes = Type.Optional(
  Type.Array(Note, {
    description: 'The sentences of `message` about the parameters, with codes. Where `report` was asked for.',
  }),
);

export const ScanResult = Type.Object(
  {
    success,
    status: Type.String({
      description:
        'Success, or why not: Cancelled, NoPaper, PaperJam, DoubleFeed, CoverOpen, DeviceOffline, Timeout, …',
      examples: ['Success'],
    }),
    message: Type.String({ description: 'For a person; it also says which wish was not followed, and why.' }),
    error: Type.Optional(Type.String({ description: 'why the scan failed; absent when it succeeded' })),
    images: Type.Array(Image, { description: 'Also where the scan failed: the pages that were finished before.' }),
    imageCount: Type.Integer({ minimum: 0 }),
    elapsedMs: Type.Integer({ minimum: 0 }),
    notes,
  },
  {
    title: 'ScanResult',
    description: 'The pages of a scan, and how it ended.',
    examples: [
      {
        success: true,
        status: 'Success',
        message: 'Scanned 1 page.',
        imageCount: 1,
        elapsedMs: 1200,
        images: [
          {
            base64Data: '/9j/4AAQSkZJRg…',
            mimeType: 'image/jpeg',
            pageNumber: 1,
            width: 2550,
            height: 3300,
            resolution: 300,
            format: 'Jpeg',
            fileSizeBytes: 482113,
            ocrText: '',
            barcodes: [{ text: 'PLATEN-0001', barcodeType: 'CODE_128', confidence: 0.98 }],
          },
        ],
      },
    ],
  },
);

export const Done = Type.Object(
  { success: Type.Literal(true), message },
  { title: 'Done', description: 'It is done.', examples: [{ success: true, message: 'Auto-scan is enabled.' }] },
);

export const Enabled = Type.Object(
  { success: Type.Literal(true), message, notes },
  {
    title: 'Enabled',
    description: 'Auto-scan is on.',
    examples: [{ success: true, message: 'Auto-scan is enabled.' }],
  },
);

export const Failure = Type.Object(
  { success: Type.Literal(false), error: Type.String({ description: 'A sentence that says what is wrong.' }) },
  { title: 'Failure', description: 'It is not done.' },
);
