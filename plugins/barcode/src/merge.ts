/** Sightings from all looks become barcodes: the same one once, rivals weighed, in reading order. */
import type { Barcode, Symbology } from '@platen/core/plugin';
import { confidenceOf } from './evidence.js';
import { around, boxOf, grown, meet, type Box } from './geometry.js';
import { spell } from './names.js';
import type { Sighting } from './zxing.js';

interface Found {
  readonly symbology: Symbology;
  readonly text: string;
  readonly box: Box;
  readonly agreed: number;
  readonly unused: number | undefined;
}

/** Where two different codes are read in one place, one of them is wrong: the weaker has only this much left of its confidence. */
const RIVAL = 0.5;
/** Two claims of equal confidence cast doubt on both. */
const EQUAL = 0.02;

/** @param mm of the page, in one pixel */
export function merge(sightings: readonly Sighting[], mm: number): Barcode[] {
  const found: Found[] = [];
  for (const sighting of sightings) {
    const next = { symbology: sighting.symbology, text: sighting.text, box: boxOf(sighting.corners), agreed: sighting.agreed * mm, unused: sighting.unused };
    const at = found.findIndex(each => each.symbology === next.symbology && each.text === next.text && (meet(each.box, next.box) || meet(roundabout(each.box), roundabout(next.box))));
    const same = found[at];
    if (same) found[at] = together(same, next);
    else found.push(next);
  }
  const weighed = found.map(each => ({ ...each, confidence: confidenceOf(each) }));
  const settled = weighed.map(each => {
    const rivals = weighed.filter(other => other !== each && meet(other.box, each.box));
    const beaten = rivals.some(({ confidence }) => confidence >= each.confidence - EQUAL);
    // What error correction has checked is no chance reading; and boxes are upright: that of a code at an angle holds its neighbours.
    return { ...each, confidence: each.confidence * (beaten && each.unused === undefined ? RIVAL : 1) };
  });
  return inReadingOrder(settled).map(({ symbology, text, confidence }) => ({ text, barcodeType: spell(symbology), confidence: Math.round(confidence * 1000) / 1000 }));
}

/** Single lines of one code may lie apart: within a quarter of its length, the same text is the same code. */
function roundabout(box: Box): Box {
  return grown(box, Math.max(box.right - box.left, box.bottom - box.top) / 4);
}

/** Lines seen by two looks may be the same lines: the better look counts, the other adds half of what it saw. */
function together(a: Found, b: Found): Found {
  const [more, less] = a.agreed >= b.agreed ? [a, b] : [b, a];
  const unused = a.unused === undefined ? b.unused : Math.max(a.unused, b.unused ?? 0);
  return { ...more, box: around(a.box, b.box), agreed: more.agreed + less.agreed / 2, unused };
}

/** Rows from top to bottom, and each row from left to right. Those whose heights overlap by half are a row. */
function inReadingOrder<T extends { readonly box: Box }>(found: readonly T[]): T[] {
  const rows: T[][] = [];
  for (const each of [...found].sort((a, b) => a.box.top - b.box.top)) {
    const row = rows.at(-1);
    if (row && row.some(other => besides(other.box, each.box))) row.push(each);
    else rows.push([each]);
  }
  return rows.flatMap(row => row.sort((a, b) => a.box.left - b.box.left));
}

function besides(a: Box, b: Box): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return shared * 2 > Math.min(a.bottom - a.top, b.bottom - b.top);
}
