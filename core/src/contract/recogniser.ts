/**
 * A recogniser reads barcodes, text or patch codes from a page, finds out whether it is blank, or reads what only its
 * vendor knows. On its own threads.
 */
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

/** @typeParam Own names of symbologies that the recogniser adds; without those, it never gets another name. */
export interface BarcodeWishes<Own extends string = never> {
  readonly filterLevel: FilterLevel;
  /** Empty: every symbology. */
  readonly formats: readonly (Symbology | Own)[];
  readonly stopAfterFirst: boolean;
}

export interface Barcode {
  readonly text: string;
  /** The interface's spelling, or the recogniser's own. */
  readonly barcodeType: (typeof symbologies)[Symbology] | (string & {});
  /** 0 to 1. */
  readonly confidence: number;
}

/** What recognisers of every kind have. */
interface Reader {
  /**
   * By which a request asks for it, in any letter case, if several recognisers of its kind are loaded; otherwise the
   * first in the configuration reads. Unique in its kind. Absent: the name of its plugin.
   */
  readonly name?: string;
}

/** Recognisers whose wishes are fields of the interface. */
interface KnownReader extends Reader {
  readonly wishes?: undefined;
}

export interface BarcodeRecogniser extends KnownReader {
  readonly kind: 'barcode';
  /**
   * Symbologies that it reads and the interface does not name, with their spelling in results: `{ MaxiCode: 'MAXICODE' }`.
   * Requests may ask for them in `barcodeFormats`.
   */
  readonly symbologies?: Readonly<Record<string, string>>;
  /** In reading order; empty if there are none. A page that cannot be read is an error, never a guess. */
  read(page: RawPage, wishes: BarcodeWishes, call: Call): Promise<readonly Barcode[]>;
}

/** A word of a text, with its box in pixels of the page that was read, from its left and top edge. */
export interface Word {
  /** Without white space. */
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Neighbours with the same number are in one line of text. */
  readonly line: number;
}

export interface ReadText {
  /** Lines and paragraphs in reading order; `""` for a page without text. */
  readonly text: string;
  /** The same words, in the same order. */
  readonly words: readonly Word[];
}

export interface OcrRecogniser extends KnownReader {
  readonly kind: 'ocr';
  /** Languages that it was set up with, in Tesseract's names: `eng`. */
  readonly languages: readonly string[];
  /** A recogniser that does not know where the words are returns the text alone. */
  read(page: RawPage, wishes: NoWishes, call: Call): Promise<string | ReadText>;
}

/** Whether a side of a sheet has content that somebody would miss. */
export interface Blank {
  readonly isBlank: boolean;
  /** The share of the page that content covers, 0 to 1; without holes, staples, rules, the paper's colour and show-through. */
  readonly ink: number;
  /** What decided it, for a person: "only what shines through from the other side". */
  readonly why: string;
}

export interface BlankRecogniser extends KnownReader {
  readonly kind: 'blank';
  read(page: RawPage, wishes: NoWishes, call: Call): Promise<Blank>;
}

/** Bars across a sheet that separate documents: the six patterns that scanners know. */
export const patchCodes = ['1', '2', '3', '4', '6', 'T'] as const;
export type PatchCode = (typeof patchCodes)[number];

export interface PatchRecogniser extends KnownReader {
  readonly kind: 'patch';
  /** The patch code of a separator sheet, whichever edge was fed first; undefined on any other page. */
  read(page: RawPage, wishes: NoWishes, call: Call): Promise<PatchCode | undefined>;
}

/**
 * A recogniser has done with the page when it resolves: core may free its buffer then. One that rejects may still use
 * it. The same holds for processors and for an image format's `encode`.
 */
export type Recogniser = BarcodeRecogniser | OcrRecogniser | BlankRecogniser | PatchRecogniser;
export type NoWishes = Record<string, never>;

/** The kinds whose results the interface has fields for. */
export const knownKinds = ['barcode', 'ocr', 'blank', 'patch'] as const satisfies readonly Recogniser['kind'][];

/** A recogniser of a kind of its own: a request says `recognise: { stamp: { … } }`, a page has `findings.stamp`. */
export interface CustomRecogniser<Wishes = Readonly<Record<string, unknown>>> extends Reader {
  /** Letters, digits, `-` and `_`, from a letter: `stamp`. Not one of the known kinds. */
  readonly kind: string;
  /**
   * A JSON Schema of what a request may say, of the type `object`, without `$ref`; `{}` accepts anything. At run time,
   * one without it takes no wishes.
   */
  readonly wishes: object;
  /**
   * @param wishes checked against the schema, with its defaults filled in
   * @returns what was found, as JSON can hold it; `null` or undefined if there is nothing
   */
  read(page: RawPage, wishes: Wishes, call: Call): Promise<unknown>;
}
