/**
 * The separator sheet: a page to print and to insert between documents, with a patch code along each edge and a barcode.
 *
 * A patch code is read from the edge that is fed first, so each edge has it, with the same bar outermost. Kodak's
 * A-61599 wants bars of at least 2 in, 0.25 in of white around them, and no more than 3.75 in to the leading edge.
 */
import type { PatchCode } from '../contract/recogniser.js';
import { InvalidValue } from '../contract/errors.js';
import type { RawPage } from '../contract/page.js';
import { patchBars, patchInches } from '../contract/patchBars.js';
import { millimetres } from '../contract/words.js';
import { SEPARATOR_TEXT } from '../pipeline/separation.js';
import { drawWords, wordsWidth } from './blockLetters.js';
import { code39Bars, code39Width, CODE_39_TEXT } from './code39.js';

export const separatorSizes = ['A4', 'Letter'] as const;

/** Characters that fit across the sheet as a barcode that a scan at 200 dpi reads. */
export const MOST_SEPARATOR_TEXT = 32;

export interface SeparatorSheet {
  readonly patch: PatchCode;
  /** Of the barcode: capitals, digits, `-`, `.` and spaces between them. */
  readonly text: string;
  readonly size: (typeof separatorSizes)[number];
}

export const usualSeparatorSheet: SeparatorSheet = { patch: 'T', text: SEPARATOR_TEXT, size: 'A4' };

const DPI = 300;
/** Every edge of a patch is at a pixel. */
const pixels = (inches: number): number => Math.round(inches * DPI);

/** White between an edge and its patch, which printers leave; more than twice the white around a patch. */
const MARGIN = pixels(0.4);
const PATCH = pixels(patchInches.whole);
const SIDE_PATCH = pixels(3.5);
const BARCODE_HEIGHT = pixels(1);
/** White beside a barcode, in narrow elements. */
const QUIET = 10;

/** @throws `invalid-value` for a text that the barcode cannot have */
export function drawSeparatorSheet({ patch, text, size }: SeparatorSheet): RawPage {
  if (!CODE_39_TEXT.test(text) || text.length > MOST_SEPARATOR_TEXT)
    throw new InvalidValue(
      'text',
      `1 to ${MOST_SEPARATOR_TEXT} capitals, digits, "-", "." and spaces, with no space at the beginning or end`,
    );
  const width = pixels(millimetres[size].width / 25.4);
  const height = pixels(millimetres[size].height / 25.4);
  const page = whitePage(width, height);
  drawPatches(page, patch);
  centred(page, 'SEPARATOR SHEET', pixels(1.7), 10);
  centred(page, `PATCH ${patch}`, pixels(2.2), 20);
  drawBarcode(page, text, pixels(3.1));
  centred(page, text, pixels(4.25), 10);
  centred(page, 'INSERT THIS SHEET', pixels(7), 8);
  centred(page, 'BEFORE EACH DOCUMENT', pixels(7.3), 8);
  return page;
}

function whitePage(width: number, height: number): RawPage {
  const stride = Math.ceil(width / 8);
  const data = new Uint8Array(stride * height);
  return { kind: 'raw', sheet: 1, side: 'front', width, height, dpi: DPI, pixels: 'bw1', stride, data };
}

function drawPatches(page: RawPage, patch: PatchCode): void {
  const { width, height } = page;
  const sideEnd = height - MARGIN - PATCH - MARGIN;
  let at = MARGIN;
  for (const bar of patchBars[patch]) {
    const thick = pixels(bar === 'w' ? patchInches.wide : patchInches.narrow);
    fill(page, MARGIN, at, width - 2 * MARGIN, thick);
    fill(page, MARGIN, height - at - thick, width - 2 * MARGIN, thick);
    fill(page, at, sideEnd - SIDE_PATCH, thick, SIDE_PATCH);
    fill(page, width - at - thick, sideEnd - SIDE_PATCH, thick, SIDE_PATCH);
    at += thick + pixels(patchInches.space);
  }
}

function drawBarcode(page: RawPage, text: string, y: number): void {
  const elements = code39Width(text);
  // An even number: a wide element is 2.5 narrow ones.
  const narrow = Math.min(8, 2 * Math.floor((page.width - MARGIN) / (elements + 2 * QUIET) / 2));
  const left = Math.floor((page.width - elements * narrow) / 2);
  for (const { x, width } of code39Bars(text)) fill(page, left + x * narrow, y, width * narrow, BARCODE_HEIGHT);
}

/** @param square pixels of a square of a letter */
function centred(page: RawPage, words: string, y: number, square: number): void {
  const left = Math.floor((page.width - wordsWidth(words) * square) / 2);
  drawWords(words, (column, row) => fill(page, left + column * square, y + row * square, square, square));
}

function fill({ data, stride }: RawPage, x: number, y: number, width: number, height: number): void {
  const row = new Uint8Array(stride);
  for (let at = x; at < x + width; at++) row[at >> 3]! |= 0x80 >> (at & 7);
  const [first, end] = [x >> 3, ((x + width - 1) >> 3) + 1];
  for (let line = y; line < y + height; line++)
    for (let byte = first; byte < end; byte++) data[line * stride + byte]! |= row[byte]!;
}
