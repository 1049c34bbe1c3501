/** What the service tells, in the interface's own names; images are Blobs. */

/** A scanner as far as it is known without opening it. */
export interface Scanner {
  /** What it is called in every call. */
  readonly name: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly isOnline: boolean;
  readonly hasFeeder: boolean;
  readonly hasFlatbed: boolean;
  readonly supportsDuplex: boolean;
  /**
   * With `details` only. True while it is known only from the last run of the service: `isOnline` is what it was then, or false once its
   * driver has looked for it without success.
   */
  readonly isRemembered?: boolean;
  /** With `details` only. A scan or auto-scan has the scanner: one of this origin, or another. Absent: it is free. */
  readonly inUse?: 'own' | 'other';
}

export type ColorMode = 'Color' | 'Grayscale' | 'BlackAndWhite';
/** Or the name of another format that a plugin of the service brings: `capabilities(…, { details: true })` lists them. */
export type ImageFormat = 'Png' | 'Jpeg' | 'Tiff' | 'Bmp' | (string & {});
/** Of the file of an image. Or that of another format. */
export type MimeType = 'image/png' | 'image/jpeg' | 'image/tiff' | 'image/bmp' | (string & {});
/** The values that a scan accepts. */
export type PageSize = 'Letter' | 'Legal' | 'A4' | 'A5' | 'A6' | 'B5' | 'Auto';

/** What a scanner and the loaded plugins can do. */
export interface Capabilities {
  /** Pixels per inch. */
  readonly resolutions: readonly number[];
  readonly colorModes: readonly ColorMode[];
  readonly supportsDuplex: boolean;
  readonly supportsAutoRotate: boolean;
  readonly supportsAutoDeskew: boolean;
  readonly supportsAutoCrop: boolean;
  /** A3 and Executive may be listed; a scan does not accept them. */
  readonly supportedPageSizes: readonly (PageSize | 'A3' | 'Executive')[];
  /** macOS only; informative. */
  readonly supportedOcrLanguages?: readonly string[];
  /** Only if they were asked for. */
  readonly details?: CapabilityDetails;
}

/** What a request can control on a source. */
export interface SourceDetails {
  /** The largest area, and the smallest, in millimetres. */
  readonly area?: {
    readonly width: number;
    readonly height: number;
    readonly minWidth?: number;
    readonly minHeight?: number;
  };
  /** Who does each parameter; one that is absent is ignored. */
  readonly controls: {
    readonly [Name in 'area' | 'brightness' | 'contrast' | 'threshold' | 'sheets']?: 'scanner' | 'software';
  };
  readonly driverOptions: readonly DriverOption[];
}

/** An option of the scanner's driver; a fact that cannot be read is absent. */
export interface DriverOption {
  /** For `driverOptions`. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly type: 'boolean' | 'integer' | 'number' | 'string';
  readonly unit?: 'mm' | 'dpi' | 'percent' | 'pixel' | 'bit' | 'microsecond';
  readonly minimum?: number;
  readonly maximum?: number;
  /** Another value becomes the nearest. */
  readonly step?: number;
  /** All values that it takes. */
  readonly values?: readonly (string | number | boolean)[];
  readonly default?: string | number | boolean;
  /** The parameters that set the same: a request may have the option or the parameters. */
  readonly controls?: readonly (
    | 'source'
    | 'sheets'
    | 'resolution'
    | 'colorMode'
    | 'duplexMode'
    | 'pageSize'
    | 'area'
    | 'brightness'
    | 'contrast'
    | 'threshold'
    | 'autoRotate'
    | 'autoDeskew'
    | 'autoCrop'
    | 'transferMode'
  )[];
  /** The vendor counts it as one for experts: show it apart. */
  readonly advanced?: boolean;
}

/** What the plugins of the service add. */
export interface CapabilityDetails {
  readonly sources: { readonly feeder?: SourceDetails; readonly flatbed?: SourceDetails };
  readonly formats: readonly FormatDetails[];
  /** What the pages of scans can become as one file. */
  readonly documents: readonly DocumentDetails[];
  /** In the configuration's order: the first of a kind reads. */
  readonly recognisers: readonly RecogniserDetails[];
  /** Those with names, in the order in which they process a page. */
  readonly processors: readonly ProcessorDetails[];
  /** What the driver's plugin tells of the scanner: its firmware, what it counted. `title` is for people. */
  readonly health?: readonly { readonly name: string; readonly value: string | number; readonly title?: string }[];
}

/** A loaded recogniser. */
export interface RecogniserDetails {
  readonly kind: string;
  /** For `readers`. */
  readonly name: string;
  /** Present if `recognise` takes its kind: a JSON Schema of its wishes. */
  readonly wishes?: unknown;
  /** Of a reader of barcodes: what `barcodeFormats` takes. */
  readonly symbologies?: readonly string[];
}

