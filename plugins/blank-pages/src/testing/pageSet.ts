/** The set that the recogniser is measured with: 200 blank pages of seven kinds, 200 nearly blank ones of twelve. */
import type { Pixels, RawPage } from '@platen/core/plugin';
import { dust, folds, holes, ruled, squared, staple, streaks } from './artefacts.js';
import * as draw from './drawing.js';
import { between, dice, pick, type Dice } from './drawing.js';
import { scanned, type Colour, type Scanning } from './pages.js';

/** What the sets differ in; thresholds were set on the first one. */
interface Ranges {
  readonly seed: number;
  readonly grain: readonly [number, number];
  readonly through: readonly [number, number];
  readonly throughBlur: readonly [number, number];
  readonly gamma: readonly [number, number];
  readonly jpeg: readonly (number | undefined)[];
  readonly dpis: readonly number[];
  readonly lens: readonly [number, number];
  readonly faintest: number;
}

export const sets = {
  tuned: {
    seed: 1000,
    grain: [0.5, 4],
    through: [0.03, 0.16],
    throughBlur: [0.12, 0.3],
    gamma: [0.85, 1.2],
    jpeg: [undefined, 90, 75, 50],
    dpis: [100, 150, 200, 200, 300],
    lens: [0.03, 0.07],
    faintest: 0.2,
  },
  held: {
    seed: 500_000,
    grain: [1, 5],
    through: [0.02, 0.19],
    throughBlur: [0.13, 0.4],
    gamma: [0.75, 1.3],
    jpeg: [undefined, 85, 60, 40],
    dpis: [75, 120, 200, 240, 300, 400],
    lens: [0.02, 0.09],
    faintest: 0.22,
  },
  third: {
    seed: 900_000,
    grain: [0.5, 5],
    through: [0.02, 0.2],
    throughBlur: [0.12, 0.4],
    gamma: [0.75, 1.3],
    jpeg: [undefined, 85, 60, 40],
    dpis: [75, 100, 150, 200, 240, 300, 400],
    lens: [0.02, 0.09],
    faintest: 0.22,
  },
} as const satisfies Record<string, Ranges>;
export type SetName = keyof typeof sets;

export interface SetPage {
  readonly kind: string;
  readonly isBlank: boolean;
  readonly seed: number;
  draw(): Promise<RawPage>;
}

type Sketch = Pick<Scanning, 'front'> & Partial<Scanning>;
interface Sheet {
  readonly wide: number;
  readonly high: number;
  readonly pixels: Pixels;
  readonly ranges: Ranges;
}
type Kind = (random: Dice, sheet: Sheet) => Sketch;

const sizes = [
  [210, 297],
  [210, 297],
  [210, 297],
  [215.9, 279.4],
  [148, 210],
  [105, 148],
  [297, 420],
] as const;
const whites: readonly Colour[] = [
  [248, 248, 246],
  [240, 238, 230],
  [252, 252, 252],
  [225, 224, 220],
];
const colours: readonly Colour[] = [
  [250, 235, 130],
  [180, 225, 180],
  [250, 190, 200],
  [175, 205, 245],
  [205, 180, 140],
  [250, 200, 120],
  [70, 90, 140],
];

const through = (random: Dice, { wide, high, ranges }: Sheet): NonNullable<Scanning['back']> => ({
  svg:
    random() < 0.75
      ? draw.textPage(random, wide, high, between(random, 8, 14), '#111')
      : draw.logo(random, wide * 0.2, 20, 18, '#222') +
        draw.textPage(random, wide, high, 11, '#222') +
        draw.photo(random, wide * 0.3, high * 0.5, wide * 0.4, high * 0.25),
  strength: between(random, ...ranges.through),
  blur: between(random, ...ranges.throughBlur),
});

export const blankKinds = {
  paper: random => ({
    front: '',
    paper: pick(random, random() < 0.4 ? whites : colours),
    shade: pick(random, ['none', 'slope']),
  }),
  'ruled or squared': (random, { wide, high }) => ({
    front: random() < 0.5 ? ruled(random, wide, high) : squared(random, wide, high),
    ...(random() < 0.2 && { paper: pick(random, colours.slice(0, 4)) }),
  }),
  'shining through': (random, sheet) => ({ front: '', back: through(random, sheet) }),
  'punch holes': (random, { wide, high }) => ({ front: holes(random, wide, high) }),
  'staples, dust': (random, { wide, high }) => ({
    front: (random() < 0.7 ? staple(random, wide, high) : '') + dust(random, wide, high),
  }),
  background: random => ({
    front: '',
    skew: between(random, -2, 2),
    background: {
      tone: pick(random, [2, 10, 40, 90, 130]),
      margin: [0, 0, 0, 0].map(() => pick(random, [0, 2, 6, 25]) + between(random, 2, 4)) as [
        number,
        number,
        number,
        number,
      ],
    },
  }),
  'folds, streaks, spine': (random, { wide, high }) => {
    const which = random();
    if (which < 0.35) return { front: folds(random, wide, high) };
    if (which < 0.65) return { front: '', scanner: streaks(random, wide, high) };
    return { front: '', shade: 'spine' };
  },
} as const satisfies Record<string, Kind>;

