/** Merges the detections of all passes into barcodes: each code once, rivals weighed, in reading order. */
import type { Barcode, Symbology } from '@platen/core/plugin';
import { confidenceOf, type Decoded } from './confidence.js';
import { boxOf, coincide, expanded, union, type Box } from './geometry.js';
import { barcodeTypeOf } from './symbologies.js';
import type { Detection } from './zxing.js';

interface Candidate extends Decoded {
  readonly symbology: Symbology;
  readonly box: Box;
}

/** Of two different codes in one place, one is wrong: the weaker keeps this share of its confidence. */
const RIVAL = 0.5;
/** Two claims whose confidence differs by less cast doubt on each other. */
const EQUAL = 0.02;

/** @param mm of the page, in one pixel */
export function merge(detections: readonly Detection[], mm: number): Barcode[] {
  const candidates: Candidate[] = [];
  for (const { symbology, text, corners, agreement, unusedCorrection } of detections) {
    const next = { symbology, text, box: boxOf(corners), agreement: agreement * mm, unusedCorrection };
    const at = candidates.findIndex(each => isSame(each, next));
    const same = candidates[at];
    if (same) candidates[at] = combined(same, next);
    else candidates.push(next);
  }
  const weighed = candidates.map(each => ({ ...each, confidence: confidenceOf(each) }));
  const settled = weighed.map(each => {
    const rivals = weighed.filter(other => other !== each && coincide(other.box, each.box));
    const beaten = rivals.some(({ confidence }) => confidence >= each.confidence - EQUAL);
    // Codes with error correction keep theirs: they are no chance readings, and the axis-aligned box of a code at an
    // angle also contains its neighbours.
    const share = beaten && each.unusedCorrection === undefined ? RIVAL : 1;
    return { ...each, confidence: each.confidence * share };
  });
  return inReadingOrder(settled).map(({ symbology, text, confidence }) => ({
    text,
    barcodeType: barcodeTypeOf(symbology),
    confidence: Math.round(confidence * 1000) / 1000,
  }));
}

function isSame(a: Candidate, b: Candidate): boolean {
  if (a.symbology !== b.symbology || a.text !== b.text) return false;
  return coincide(a.box, b.box) || coincide(surroundings(a.box), surroundings(b.box));
}

/** Single scan lines of one code may lie apart: within a quarter of its length, the same text is the same code. */
function surroundings(box: Box): Box {
  return expanded(box, Math.max(box.right - box.left, box.bottom - box.top) / 4);
}

/** Two passes may have read the same lines: the better pass counts, and the other adds half of its agreement. */
function combined(a: Candidate, b: Candidate): Candidate {
  const [more, less] = a.agreement >= b.agreement ? [a, b] : [b, a];
  const unusedCorrection =
    a.unusedCorrection === undefined ? b.unusedCorrection : Math.max(a.unusedCorrection, b.unusedCorrection ?? 0);
  return { ...more, box: union(a.box, b.box), agreement: more.agreement + less.agreement / 2, unusedCorrection };
}

/** Rows from top to bottom, and each row from left to right. Boxes that share half of their height are in one row. */
function inReadingOrder<T extends { readonly box: Box }>(found: readonly T[]): T[] {
  const rows: T[][] = [];
  for (const each of [...found].sort((a, b) => a.box.top - b.box.top)) {
    const row = rows.at(-1);
    if (row && row.some(other => inOneRow(other.box, each.box))) row.push(each);
    else rows.push([each]);
  }
  return rows.flatMap(row => row.sort((a, b) => a.box.left - b.box.left));
}

function inOneRow(a: Box, b: Box): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return shared * 2 > Math.min(a.bottom - a.top, b.bottom - b.top);
}
