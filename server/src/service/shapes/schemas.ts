/**
 * The interface's shapes as schemas of requests and answers. A schema with a title gets that name in the OpenAPI
 * document.
 */
import { adjustmentParameters, colorModes, pageSizes, type AdjustmentParameter } from '@platen/core';
import { Type } from '../../machine/schemaType.js';
import { CapabilityDetails } from './details.js';
import { failureCodes, scanFailures } from '../http/errors.js';
import { Profile } from '../parameters/profiles.js';
import { Parameters, StartParameters } from '../parameters/scanParameters.js';
import { Barcode, Blank, Findings, imageFormat, mimeType, Note, Reported } from './parts.js';

export { DirectParameters, Parameters, StartParameters } from '../parameters/scanParameters.js';
export { CapabilityDetails } from './details.js';
export { Barcode, Blank, Note, Reported } from './parts.js';
export { DocumentFacts, Scan, ScanList, ScanPage, ScanSummary } from './scans.js';

const timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 UTC, with milliseconds and Z',
  examples: ['2026-01-31T12:00:00.000Z'],
});
const success = Type.Literal(true);
const failed = Type.Literal(false);
const message = Type.String({ description: 'For a person.' });
const connected = Type.Boolean({
  description: 'Whether the desktop application is connected; true if there is no separate one.',
});

const requestId = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'up to 200 printable characters without spaces',
});

export const EnableBody = Type.Object(
  {
    parameters: Type.Optional(Parameters),
    scannerName: Type.Optional(Type.String({ minLength: 1, description: 'the name of a scanner' })),
    keep: Type.Optional(
      Type.Boolean({ description: 'true: its pages stay at the service, as those of a scan', default: false }),
    ),
    requestId: Type.Optional(requestId),
  },
  {
    title: 'EnableRequest',
    description:
      '`scannerName` (an addition to the interface) opens that scanner first; auto-scan on others goes on. Absent: the open one. With `keep` (an addition, too), the auto-scan is a scan under `/api/scans` from its first moment: its pages stay until it is deleted there.',
    examples: [{ scannerName: 'Feeder A', parameters: { resolution: 200 } }],
  },
);
export type EnableBody = Type.Static<typeof EnableBody>;

export const DisableBody = Type.Object(
  { scannerName: Type.Optional(Type.String({ description: 'the name of a scanner' })) },
  {
    title: 'DisableRequest',
    description:
      '`scannerName` (an addition to the interface) ends auto-scan on that scanner only. Absent: wherever a page of the same origin enabled it, or, if that is nowhere or for a program, everywhere.',
    examples: [{}],
  },
);

export const ScanBody = Type.Object(
  {
    scannerName: Type.String({ minLength: 1, description: 'the name of a scanner' }),
    parameters: Type.Optional(Parameters),
    requestId: Type.Optional(requestId),
  },
  {
    title: 'ScanRequest',
    description: '`requestId` (an addition to the interface) lets `cancel` name this scan.',
    examples: [{ scannerName: 'Feeder A', parameters: { resolution: 300, colorMode: 'Color', imageFormat: 'Jpeg' } }],
  },
);
export type ScanBody = Type.Static<typeof ScanBody>;

export const StartBody = Type.Object(
  {
    ...ScanBody.properties,
    parameters: Type.Optional(StartParameters),
    waitSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3600,
        default: 0,
        description: 'how long to wait for a scanner in use, first come, first served; 0: the answer is `busy`',
      }),
    ),
  },
  {
    title: 'StartRequest',
    description: '`requestId` lets `POST /api/twain/cancel` name this scan.',
    examples: [{ scannerName: 'Feeder A', parameters: { resolution: 300, colorMode: 'Color', imageFormat: 'Jpeg' } }],
  },
);
export type StartBody = Type.Static<typeof StartBody>;

export const CancelBody = Type.Object(
  { requestId: Type.Optional(Type.String({ description: 'the requestId of a scan' })) },
  {
    title: 'CancelRequest',
    description: 'Without `requestId`, the call cancels the scans of the same web page; of a program, all.',
    examples: [{}],
  },
);

export const ProfileList = Type.Object(
  { success, profiles: Type.Record(Type.String(), Profile, { description: 'By name.' }) },
  {
    title: 'ProfileList',
    description: 'The profiles of the configuration.',
    examples: [{ success: true, profiles: { invoices: { resolution: 300, colorMode: 'BlackAndWhite' } } }],
  },
);

export const RootInfo = Type.Object(
  {
    service: Type.String({ examples: ['Platen'] }),
    version: Type.String({ examples: ['0.1.0.0'] }),
    status: Type.String({ description: 'Always `running`.', examples: ['running'] }),
    timestamp,
  },
  { title: 'RootInfo', description: 'Identifies the service and its version.' },
);

export const ScannerStatus = Type.Object(
  {
    isOnline: Type.Boolean({
      description: 'The open scanner is connected and powered on; if none is open, whether any is.',
    }),
    isPaperLoaded: Type.Boolean({
      description:
        'The feeder of the open scanner is known to hold paper. While none is open: false, whatever is in it.',
    }),
    isSourceOpen: Type.Boolean({ description: 'A scanner is open.' }),
    ocrEnabled: Type.Boolean({ description: 'Text recognition is available.' }),
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
      description: "The scanner's name in every call; URL-encoded in paths.",
      examples: ['Feeder A'],
    }),
    manufacturer: Type.String(),
    model: Type.String(),
    isOnline: Type.Boolean(),
    hasFeeder: Type.Boolean(),
    hasFlatbed: Type.Boolean(),
    supportsDuplex: Type.Boolean(),
    isRemembered: Type.Optional(
      Type.Boolean({
        description:
          'With `details=true` only. True while the scanner is known only from the last run of the service: `isOnline` is what it was then, or false once its driver has looked for it without success.',
      }),
    ),
    inUse: Type.Optional(
      Type.Enum(['own', 'other'], {
        description:
          'With `details=true` only. A scan or auto-scan has the scanner: one of the same origin, or another; for pages with the opaque origin `null`, always `other`. Absent: it is free.',
      }),
    ),
  },
  { title: 'Scanner', description: 'What is known of a scanner without opening it.' },
);