/** A loaded processor with a name, for `process`. */
export interface ProcessorDetails {
  readonly name: string;
  /** A JSON Schema. */
  readonly options: unknown;
}

/** A loaded image format. */
export interface FormatDetails {
  readonly name: string;
  /** Other names, in lower case; also endings of files. */
  readonly aliases: readonly string[];
  readonly mimeType: string;
  /** Whether a file has the exact pixels. If not, `jpegQuality` applies. */
  readonly lossless: boolean;
}

/** A loaded document format. */
export interface DocumentDetails {
  /** For `document()`; also the ending of its files. */
  readonly format: string;
  readonly name: string;
  readonly mimeType: string;
}

/** What the loaded plugins let a page ask for. */
export interface FeatureList {
  /** Grows with each change, from 1 at the start of the service. */
  readonly revision: number;
  /** `symbologies` are what `barcodeFormats` takes. */
  readonly barcodes: { readonly available: boolean; readonly symbologies: readonly string[] };
  /** `languages` are those of text recognition, such as `eng`. */
  readonly text: { readonly available: boolean; readonly languages: readonly string[] };
  /** Kinds of the loaded recognisers. */
  readonly recognisers: readonly string[];
  /** Names of the loaded processors, as `process` takes them. */
  readonly processors: readonly string[];
  /** Image formats, as `imageFormat` takes them. */
  readonly formats: readonly ImageFormat[];
  /** Document formats, as `document()` takes them. */
  readonly documents: readonly string[];
  /** What is shipped, or of a premium plugin, and cannot be asked for now. */
  readonly off: readonly FeatureOff[];
}

export interface FeatureOff {
  readonly kind: 'format' | 'recogniser' | 'document';
  readonly id: string;
  readonly why: OffReason;
}

/**
 * `switched-off`: by the service's configuration. `not-licensed`, `licence-ended`: its plugin is premium.
 * `not-for-this-system`: its plugin runs elsewhere. `failed`: its plugin was refused. `not-installed`: no plugin has it.
 */
export type OffReason =
  | 'switched-off'
  | 'not-licensed'
  | 'licence-ended'
  | 'not-for-this-system'
  | 'failed'
  | 'not-installed';

/** Or a symbology of a plugin's reader. */
export type BarcodeFormat =
  | 'Pdf417'
  | 'QrCode'
  | 'DataMatrix'
  | 'Aztec'
  | 'Code128'
  | 'Code39'
  | 'Code93'
  | 'Ean13'
  | 'Ean8'
  | 'UpcA'
  | 'UpcE'
  | 'Itf'
  | 'Codabar'
  | (string & {});

/** A part of a page in millimetres, from the top left corner of the page as it comes out. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the scanner does, or software where it cannot; absent ones are as the scanner has them. */
export interface ControlParameters {
  /** `Feeder`: also if the scanner says that it is empty. Absent: Auto, the feeder unless it is known to be empty. */
  readonly source?: 'Feeder' | 'Flatbed' | 'Auto';
  /** Feed no more, 1 to 10,000. Absent: all. */
  readonly sheets?: number;
  /** Replaces the page size. */
  readonly area?: Area;
  /** -100, dark, to 100, light. */
  readonly brightness?: number;
  /** -100, little, to 100, much. */
  readonly contrast?: number;
  /** 0 to 255, for BlackAndWhite only: what is darker is black. Absent: adapted to the page. */
  readonly threshold?: number;
  /** Options of the scanner's driver, by name, as `details.sources` of its capabilities lists them. */
  readonly driverOptions?: Readonly<Record<string, string | number | boolean>>;
  /** TWAIN only. */
  readonly transferMode?: 'Auto' | 'Native' | 'Buffered';
}

