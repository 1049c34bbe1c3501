/** A recogniser reads barcodes or text from a page, on its own threads or processes. */
import type { Call } from './driver.js';
import type { RawPage } from './page.js';

/** The interface's names of the symbologies, as spelt in results. */
export const symbologies = {
  Pdf417: 'PDF_417',
  QrCode: 'QR_CODE',
  DataMatrix: 'DATA_MATRIX',
  Aztec: 'AZTEC',
  Code128: 'CODE_128',
  Code39: 'CODE_39',
  Code93: 'CODE_93',
  Ean13: 'EAN_13',
  Ean8: 'EAN_8',
  UpcA: 'UPC_A',
  UpcE: 'UPC_E',
  Itf: 'ITF',
  Codabar: 'CODABAR',
} as const;
export type Symbology = keyof typeof symbologies;

export const filterLevels = ['Low', 'Normal', 'High', 'VeryHigh'] as const;
export type FilterLevel = (typeof filterLevels)[number];

export interface BarcodeWishes {
  readonly filterLevel: FilterLevel;
  /** Empty: every symbology. */
  readonly formats: readonly Symbology[];
  readonly stopAfterFirst: boolean;
}

export interface Barcode {
  readonly text: string;
  readonly barcodeType: (typeof symbologies)[Symbology];
  /** 0 to 1. */
  readonly confidence: number;
}

export interface BarcodeRecogniser {
  readonly kind: 'barcode';
  /** In reading order; empty if there are none. A page that cannot be read is an error, never a guess. */
  read(page: RawPage, wishes: BarcodeWishes, call: Call): Promise<readonly Barcode[]>;
}

export interface OcrRecogniser {
  readonly kind: 'ocr';
  /** Languages that it was set up with, in Tesseract's names: `eng`. */
  readonly languages: readonly string[];
  /** Lines and paragraphs in reading order; `""` for a page without text. */
  read(page: RawPage, wishes: Record<string, never>, call: Call): Promise<string>;
}

export type Recogniser = BarcodeRecogniser | OcrRecogniser;
