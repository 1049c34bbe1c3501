/** Reads barcodes and text side by side, and more; if one fails, its result is missing and the page is kept. */
import { plainWordsOf } from '../contract/errors.js';
import type { RawPage } from '../contract/page.js';
import {
  type Barcode,
  type BarcodeWishes,
  type Blank,
  type PatchCode,
  type ReadText,
  type Word,
} from '../contract/recogniser.js';
import { findOn, foundPatch, type Findings } from './findings.js';
import type { NoteCode, ScanNote } from './notes.js';
import type { Work } from './work.js';

export interface Recognised {
  readonly barcodes: readonly Barcode[];
  readonly ocrText: string;
  /** The words of `ocrText` in pixels of this page; absent if text was not read, or the recogniser gives none. */
  readonly words?: readonly Word[];
  /** Absent if it was not requested, or not found out. */
  readonly blank?: Blank;
  /** Of a separator sheet; absent on any other page, or if patch codes were not requested to separate documents. */
  readonly patch?: PatchCode;
  /** Of recognisers of other kinds; absent if none was requested. */
  readonly findings?: Findings;
}

/** What each reads, in a sentence, and the note if it fails. */
const failures = {
  barcode: ['The barcodes of', 'barcodes-failed'],
  ocr: ['The text of', 'ocr-failed'],
  blank: ['The content of', 'blank-failed'],
  patch: ['The patch code of', 'patch-failed'],
} as const satisfies Record<string, readonly [string, NoteCode]>;

/** @param why in words for a person */
export function failureNote(kind: keyof typeof failures, pageNumber: number, why: string): ScanNote {
  const [what, code] = failures[kind];
  return { code, text: `${what} page ${pageNumber} could not be read: ${why}.` };
}

export async function recognise(page: RawPage, pageNumber: number, work: Work): Promise<Recognised> {
  const { plan, software, call } = work;
  const readable = async <T>(
    kind: keyof typeof failures,
    read: () => Promise<T> | undefined,
  ): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      work.note(failureNote(kind, pageNumber, plainWordsOf(error)));
      return undefined;
    }
  };
  let patchCode: Promise<PatchCode | undefined> | undefined;
  /** Read once, for what separates documents and for the findings. */
  const readPatch = () => (patchCode ??= patchOf(page, work));
  const [barcodes, text, blank, patch, findings] = await Promise.all([
    readable('barcode', async () =>
      plan.barcode && software.barcode
        ? foundBarcodes(await software.barcode.read(page, plan.barcode as BarcodeWishes, call))
        : [],
    ),
    readable('ocr', async () => (plan.ocr && software.ocr ? readText(await software.ocr.read(page, {}, call)) : none)),
    readable('blank', async () => (plan.blank ? foundBlank(await software.blank?.read(page, {}, call)) : undefined)),
    readable('patch', async () => (plan.patch ? readPatch() : undefined)),
    findOn(page, pageNumber, work, readPatch),
  ]);
  const { text: ocrText, words } = text ?? none;
  return {
    barcodes: barcodes ?? [],
    ocrText,
    ...(words ? { words } : {}),
    ...(blank ? { blank } : {}),
    ...(patch === undefined ? {} : { patch }),
    ...(findings ? { findings } : {}),
  };
}

type Text = Pick<ReadText, 'text'> & Partial<ReadText>;

const none: Text = { text: '' };

/** A recogniser may return the text alone. @throws if it returned neither: stored, it would spoil the page's facts */
export function readText(read: string | ReadText): Text {
  if (typeof read === 'string') return { text: read };
  const { text, words } = (read ?? {}) as Partial<ReadText>;
  if (typeof text === 'string' && (words === undefined || areWords(words))) return read;
  throw new TypeError('the recogniser returned no text, or words without a place');
}

/** Whether each is complete; words may come from a recogniser, or from a file that was damaged. */
export function areWords(value: unknown): value is readonly Word[] {
  const isWord = (each: Partial<Word> | null): boolean => {
    const { text, confidence, x, y, width, height, line } = each ?? {};
    return typeof text === 'string' && [confidence, x, y, width, height, line].every(Number.isFinite);
  };
  return Array.isArray(value) && value.every(isWord);
}

function foundBlank(blank: Blank | undefined): Blank | undefined {
  if (!blank) return undefined;
  const { isBlank, ink, why } = blank;
  if (typeof isBlank === 'boolean' && Number.isFinite(ink) && typeof why === 'string') return blank;
  throw new TypeError('the recogniser did not say whether it is blank');
}

async function patchOf(page: RawPage, { software, call }: Work): Promise<PatchCode | undefined> {
  return foundPatch(await software.patch?.read(page, {}, call));
}

/** @throws TypeError for a result that answers and kept pages cannot have */
function foundBarcodes(found: unknown): Barcode[] {
  if (!Array.isArray(found)) throw new TypeError('the recogniser returned no list of barcodes');
  return found.map((each: Partial<Barcode> | null) => {
    const { text, barcodeType, confidence } = each ?? {};
    if (typeof text === 'string' && typeof barcodeType === 'string' && Number.isFinite(confidence))
      return { text, barcodeType, confidence: confidence as number };
    throw new TypeError('the recogniser returned a barcode without text, type or confidence');
  });
}

export function recognises({ plan, software }: Pick<Work, 'plan' | 'software'>): boolean {
  return (
    (plan.barcode !== undefined && software.barcode !== undefined) ||
    (plan.ocr && software.ocr !== undefined) ||
    (plan.blank && software.blank !== undefined) ||
    (plan.patch && software.patch !== undefined) ||
    plan.finders.length > 0
  );
}