/** A scan's parameters; absent ones have the service's default. */
export interface ScanParameters extends ControlParameters {
  /** Pixels per inch, one of the scanner's. Absent: 200, or the scanner's nearest. */
  readonly resolution?: number;
  /** Absent: Grayscale. */
  readonly colorMode?: ColorMode;
  /** Absent: Simplex. */
  readonly duplexMode?: 'Simplex' | 'DuplexLongEdge' | 'DuplexShortEdge';
  /** Absent: Letter. */
  readonly pageSize?: PageSize;
  /** Turn pages upright. */
  readonly autoRotate?: boolean;
  /** Straighten pages that were fed askew. */
  readonly autoDeskew?: boolean;
  /** Cut pages to the edges of the sheet. */
  readonly autoCrop?: boolean;
  /** Absent: Png. */
  readonly imageFormat?: ImageFormat;
  /** 1 to 100, for Jpeg and other formats that lose detail. Absent: 90. */
  readonly jpegQuality?: number;
  readonly barcodeReadingEnabled?: boolean;
  /** Absent: Normal. */
  readonly barcodeFilterLevel?: 'Low' | 'Normal' | 'High' | 'VeryHigh';
  /** Absent or empty: all. */
  readonly barcodeFormats?: readonly BarcodeFormat[];
  readonly barcodeStopAfterFirst?: boolean;
  readonly ocrEnabled?: boolean;
  /** `flag`: each page says whether it is blank. `drop`: documents are without blank pages, too. Absent: keep. */
  readonly blankPages?: 'keep' | 'flag' | 'drop';
  /** Recognisers of plugins, by kind, with their wishes. Each page then has `findings`. */
  readonly recognise?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Processors of plugins, by name, with their options. */
  readonly process?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** By kind: the name of the recogniser that reads. Absent: the first that is loaded. */
  readonly readers?: Readonly<Record<string, string>>;
  /** A deadline for the whole call. Absent or 0: none. */
  readonly requestTimeoutSeconds?: number;
  /** The name of a profile of the service's configuration: its parameters apply where this has none. */
  readonly profile?: string;
  /** Adds `report` to each page, and `notes` to the result. */
  readonly report?: boolean;
}

/** Bars across a separator sheet: the six patterns that scanners know. */
export type PatchCode = '1' | '2' | '3' | '4' | '6' | 'T';

/** How to separate a stack into documents: by a blank sheet, a barcode or a patch code between them, or by count. */
export interface Separate {
  readonly by: 'blank' | 'barcode' | 'patch' | 'count';
  /** Pages of a document; by count only. */
  readonly pages?: number;
  /** Of the barcode, `*` for any characters; by barcode only. Absent: PATCHT. */
  readonly text?: string;
  /** By patch only. Absent: all. */
  readonly codes?: readonly PatchCode[];
  /** The separator sheet begins the new document. Absent: it is in none. */
  readonly keep?: boolean;
}

/** The parameters of a scan whose pages are kept. */
export interface StartParameters extends ScanParameters {
  /** Absent: one document. */
  readonly separate?: Separate;
}

/** A symbology, as results spell it, or one of a plugin's reader. */
export type BarcodeType =
  | 'PDF_417'
  | 'QR_CODE'
  | 'DATA_MATRIX'
  | 'AZTEC'
  | 'CODE_128'
  | 'CODE_39'
  | 'CODE_93'
  | 'EAN_13'
  | 'EAN_8'
  | 'UPC_A'
  | 'UPC_E'
  | 'ITF'
  | 'CODABAR'
  | (string & {});

