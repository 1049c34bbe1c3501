/**
 * Every clause of the interface document, in short. The tests name the clauses that they verify;
 * `clauses.test.ts` fails for a clause without a test.
 */
export interface Clause {
  readonly says: string;
  /** A test elsewhere under `test/` that shows it: its file and its title. */
  readonly shownBy?: readonly [file: string, title: string];
  /** Only long tests show it: `npm test` alone does not. */
  readonly isLong?: true;
}

const now = (says: string): Clause => ({ says });
/** Windows' own Node, TWAIN sources, the desktop application. */
const onWindows = (title: string, says: string): Clause => ({
  says,
  shownBy: ['twain/windows.long.test.ts', title],
  isLong: true,
});

const whatTheServiceDoes = {
  'what.1.service': now('a local HTTPS service that lists scanners, reports capabilities and scans on demand'),
  'what.1.autoscan': now('auto-scan captures each document as it is inserted'),
  'what.1.base64': now('scanned images are base64 text inside JSON'),
  'what.1.stream': now('or are pushed over Server-Sent Events'),
  'what.1.recognition': now('barcode reading and OCR are applied to scanned images'),
  'what.2': onWindows('the interface: the same as on every platform', 'the interface is the same on Windows and macOS'),
  'what.3.middleware': now('Windows: commands are forwarded to the desktop application'),
  'what.3.dialling': now('after 2 seconds, then every 5 seconds'),
  'what.3.connects': now('the desktop application is detected and connected automatically'),
  'what.3.order': now('the two may start in either order'),
  'what.3.away': now('scanner operations answer 503 while it is away'),
  'what.4': now('without a separate desktop application the 503 does not occur'),
  'what.5.https': now('only HTTPS is accepted'),
  'what.5.selfSigned': now('a self-signed certificate is made at installation'),
  'what.5.refuses': now('with an expired or a missing certificate the service does not start'),
  'what.5.remedy': now('remove, install, restart'),
  'what.5.rights': now('the certificate tool needs administrator rights for the trust store'),
  'what.5.logged': now('thumbprint and expiry date are logged at start'),
  'what.6.sequence': now('process, /, /health, scanners, scan'),
  'what.6.empty': now('an empty list: no scanner connected, or no driver'),
} as const;

