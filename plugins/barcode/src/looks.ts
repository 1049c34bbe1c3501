/** The looks that are taken at a page, the cheapest first: each yields what it saw, in the page's own pixels. */
import type { RawPage, Symbology } from '@platen/core/plugin';
import { cut, gather, level, type Picture } from './crop.js';
import { boxOf, grown, holds, onPage, pieceOf, sizeOf, type Box, type Piece } from './geometry.js';
import { luminance, shrunkSize } from './luminance.js';
import { askFor, familyOf, type Family } from './names.js';
import { bars, barsIn, dark, tinted } from './suspects.js';
import { survey } from './survey.js';
import { apply, otsu, spread } from './tone.js';
import type { Ask, Plane, Sighting, Zxing } from './zxing.js';

export interface Looking {
  readonly page: RawPage;
  readonly formats: readonly Symbology[];
  readonly thorough: boolean;
}

/** From this resolution on a page is looked at in half (or a quarter) first: faster, and the averaging takes grain away. */
const FINE_DPI = 450;
/** Pages larger than this are not looked at in full: zxing's own copies of a picture must fit into its memory too. */
const LARGEST = 120_000_000;

/** Rows of a linear code that are averaged into one scan line: 0.3 mm at 300 dpi, a fraction of any code's height. */
const GROUP = 4;
/** Millimetres on which scan lines must have agreed; below that, a code gets a second look along its bars. */
const SURE = 5;

const every: readonly Family[] = ['linear', 'stacked', 'matrix'];

/** Every look is a step: who has seen enough stops pulling, and nothing more is done. */
export function* looks(zxing: Zxing, { page, formats, thorough }: Looking): Generator<Sighting[], void> {
  const ask = (families: readonly Family[], wishes: Partial<Ask>): Ask => ({ formats: askFor(formats, families), rotate: true, threshold: 'fixed', ...wishes });
  let shrink = 1;
  while (page.dpi / shrink >= FINE_DPI || (page.width / shrink) * (page.height / shrink) > LARGEST) shrink *= 2;
  const plane = lit(zxing, page, shrink);
  try {
    const larger = (sightings: readonly Sighting[]) => sightings.map(each => scaled(each, shrink));
    const perMm = page.dpi / shrink / 25.4;
    const seen: Box[] = [];
    const weak: Box[] = [];
    const damaged: Piece[] = [];
    const note = (sightings: Sighting[]): Sighting[] => {
      weak.push(...sightings.filter(each => familyOf(each.symbology) === 'linear' && each.agreed < SURE * perMm).map(({ corners }) => boxOf(corners)));
      seen.push(...sightings.filter(each => !each.damaged).map(({ corners }) => boxOf(corners)));
      damaged.push(...sightings.filter(each => each.damaged).map(({ corners }) => pieceOf(boxOf(corners), 12, 2)));
      return sightings.filter(each => !each.damaged);
    };
    yield larger(note(zxing.look(plane, ask(['linear'], { threshold: 'perLine' }))));
    centre(zxing, plane, page);
    yield larger(note(zxing.look(plane, ask(['matrix'], { damaged: thorough }))));
    yield larger(note(zxing.look(plane, ask(['stacked'], { damaged: thorough }))));
    if (!thorough) return;

    const picture = (): Picture => ({ ...plane, bytes: zxing.bytes(plane) });
    const cells = survey(picture().bytes, plane.width, plane.height);
    for (const box of weak) yield larger(lookAt(zxing, picture, barsIn(cells, box), { gather: GROUP }, ask(['linear'], { rotate: false, threshold: 'perLine' })));
    const suspects = [
      ...bars(cells).flatMap(piece => [
        { piece, how: { gather: GROUP }, ask: ask(['linear'], { rotate: false, threshold: 'perLine' }) },
        { piece, how: {}, ask: ask(['linear', 'stacked'], { rotate: false }) },
      ]),
      ...dark(cells).map(piece => ({ piece, how: { invert: true }, ask: ask(every, {}) })),
      ...tinted(cells).map(piece => ({ piece, how: {}, ask: ask(every, {}) })),
      ...damaged.map(piece => ({ piece, how: {}, ask: ask(every, {}) })),
    ];
    let budget = plane.width * plane.height;
    for (const { piece, how, ask: asked } of suspects) {
      if (asked.formats === '' || seen.some(box => holds(grown(box, 4), piece.centre))) continue;
      const { width, height } = sizeOf(piece);
      budget -= width * height;
      if (budget < 0) break;
      yield larger(note(lookAt(zxing, picture, piece, how, asked)));
    }
  } finally {
    zxing.free(plane);
  }
  if (shrink === 1 || page.width * page.height > LARGEST) return;
  const full = lit(zxing, page, 1);
  try {
    yield zxing.look(full, ask(['linear'], { threshold: 'perLine' }));
    centre(zxing, full, page);
    yield zxing.look(full, ask(['stacked', 'matrix'], {}));
  } finally {
    zxing.free(full);
  }
}

/** The page in zxing's memory. */
function lit(zxing: Zxing, page: RawPage, shrink: number): Plane {
  const { width, height } = shrunkSize(page, shrink);
  const plane = zxing.plane(width, height);
  luminance(page, shrink, zxing.bytes(plane));
  return plane;
}

/** For looks with a fixed threshold. Looks line by line sharpen first, and want the tones in proportion. */
function centre(zxing: Zxing, plane: Plane, { pixels }: RawPage): void {
  if (pixels === 'bw1') return;
  const bytes = zxing.bytes(plane);
  apply(spread(otsu(bytes, 7), false), bytes);
}

interface How {
  readonly invert?: boolean;
  readonly gather?: number;
}

function lookAt(zxing: Zxing, picture: () => Picture, piece: Piece, { invert = false, gather: group = 1 }: How, ask: Ask): Sighting[] {
  const { width, height } = sizeOf(piece);
  const plane = zxing.plane(width, height);
  try {
    const bytes = zxing.bytes(plane);
    cut(picture(), piece, bytes);
    level(bytes, invert);
    if (group > 1) gather(bytes, width, height, group);
    const sightings = zxing.look({ ...plane, height: Math.max(1, Math.floor(height / group)) }, ask);
    return sightings.map(each => ({
      ...each,
      agreed: (each.agreed * group) / piece.scale,
      corners: each.corners.map(([x, y]) => onPage(piece, [x, y * group])),
    }));
  } finally {
    zxing.free(plane);
  }
}

function scaled(sighting: Sighting, by: number): Sighting {
  return by === 1 ? sighting : { ...sighting, agreed: sighting.agreed * by, corners: sighting.corners.map(([x, y]) => [x * by, y * by] as const) };
}
