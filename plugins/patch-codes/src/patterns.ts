/** The seven runs of a patch code: four bars and the spaces between them. */
import { patchBars, patchCodes, patchInches, type PatchCode } from '@platen/core/plugin';

/** Bars of a patch on one line. */
export interface Hit {
  /** `w` and `n`, along the line. */
  readonly bars: string;
  /** Pixels of the line. */
  readonly start: number;
  readonly length: number;
  /** Whether another bar is as near as in a barcode, where the white between bars may be as wide as beside a patch. */
  readonly isBesideBar: boolean;
}

const ELEMENTS = 7;
/** Inches: sheets are printed as large as the paper, or a little smaller; an A4 sheet fits on A5. */
const SMALLEST = 0.68 * patchInches.whole;
const LARGEST = 1.25 * patchInches.whole;
/** The rest as a share of the whole code. */
const NARROW = patchInches.narrow / patchInches.whole;
const WIDE = patchInches.wide / patchInches.whole;
/** Ink spreads or fades, and a threshold moves edges: all bars are wider, and all spaces narrower, by as much. */
const MOST_SPREAD = 0.06;
const TOLERANCE = 0.04;
/** White on both sides; Kodak asks for 0.25 in, which is 0.31 of the code. */
const QUIET = 0.25;
/** Of a bar beside the code: how far it is, and how thick, for a barcode of up to four modules a bar. */
const BESIDE = 0.45;
const THINNEST = 0.05;
const THICKEST = 0.45;

const codes: ReadonlyMap<string, PatchCode> = new Map(patchCodes.map(code => [patchBars[code], code]));

export const codeOf = (bars: string): PatchCode | undefined => codes.get(bars);

/** @param edges of `runsOf` */
export function hitsOn(edges: readonly number[], lineLength: number, dpi: number): readonly Hit[] {
  const hits: Hit[] = [];
  for (let first = 0; first + ELEMENTS < edges.length + 1; first += 2) {
    const start = edges[first]!;
    const end = edges[first + ELEMENTS] ?? lineLength;
    const length = end - start;
    if (length < SMALLEST * dpi || length > LARGEST * dpi) continue;
    // The edge of the page is as good as white.
    const before = start - (edges[first - 1] ?? -Infinity);
    const after = (edges[first + ELEMENTS + 1] ?? Infinity) - end;
    if (Math.min(before, after) < QUIET * length) continue;
    const bars = barsOf(edges, first, length, lineLength);
    if (bars === undefined) continue;
    const isBar = (white: number, black: number): boolean =>
      white <= BESIDE * length && black >= THINNEST * length && black <= THICKEST * length;
    const isBesideBar =
      isBar(before, edges[first - 1]! - edges[first - 2]!) ||
      isBar(after, (edges[first + ELEMENTS + 2] ?? lineLength) - edges[first + ELEMENTS + 1]!);
    hits.push({ bars, start, length, isBesideBar });
  }
  return hits;
}

function barsOf(edges: readonly number[], first: number, length: number, lineLength: number): string | undefined {
  const shares = Array.from({ length: ELEMENTS }, (_, each) => {
    const end = edges[first + each + 1] ?? lineLength;
    return (end - edges[first + each]!) / length;
  });
  const spread = NARROW - (shares[1]! + shares[3]! + shares[5]!) / 3;
  if (Math.abs(spread) > MOST_SPREAD) return undefined;
  let bars = '';
  for (const [each, share] of shares.entries()) {
    const isBar = each % 2 === 0;
    const printed = isBar ? share - spread : share + spread;
    if (isBar && Math.abs(printed - WIDE) <= TOLERANCE) bars += 'w';
    else if (Math.abs(printed - NARROW) > TOLERANCE) return undefined;
    else if (isBar) bars += 'n';
  }
  return codes.has(bars) ? bars : undefined;
}