const resources = {
  'resources.timestamps': now('ISO 8601 UTC'),
  'resources.root': now('service, version, status running, timestamp'),
  'resources.status.fields': now('success, serviceOnline, desktopAppConnected, scannerStatus, timestamp'),
  'resources.status.isOnline': now('a scanner is detected and powered on'),
  'resources.status.isPaperLoaded': now('paper is in the feeder'),
  'resources.status.isSourceOpen': now('a scanner is open'),
  'resources.status.ocrEnabled': now('whether OCR is set up'),
  'resources.version.fields': now('success, productName, serviceVersion, desktopAppConnected, timestamp'),
  'resources.version.fourPart': now('serviceVersion is dotted, four parts, always there'),
  'resources.version.desktop': now('desktopVersion only while the desktop application is connected'),
  'resources.scanner.fields': now('name, manufacturer, model, isOnline, hasFeeder, hasFlatbed, supportsDuplex'),
  'resources.scanner.name': now('used URL-encoded in paths'),
  'resources.capabilities.fields': now('resolutions, colorModes, supports…, supportedPageSizes'),
  'resources.capabilities.sizes': now('may include A3 and Executive, which a scan does not accept'),
  'resources.capabilities.ocrLanguages': now('macOS only'),
  'resources.capabilities.macSizes': now('macOS: the sizes that fit; a scan does not apply them'),
  'resources.parameters.unknown': now('unrecognised fields are ignored'),
  'resources.parameters.resolution': now('one of the scanner’s resolutions'),
  'resources.parameters.colorMode': now('Color, Grayscale, BlackAndWhite'),
  'resources.parameters.duplexMode': now('Simplex, DuplexLongEdge, DuplexShortEdge'),
  'resources.parameters.pageSize': now('Letter, Legal, A4, A5, A6, B5, Auto'),
  'resources.parameters.adjustments': now('autoRotate, autoDeskew, autoCrop'),
  'resources.parameters.imageFormat': now('Png and Jpeg; PNG when omitted or when outputFormat is sent instead'),
  'resources.parameters.tiffBmp': now('Tiff and Bmp'),
  'resources.parameters.jpegQuality': now('1 to 100, default 90, for JPEG only'),
  'resources.parameters.barcodes': now(
    'barcodeReadingEnabled, barcodeFilterLevel, barcodeFormats, barcodeStopAfterFirst are accepted',
  ),
  'resources.parameters.barcodesRead': now('and have the documented effect'),
  'resources.parameters.ocr': now('ocrEnabled is accepted'),
  'resources.parameters.timeout': now('requestTimeoutSeconds; 0 in samples'),
  'resources.parameters.transferMode': now('Auto, Native, Buffered, optional'),
  'resources.parameters.transferModeDefault': onWindows(
    'no transferMode: the transfer is native',
    'omitted: the mode of the desktop application, native by default',
  ),
  'resources.parameters.defaults': now('the defaults that the document leaves open'),
  'resources.parameters.premium': now('barcode and OCR are premium features'),
  'resources.enumerations.colorModes': now('24-bit, 8-bit, 1-bit'),
  'resources.enumerations.duplexModes': now('one side; both, flipped on the long or the short edge'),
  'resources.enumerations.pageSizes': now('the dimensions of each size; Auto detects'),
  'resources.enumerations.filterLevels': now('what Low, Normal, High and VeryHigh accept'),
  'resources.enumerations.barcodeFormats': now('thirteen names in any letter case'),
  'resources.enumerations.sdkSizes': now('a scan accepts no other page size'),
  'resources.formats.pngJpeg': now('Png image/png, Jpeg image/jpeg'),
  'resources.formats.bmpTiff': now('Bmp image/bmp, Tiff image/tiff'),
  'resources.formats.outputFormat': now('png, jpeg or jpg, bmp, tiff or tif on POST /api/twain'),
  'resources.image.fields': now('base64Data, mimeType, pageNumber, width, height, resolution, format, fileSizeBytes'),
  'resources.image.pageNumber': now('pages are numbered'),
  'resources.image.ocrText': now('empty unless OCR is enabled'),
  'resources.image.barcodes': now('empty unless barcode reading is enabled'),
  'resources.barcode': now('text, barcodeType, confidence from 0 to 1'),
  'resources.result.fields': now('success, status, message, images, imageCount, elapsedMs'),
  'resources.result.status': now('Success if it succeeded; the other values are defined by Platen'),
  'resources.platform.macos': now('pageSize not applied, OCR language not chosen, languages listed'),
  'resources.platform.macosAutoScan': now('sheetfed scanners that report paper only'),
  'resources.platform.windowsAutoScan': onWindows(
    'auto-scan: inserted sheets, their pages arrive',
    'any feeder that reports paper',
  ),
} as const;

const states = {
  'states.health.healthy': now('running, and the desktop application connected'),
  'states.health.degraded': now('running, and the desktop application away'),
  'states.health.unhealthy': now('an exception during the check'),
  'states.autoscan.enable': now('disabled to enabled with a scanner open'),
  'states.autoscan.disable': now('enabled to disabled: discard, event, end of the stream'),
  'states.autoscan.idle': now('five minutes without a reader'),
  'states.autoscan.failures': now('three failed or empty scans in a row'),
  'states.source.isSourceOpen': now('reports whether a scanner is open'),
  'states.source.methods': now('openSource and closeSource'),
} as const;