/** Where there is room for something small: away from the edges by 9 mm. */
function spot(random: Dice, { wide, high }: Sheet, needs: number): [number, number] {
  return [between(random, 10, Math.max(11, wide - 10 - needs)), between(random, 12, high - 12)];
}

const pencil = (random: Dice): draw.Pen => {
  const tone = Math.floor(between(random, 95, 170));
  return { ink: `rgb(${tone},${tone},${tone})`, width: between(random, 0.3, 0.55) };
};

export const contentKinds = {
  'page number': (random, { wide, high }) => {
    const size = between(random, 7, 11) * 0.3528 * 0.7;
    const number = `${1 + Math.floor(random() * 400)}`;
    const x = pick(random, [wide / 2 - draw.widthOf(number, size) / 2, wide - 15 - draw.widthOf(number, size), 14]);
    return {
      front: draw.text(number, x, pick(random, [high - 10, 13]), size, { ink: pick(random, ['#000', '#222', '#444']) }),
    };
  },
  'faint stamp': (random, sheet) => {
    const [x, y] = spot(random, sheet, 50);
    const ink = pick(random, ['#2a3f9a', '#a03030', '#503080', '#333']);
    return {
      front: draw.stamp(random, x, Math.min(y, sheet.high - 32), ink, between(random, sheet.ranges.faintest, 0.5)),
    };
  },
  signature: (random, sheet) => {
    const [x, y] = spot(random, sheet, 45);
    const ink = pick(random, ['#1c3f94', '#222', '#666', '#4a62a8', '#888']);
    return { front: draw.signature(random, x, y, between(random, 20, 45), { ink, width: between(random, 0.25, 0.6) }) };
  },
  'pencil note': (random, sheet) => {
    const [x, y] = spot(random, sheet, 45);
    return { front: draw.text(draw.words(random, 4 + random() * 10), x, y, between(random, 2.5, 4), pencil(random)) };
  },
  'small print': (random, sheet) => {
    const size = between(random, 5, 7) * 0.3528 * 0.7;
    const line = draw.words(random, between(random, 8, 40));
    const [x, y] = spot(random, sheet, draw.widthOf(line, size));
    return { front: draw.text(line, x, y, size, { ink: pick(random, ['#000', '#333', '#555']) }) };
  },
  'tick in a box': (random, sheet) => {
    const [x, y] = spot(random, sheet, 8);
    const size = between(random, 3, 5);
    const ink = pick(random, ['#1c3f94', '#333', '#777']);
    return {
      front: `<rect x="${x}" y="${y}" width="${size}" height="${size}" fill="none" stroke="#444" stroke-width=".2"/><path d="M${x + size * 0.2} ${y + size * 0.5}l${size * 0.3} ${size * 0.35}l${size * 0.5} ${-size * 0.9}" fill="none" stroke="${ink}" stroke-width="${between(random, 0.3, 0.6)}"/>`,
    };
  },
  'header line': (random, { wide }) => {
    const size = between(random, 7, 11) * 0.3528 * 0.7;
    const count = Math.floor(((wide - 34) * 6) / (5.2 * size));
    const rule = random() < 0.5 ? `<path d="M16 17H${wide - 16}" stroke="#333" stroke-width=".25"/>` : '';
    return {
      front: draw.text(draw.words(random, between(random, 0.4, 1) * count), 17, 15, size, { ink: '#222' }) + rule,
    };
  },
  barcode: (random, sheet) => {
    const [x, y] = spot(random, sheet, 45);
    return {
      front: draw.barcode(random, x, Math.min(y, sheet.high - 25), between(random, 20, 45), between(random, 6, 14)),
    };
  },
  'small logo': (random, sheet) => {
    const [x, y] = spot(random, sheet, 40);
    const ink = pick(random, ['#c03020', '#1c5f94', '#2a7a3a', '#333', '#e09020']);
    return { front: draw.logo(random, x, Math.min(y, sheet.high - 25), between(random, 7, 14), ink) };
  },
  photograph: (random, { wide, high }) => {
    const size = between(random, 0.2, 0.8) * wide;
    return {
      front: draw.photo(
        random,
        between(random, 0, wide - size),
        between(random, 0, high - size * 0.7),
        size,
        size * 0.7,
      ),
    };
  },
  'light on dark': (random, sheet) => {
    const size = between(random, 3, 8);
    const line = draw.words(random, between(random, 3, 14));
    const [x, y] = spot(random, sheet, draw.widthOf(line, size));
    const ground = pick(random, ['#102040', '#000', '#333', '#501010']);
    return {
      front: `<rect x="-20" y="-20" width="500" height="600" fill="${ground}"/>${draw.text(line, x, y, size, { ink: '#fff' })}`,
    };
  },
  'printed watermark': (random, { wide, high }) => {
    const line = pick(random, ['DRAFT', 'VOID', 'PAID']).replace('O', '0');
    const size = (wide * between(random, 0.5, 0.8) * 6) / (5.2 * line.length);
    const tone = Math.floor(between(random, 195, 225));
    return {
      front: `<g transform="rotate(${between(random, -50, 0)} ${wide / 2} ${high / 2})">${draw.text(line, wide * 0.15, high / 2 + size / 2, size, { ink: `rgb(${tone},${tone},${tone})` })}</g>`,
    };
  },
} as const satisfies Record<string, Kind>;