export const ScannerList = Type.Object(
  { success, scanners: Type.Array(ScannerInfo), count: Type.Integer() },
  {
    title: 'ScannerList',
    description:
      'The scanners of all drivers. An empty list, or one in which no scanner has `isOnline`, means that none is connected, or that its driver is not installed: a scanner that was seen before stays listed.',
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

/** One flag per adjustment, such as `supportsAutoRotate`. */
const ofAdjustments = <Value>(value: Value) =>
  Object.fromEntries(adjustmentParameters.map(each => [each.capability, value])) as Record<
    AdjustmentParameter['capability'],
    Value
  >;

export const Capabilities = Type.Object(
  {
    resolutions: Type.Array(Type.Integer(), { description: 'Pixels per inch.', examples: [[75, 150, 200, 300]] }),
    colorModes: Type.Array(Type.Enum([...colorModes]), {
      description: "The scanner's modes, and those that software converts to.",
    }),
    supportsDuplex: Type.Boolean(),
    ...ofAdjustments(Type.Boolean()),
    supportedPageSizes: Type.Array(Type.Enum([...pageSizes]), {
      description: 'A3 and Executive may be listed; a scan cannot request them.',
    }),
    supportedOcrLanguages: Type.Optional(Type.Array(Type.String(), { description: 'macOS only; for information.' })),
    details: Type.Optional(CapabilityDetails),
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
  { success, capabilities: Capabilities },
  { title: 'CapabilitiesAnswer', description: 'What the scanner can do.', examples: [capabilitiesExample] },
);

export const Image = Type.Object(
  {
    base64Data: Type.String({ description: "The image's file, as base64.", examples: ['iVBORw0KGgo…'] }),
    mimeType,
    pageNumber: Type.Integer({ minimum: 1, description: 'Counts sides: each side is a page.' }),
    width: Type.Integer({ minimum: 1, description: 'Pixels.' }),
    height: Type.Integer({ minimum: 1, description: 'Pixels.' }),
    resolution: Type.Integer({ minimum: 1, description: 'Pixels per inch.' }),
    format: imageFormat,
    fileSizeBytes: Type.Integer({ minimum: 1, description: "The file's size, before base64." }),
    ocrText: Type.String({ description: 'Empty unless text recognition was requested.' }),
    barcodes: Type.Array(Barcode, { description: 'Empty unless barcode reading was requested.' }),
    blank: Type.Optional(Blank),
    findings: Type.Optional(Findings),
    report: Type.Optional(Type.Array(Reported, { description: 'Only if `report` was requested.' })),
  },
  { title: 'Image', description: 'One scanned page.' },
);
export type Image = Type.Static<typeof Image>;

const notes = Type.Optional(
  Type.Array(Note, {
    description: 'The sentences of `message` about the parameters, with codes. Only if `report` was requested.',
  }),
);

const ofScan = {
  message: Type.String({ description: 'For a person; it also names each parameter that was not followed, and why.' }),
  imageCount: Type.Integer({ minimum: 0 }),
  elapsedMs: Type.Integer({ minimum: 0 }),
  notes,
};

const scanExample = {
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
};

export const ScanResult = Type.Object(
  { success, status: Type.Literal('Success'), images: Type.Array(Image), ...ofScan },
  {
    title: 'ScanResult',
    description: 'The pages of a scan.',
  },
);

export const ScanFailure = Type.Object(
  {
    success: failed,
    status: Type.Enum([...scanFailures], { description: 'The reason; core/ERRORS.md explains each.' }),
    error: Type.String({ description: 'A sentence that says why the scan failed.' }),
    images: Type.Array(Image, { description: 'The pages finished before.' }),
    ...ofScan,
  },
  { title: 'ScanFailure', description: 'A scan that failed or was cancelled, and its pages until then.' },
);

export const ScanAnswer = Type.Union([ScanResult, ScanFailure], {
  description: 'The pages of the scan, also of one that was cancelled.',
  examples: [scanExample],
});

export const Done = Type.Object({ success, message }, { title: 'Done', description: 'The call succeeded.' });

export const Enabled = Type.Object(
  {
    success,
    message,
    notes,
    scan: Type.Optional(Type.String({ description: "With `keep`: the scan's id, for `/api/scans/{id}`." })),
  },
  {
    title: 'Enabled',
    description: 'Auto-scan is on.',
    examples: [{ success: true, message: 'Auto-scan is enabled.' }],
  },
);

export const Failure = Type.Object(
  { success: failed, error: Type.String({ description: 'A sentence that says what went wrong.' }) },
  { title: 'Failure', description: 'The call failed.' },
);

export const CodedFailure = Type.Object(
  {
    ...Failure.properties,
    code: Type.Enum([...failureCodes], { description: 'The failure for programs; core/ERRORS.md explains each.' }),
    field: Type.Optional(Type.String({ description: 'With invalid-value: the field, with its path.' })),
    allowed: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'The values that the field takes, if they can be listed.',
      }),
    ),
  },
  { title: 'CodedFailure', description: 'The call failed.' },
);