const endpoints = {
  'endpoints.json': now('bodies are JSON'),
  'endpoints.success': now('answers of the simplified endpoints carry success'),
  'endpoints.root': now('GET /'),
  'endpoints.health': now('GET /health: plain text, one of three words'),
  'endpoints.status': now('GET /api/twain/status'),
  'endpoints.version': now('GET /api/twain/version; 404 is a legacy install'),
  'endpoints.scanners.200': now('success, scanners, count'),
  'endpoints.scanners.503': now('while the desktop application is away'),
  'endpoints.capabilities': now('GET /api/twain/scanners/{name}/capabilities'),
  'endpoints.scan.request': now('scannerName required, parameters'),
  'endpoints.scan.200': now('Scan result'),
  'endpoints.scan.barcodes': now('barcodes lists the codes that were read'),
  'endpoints.scan.errors': now('400, 504, 500'),
  'endpoints.scan.503': now('503'),
  'endpoints.scan.oneCall': now('opens the scanner, scans and answers in one call'),
  'endpoints.cancel.request': now('requestId, optional'),
  'endpoints.cancel.200': now('success true and a message'),
  'endpoints.cancel.cancels': now('cancels an active scan'),
  'endpoints.autoscan.enable': now('request, answers, the open scanner'),
  'endpoints.autoscan.disable': now('no body needed; undelivered pages are discarded'),
  'endpoints.autoscan.events': now('a Server-Sent Events stream'),
  'endpoints.direct.envelope': now('kind, method, params; commandId, results, data'),
  'endpoints.direct.methods': now('six methods'),
  'endpoints.direct.scan': now('scan parameters with outputFormat'),
  'endpoints.parameterNames': now('outputFormat is ignored on a simplified endpoint, and PNG results'),
} as const;

const authentication = {
  'authentication.1.none': now('no authentication on any endpoint'),
  'authentication.1.local': now('reachable on the local machine only'),
  'authentication.2.cors': now('any origin is accepted'),
  'authentication.2.privateNetwork': now('the preflight headers of private network access'),
  'authentication.3': now('HTTPS with a self-signed certificate, which clients do not verify'),
} as const;

const events = {
  'events.image': now('one per captured document'),
  'events.disabled': now('auto-scan was turned off; the stream ends'),
  'events.error': now('another error; the stream ends'),
  'events.1': now('disable closes the stream'),
  'events.2': now('images include ocrText and barcodes'),
  'events.3': now('five minutes without a reader'),
  'events.4': now('no other events'),
} as const;

const errors = {
  'errors.body': now('{success: false, error}'),
  'errors.400': now('scanner name missing'),
  'errors.503': now('the desktop application is away'),
  'errors.504': now('scan timed out'),
  'errors.500': now('internal server error'),
  'errors.404.version': now('a legacy install only'),
  'errors.unknownField': now('an unrecognised request field is not an error'),
  'errors.direct': now('results.success and results.code'),
  'errors.enableWithoutScanner': now('an error'),
  'errors.entitlement': now('barcode or OCR without entitlement: left open, decided'),
  'errors.unhealthy': now('Unhealthy when the check throws'),
} as const;

const limits = {
  'limits.jpegQuality': now('1 to 100, default 90'),
  'limits.idle': now('5 minutes'),
  'limits.failures': now('3 in a row'),
  'limits.detection': now('2 seconds, then 5'),
  'limits.streams': now('one stream per page at a time'),
  'limits.port': now('53052'),
  'limits.sizes': now('sizes of requests and answers: left open, decided'),
} as const;

const versioning = {
  'versioning.1.service': now('serviceVersion always'),
  'versioning.1.desktop': now('desktopVersion only while connected'),
  'versioning.2': now('root info has a version'),
  'versioning.3': now('404 marks a legacy install'),
  'versioning.4': now('no version in path or header: left open'),
} as const;

/** An addition to the interface. */
const scans = {
  'scans.start': now('POST /api/scans answers 201 and Location before the first page'),
  'scans.start.refused': now('everything is checked before paper moves'),
  'scans.read': now('state, progress and pages in their order'),
  'scans.list': now('GET /api/scans lists the caller’s own'),
  'scans.page': now('the bytes of a page, with ETag and Content-Digest, also before the scan has ended'),
  'scans.page.range': now('Range, If-Range, If-None-Match, HEAD'),
  'scans.events': now('page, progress and state, after Last-Event-ID'),
  'scans.cancel': now('the sheet in the path comes out; idempotent'),
  'scans.continue': now('into the same scan; pages go on counting'),
  'scans.key': now('Idempotency-Key feeds no paper twice'),
  'scans.document': now('pages as one file, in any order, also before the scan has ended'),
  'scans.documents': now('a scan is separated into documents'),
  'scans.owner': now('a scan is of the origin that made it'),
} as const;

export const clauses = {
  ...whatTheServiceDoes,
  ...resources,
  ...states,
  ...endpoints,
  ...authentication,
  ...events,
  ...errors,
  ...limits,
  ...versioning,
  ...scans,
};
export type ClauseId = keyof typeof clauses;