/** Of these little is left on a 1-bit page. */
const inTones: ReadonlySet<string> = new Set(['faint stamp', 'printed watermark', 'shining through']);
/** Each kind of set is of so many pages. */
const EACH = 200;

/** @param share of the set, for tests that have less time: every so many of its pages */
export function pageSet(name: SetName, share = 1): SetPage[] {
  const pages = [...half(name, true), ...half(name, false)];
  return pages.filter((_, i) => Math.floor(i * share) !== Math.floor((i - 1) * share));
}

function half(name: SetName, isBlank: boolean): SetPage[] {
  const kinds: Readonly<Record<string, Kind>> = isBlank ? blankKinds : contentKinds;
  const names = Object.keys(kinds);
  return Array.from({ length: EACH }, (_, i) => {
    const kind = names[i % names.length]!;
    const seed = sets[name].seed + (isBlank ? 0 : 10_000) + i;
    return { kind, isBlank, seed, draw: () => scanned(pageOf(kinds[kind]!, kind, isBlank, seed, sets[name])) };
  });
}

function pageOf(sketch: Kind, kind: string, isBlank: boolean, seed: number, ranges: Ranges): Scanning {
  const random = dice(seed);
  for (let i = 0; i < 5; i++) random();
  const size = pick(random, sizes);
  const landscape = random() < 0.15;
  const [wide, high] = landscape ? [size[1], size[0]] : size;
  const bilevel = random() < 0.25 && !inTones.has(kind);
  const pixels = bilevel ? 'bw1' : pick(random, ['rgb24', 'gray8'] as const);
  const dpi = wide * high > 70_000 ? 150 : wide * high < 20_000 && random() < 0.3 ? 600 : pick(random, ranges.dpis);
  const sheet: Sheet = { wide, high, pixels, ranges };
  const drawn = sketch(random, sheet);
  // Other things of paper and scanner are there, too.
  const also = (share: number, svg: () => string): string => (random() < share ? svg() : '');
  const paper = kind === 'light on dark' ? 0 : isBlank ? 0.15 : 0.25;
  const extras =
    also(paper, () => dust(random, wide, high)) +
    (kind === 'punch holes' ? '' : also(paper, () => holes(random, wide, high))) +
    (kind === 'staples, dust' ? '' : also(paper / 2, () => staple(random, wide, high))) +
    (isBlank ? '' : also(paper / 2, () => ruled(random, wide, high)));
  const white = pick(random, whites);
  const jpeg = pixels === 'bw1' ? undefined : pick(random, ranges.jpeg);
  return {
    seed,
    wide,
    high,
    dpi,
    pixels,
    paper: white,
    skew: between(random, -2, 2),
    grain: between(random, ...ranges.grain),
    gamma: between(random, ...ranges.gamma),
    lens: between(random, ...ranges.lens),
    // Pale writing is kept by a high threshold only.
    threshold: isBlank ? between(random, 0.4, 0.6) : between(random, 0.72, 0.8),
    ...(jpeg !== undefined && { jpeg }),
    ...(!isBlank &&
      !drawn.back &&
      kind !== 'light on dark' &&
      random() < 0.15 &&
      pixels !== 'bw1' && { back: through(random, sheet) }),
    ...drawn,
    front: extras + drawn.front,
  };
}
