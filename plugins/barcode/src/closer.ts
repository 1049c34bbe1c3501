/** Closer looks: at pieces of a page that the looks at the whole of it may have missed, or only half seen. */
import type { Symbology } from '@platen/core/plugin';
import { cut, gather, level, type Picture } from './crop.js';
import { boxOf, grown, holds, onPage, pieceOf, sizeOf, uprightBox, type Piece } from './geometry.js';
import { askFor, familyOf, type Family } from './names.js';
import { bars, barsIn, dark, tinted } from './suspects.js';
import { toned, type Survey } from './survey.js';
import type { Ask, Plane, Sighting, Zxing } from './zxing.js';

export interface SoFar {
  readonly formats: readonly Symbology[];
  /** On the whole page, the damaged ones among them. */
  readonly seen: readonly Sighting[];
  /** For each grey level what it is when black and white are spread; absent on a picture that has no other levels. */
  readonly levels: Uint8Array | undefined;
  /** Of the plane's own tones. */
  readonly surveyed: Survey;
  /** Pixels. */
  readonly perMm: number;
}

interface How {
  readonly invert?: boolean;
  /** Rows that are averaged into one. */
  readonly rows?: number;
}

interface Plan {
  readonly piece: Piece;
  /** One after the other, until the piece is known. */
  readonly looks: readonly { readonly how: How; readonly ask: Ask }[];
  /** Even where a code is known. */
  readonly again?: boolean;
}

/** 0.3 mm at 300 dpi: a fraction of the height of any bars, and enough to take half of the grain away. */
const ROWS = 4;
/** Millimetres on which scan lines must have agreed; below that, a code gets a second look along its bars. */
const SURE = 5;
/** … and below that it may be anything, and must not keep a suspect from being looked at. */
const VAGUE = 2;
/** Around a damaged symbol, in pixels, and how much larger it is looked at. */
const MARGIN = 12;
const LARGER = 2;

/**
 * Of a PDF417 only the start and the stop may stand out: bars higher than wide, shorter than this with their margins. Its
 * rows lie within reach of either. In millimetres.
 */
const END = 16;
const REACH = 55;

const every: readonly Family[] = ['linear', 'stacked', 'matrix'];
const barred: readonly Family[] = ['linear', 'stacked'];

/** Yields a piece's sightings at a time. All pieces together are no larger than the page. */
export function* closerLooks(zxing: Zxing, plane: Plane, { formats, seen, levels, surveyed, perMm }: SoFar): Generator<Sighting[], void> {
  const picture = (): Picture => ({ ...plane, bytes: zxing.bytes(plane) });
  const cells = toned(surveyed, levels);
  const asking = (families: readonly Family[], rotate: boolean): Ask => ({ formats: askFor(formats, families), rotate, threshold: 'fixed' });
  const along = asking(['linear'], false);
  const lines = seen.filter(each => familyOf(each.symbology) === 'linear' && !each.damaged);
  const weak = lines.filter(({ agreed }) => agreed < SURE * perMm).map(({ corners }) => barsIn(cells, boxOf(corners)));
  const known = seen.filter(each => !each.damaged && (familyOf(each.symbology) !== 'linear' || each.agreed >= VAGUE * perMm)).map(({ corners }) => boxOf(corners));
  const isKnown = ({ centre }: Piece) => known.some(box => holds(grown(box, perMm / 3), centre));

  const found = bars(cells);
  const darkness = dark(cells);
  // Black bars may be dark all over, too: there both are tried.
  const barLooks = (piece: Piece) =>
    (darkness.some(each => holds(uprightBox(each), piece.centre)) ? [false, true] : [false]).flatMap(invert => [
      { how: { invert, rows: ROWS }, ask: along },
      { how: { invert }, ask: asking(barred, false) },
    ]);
  const everything = asking(every, true);
  const reach = REACH * perMm;
  const stacked = asking(['stacked'], true);
  const plans: Plan[] = [
    ...weak.map(piece => ({ piece, looks: [{ how: { rows: ROWS }, ask: along }], again: true })),
    ...found.map(piece => ({ piece, looks: barLooks(piece) })),
    ...found.filter(({ length, breadth }) => breadth > length && length < END * perMm).map(piece => ({ piece: { ...piece, length: piece.length + 2 * reach }, looks: [{ how: {}, ask: stacked }] })),
    ...darkness.map(piece => ({ piece, looks: [{ how: { invert: true }, ask: everything }] })),
    ...tinted(cells).map(piece => ({ piece, looks: [{ how: {}, ask: everything }] })),
    ...seen.filter(each => each.damaged).map(({ corners }) => ({ piece: pieceOf(boxOf(corners), MARGIN, LARGER), looks: [{ how: {}, ask: everything }] })),
  ];
  let budget = plane.width * plane.height;
  for (const { piece, looks, again } of plans) {
    let pixels: Uint8Array | undefined;
    for (const { how, ask } of looks) {
      if (ask.formats === '' || (!again && isKnown(piece))) continue;
      const { width, height } = sizeOf(piece);
      budget -= width * height;
      if (budget < 0) return;
      pixels ??= cut(picture(), piece);
      const sightings = lookAt(zxing, pixels, piece, how, ask);
      known.push(...sightings.filter(({ agreed, unused }) => unused !== undefined || agreed >= VAGUE * perMm).map(({ corners }) => boxOf(corners)));
      yield sightings;
    }
  }
}

/** @param pixels of the piece, in the size of `sizeOf(piece)` */
function lookAt(zxing: Zxing, pixels: Uint8Array, piece: Piece, { invert = false, rows = 1 }: How, ask: Ask): Sighting[] {
  const { width, height } = sizeOf(piece);
  const plane = zxing.plane(width, height);
  try {
    const bytes = zxing.bytes(plane);
    const gathered = gather(pixels, width, height, rows, bytes);
    level(bytes.subarray(0, width * gathered), invert);
    return zxing.look({ ...plane, height: gathered }, ask).map(each => ({
      ...each,
      agreed: (each.agreed * rows) / piece.scale,
      corners: each.corners.map(([x, y]) => onPage(piece, [x, y * rows])),
    }));
  } finally {
    zxing.free(plane);
  }
}