export interface Barcode {
  readonly text: string;
  readonly barcodeType: BarcodeType;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Whether a side of a sheet has content that somebody would miss. */
export interface Blank {
  readonly isBlank: boolean;
  /** The share of the page that content covers, 0 to 1. */
  readonly ink: number;
  /** What decided it, for the user. */
  readonly why: string;
}

/** What became of a parameter. */
export interface Reported {
  /** The parameter's name. */
  readonly parameter: string;
  readonly requested: string | number | boolean;
  /** Done by the scanner, in software, or not at all. */
  readonly result: 'applied' | 'emulated' | 'ignored';
  /** Why it was not done. */
  readonly why?: string;
}

/** One side of a sheet. */
export interface ScannedPage {
  /** The image's file, of type `mimeType`: for `URL.createObjectURL`, `FormData`, a download. */
  readonly blob: Blob;
  readonly mimeType: MimeType;
  /** From 1. */
  readonly pageNumber: number;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Pixels per inch. */
  readonly resolution: number;
  readonly format: ImageFormat;
  readonly fileSizeBytes: number;
  /** Empty unless `ocrEnabled`. */
  readonly ocrText: string;
  /** Empty unless `barcodeReadingEnabled`. */
  readonly barcodes: readonly Barcode[];
  /** Present if `blankPages` was `flag` or `drop`. */
  readonly blank?: Blank;
  /** Present if `recognise` was requested: by kind; null: nothing was found. */
  readonly findings?: Readonly<Record<string, unknown>>;
  /** Present if `report` was true. */
  readonly report?: readonly Reported[];
}

/** What a note is about; the service's core/ERRORS.md explains each. */
export type NoteCode =
  | 'field-ignored'
  | 'adjustment-ignored'
  | 'backs-not-turned'
  | 'resolution-changed'
  | 'color-mode-changed'
  | 'one-side-only'
  | 'page-size-ignored'
  | 'page-size-changed'
  | 'area-changed'
  | 'format-unchanged'
  | 'barcodes-not-installed'
  | 'ocr-not-installed'
  | 'blank-pages-not-installed'
  | 'recogniser-not-licensed'
  | 'processor-not-licensed'
  | 'format-not-licensed'
  | 'adjustment-failed'
  | 'barcodes-failed'
  | 'ocr-failed'
  | 'blank-failed'
  | 'patch-failed'
  | 'processor-failed'
  | 'recogniser-failed'
  | 'no-feeder'
  | 'paper-unknown'
  | 'paper-by-trial'
  | 'pages-waiting';

/** What the user should know about a scan that succeeded. */
export interface Note {
  readonly code: NoteCode;
  /** For the user; may change with any version. */
  readonly text: string;
  /** The parameter concerned. */
  readonly field?: string;
  /** If the text begins with the field's name: the rest of it. */
  readonly says?: string;
}

/** A scan that completed. */
export interface ScanResult {
  readonly status: 'Success';
  /** For the user; also says which parameter was not followed, and why. */
  readonly message: string;
  readonly pages: readonly ScannedPage[];
  readonly elapsedMs: number;
  /** What `message` says about the parameters, with codes. Present if `report` was true. */
  readonly notes?: readonly Note[];
}

/** `interrupted`: the service ended during the scan. */
export type ScanState = 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted';

export interface ScanProgress {
  /** Pages that the scanner delivered. */
  readonly scanned: number;
  /** Pages that are finished and kept. */
  readonly finished: number;
  /** Its place in line for the scanner, from 1; absent when it has the scanner. */
  readonly placeInLine?: number;
}

/** What is known of a scan, apart from its pages. */
export interface ScanFacts {
  /** Cannot be guessed. */
  readonly id: string;
  readonly kind: 'scan' | 'autoscan';
  readonly scannerName: string;
  readonly requestId?: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly state: ScanState;
  /** Why it failed or was cancelled, for the user. */
  readonly error?: string;
  /** What the user should know, also of a scan that succeeded. */
  readonly notes: readonly Note[];
  /** Pages that are finished and kept. */
  readonly pageCount: number;
  /**
   * How many of them are lost when the service ends: its disk is full, and nobody has fetched them. Absent: none.
   */
  readonly pagesInMemory?: number;
  readonly progress: ScanProgress;
}

/** What is known of a page of a scan, apart from its bytes. */
export interface PageFacts {
  /** From 1. */
  readonly number: number;
  /** From 1. */
  readonly sheet: number;
  readonly side: 'front' | 'back';
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Pixels per inch. */
  readonly resolution: number;
  readonly format: ImageFormat;
  readonly mimeType: MimeType;
  /** Size of its file. */
  readonly bytes: number;
  /** Of its file, in lower-case hex. */
  readonly sha256: string;
  /** Empty unless `barcodeReadingEnabled`. */
  readonly barcodes: readonly Barcode[];
  /** Empty unless `ocrEnabled`. */
  readonly ocrText: string;
  /** Present if `blankPages` was `flag` or `drop`. */
  readonly blank?: Blank;
  /** Present if `recognise` was requested: by kind; null: nothing was found. */
  readonly findings?: Readonly<Record<string, unknown>>;
  /** Of a separator sheet. */
  readonly patch?: PatchCode;
  /** Empty unless `report`. */
  readonly report: readonly Reported[];
  /** Where its file is. */
  readonly url: string;
  /** Present if the service could not write it to disk: it is lost when the service ends. */
  readonly isStored?: false;
  /** Its file is damaged; for the user. */
  readonly error?: string;
}

/** Degrees clockwise. */
export type Turn = 0 | 90 | 180 | 270;

/** One of the documents of a scan. */
export interface DocumentFacts {
  /** From 1. */
  readonly number: number;
  /** From the separator's code, otherwise `Document 1`; unique in the scan, and safe as the name of a file. */
  readonly name: string;
  /** Their numbers in the scan; while it is not complete, those so far. */
  readonly pages: readonly number[];
  readonly isComplete: boolean;
  /** What began it. */
  readonly separator?: { readonly page: number; readonly text?: string; readonly patch?: PatchCode };
  /** Where it is as a PDF. */
  readonly url: string;
}

export interface Status {
  readonly serviceOnline: boolean;
  readonly desktopAppConnected: boolean;
  readonly scannerStatus: {
    /** Of the open scanner; if none is open, whether any scanner is online. */
    readonly isOnline: boolean;
    /** True only if the scanner reports paper. */
    readonly isPaperLoaded: boolean;
    /** Whether a scanner is open. */
    readonly isSourceOpen: boolean;
    readonly ocrEnabled: boolean;
  };
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}

export interface Version {
  readonly productName: string;
  /** Four parts. */
  readonly serviceVersion: string;
  /** While the desktop application is connected. */
  readonly desktopVersion?: string;
  readonly desktopAppConnected: boolean;
  readonly timestamp: string;
}

export type Health = 'Healthy' | 'Degraded' | 'Unhealthy';
