/**
 * Small pictures of single codes, as in a photo or a bad copy: each defect alone, and several together. Drawn from a
 * seed.
 */
import type { RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import {
  codelessPage,
  dice,
  linear,
  modulesOf,
  pick,
  symbologies,
  textFor,
  type Dice,
  type Truth,
} from './barcodePages.js';

export interface Sample extends Truth {
  readonly hardship: Hardship;
  readonly seed: number;
}

/** How a picture is taken. Lengths are in pixels, tones in grey levels. */
interface Taking {
  readonly module: number;
  /** Of both sides of the picture; more where the code needs it. */
  readonly side: number;
  readonly angle: number;
  /** How much smaller the far end is, as a share. */
  readonly perspective: number;
  /** Standard deviation. */
  readonly blur: number;
  readonly grain: number;
  readonly black: number;
  readonly white: number;
  /** What of the light is left in the darkest place. */
  readonly light: number;
  readonly shadow: 'none' | 'slope' | 'edge' | 'lamp';
  readonly jpeg: number | undefined;
  readonly inverted: boolean;
  /** Strokes like those of text around the code. */
  readonly strokes: boolean;
  /** Seen from behind, as through glass or thin paper. */
  readonly mirrored: boolean;
  /** How far the top is pushed to the right, as a share of the height. */
  readonly shear: number;
  /** Black and white alone. */
  readonly bilevel: boolean;
  /** Lines without ink across the code, of two pixels. */
  readonly scratches: number;
  /** Of the quiet zone, as a share. */
  readonly quiet: number;
}

const plain: Taking = {
  module: 3,
  side: 240,
  angle: 0,
  perspective: 0,
  blur: 0.5,
  grain: 2,
  black: 30,
  white: 235,
  light: 1,
  shadow: 'none',
  jpeg: undefined,
  inverted: false,
  strokes: false,
  mirrored: false,
  shear: 0,
  bilevel: false,
  scratches: 0,
  quiet: 1,
};
const between = (random: Dice, from: number, to: number): number => from + random() * (to - from);
const unevenly = (random: Dice): Partial<Taking> => ({
  shadow: pick(random, ['slope', 'edge', 'lamp']),
  light: between(random, 0.15, 0.5),
});

const hardships = {
  'small modules': random => ({ module: between(random, 1.5, 2.2), blur: 0.4 }),
  blur: random => ({ module: between(random, 2, 3), blur: between(random, 0.9, 1.6) }),
  perspective: random => ({ perspective: between(random, 0.15, 0.45), angle: between(random, -8, 8) }),
  'low contrast': random => ({
    module: between(random, 2, 3),
    ...pick(random, [
      { black: 90, white: 130 },
      { black: 150, white: 185 },
      { black: 40, white: 75 },
    ]),
  }),
  'uneven light': random => ({ module: between(random, 2, 4), side: 400, ...unevenly(random) }),
  'uneven light, large': random => ({ module: between(random, 5, 9), side: 900, blur: 1.5, ...unevenly(random) }),
  'at an angle': random => ({ angle: between(random, 0, 360) }),
  'JPEG at 30': random => ({ module: between(random, 1.8, 3), jpeg: 30 }),
  grain: random => ({ module: between(random, 2, 3), grain: between(random, 15, 40) }),
  'light on dark': random => ({ inverted: true, module: between(random, 1.8, 3), strokes: true }),
  together: random => ({
    module: between(random, 1.6, 4),
    side: pick(random, [240, 400, 640]),
    angle: between(random, -20, 20),
    perspective: between(random, 0, 0.25),
    blur: between(random, 0.4, 1),
    grain: between(random, 1, 10),
    black: between(random, 20, 80),
    white: between(random, 140, 240),
    jpeg: pick(random, [undefined, 30, 50]),
    inverted: random() < 0.15,
    strokes: random() < 0.5,
    ...(random() < 0.7 ? unevenly(random) : {}),
  }),
} satisfies Record<string, (random: Dice) => Partial<Taking>>;
export type Hardship = keyof typeof hardships | 'mixed' | 'mixed, small';

/** Of each hardship for each symbology; twice as many of all together. */
const EACH = 4;

/** @param each how many of each hardship for each symbology */
export function samples(each = EACH): Sample[] {
  const names = Object.keys(hardships) as (keyof typeof hardships)[];
  return names.flatMap((hardship, h) =>
    symbologies.flatMap((symbology, s) =>
      Array.from({ length: hardship === 'together' ? 2 * each : each }, (_, i) => {
        const seed = 1000 * h + 50 * s + i;
        return { hardship, symbology, seed, text: textFor(symbology, dice(seed)) };
      }),
    ),
  );
}

/**
 * Any mixture: each trait is harmless in most pictures, so that many of them can be read by somebody.
 * @param seed with the same one, the pictures are the same
 * @param hardship small ones fit on a page with others
 */
export function mixedSamples(seed: number, count: number, hardship: 'mixed' | 'mixed, small' = 'mixed'): Sample[] {
  return Array.from({ length: count }, (_, i) => {
    const own = seed + i;
    const symbology = symbologies[i % symbologies.length]!;
    return { hardship, symbology, seed: own, text: textFor(symbology, dice(own)) };
  });
}

function mixed(random: Dice): Partial<Taking> {
  const seldom = (share: number): boolean => random() < share;
  return {
    module: pick(random, [between(random, 1, 2), between(random, 2, 4), between(random, 4, 7)]),
    side: pick(random, [64, 240, 400, 640]),
    angle: pick(random, [0, 90, 180, 270, between(random, -6, 6), between(random, 0, 360)]),
    perspective: seldom(0.3) ? between(random, 0, 0.4) : 0,
    blur: pick(random, [0.3, 0.5, between(random, 0.5, 1.5)]),
    grain: pick(random, [0, 3, between(random, 5, 40)]),
    ...pick(random, [
      { black: 30, white: 235 },
      { black: 0, white: 255 },
      { black: between(random, 20, 140), white: between(random, 150, 255) },
    ]),
    ...(seldom(0.3) ? unevenly(random) : {}),
    jpeg: pick(random, [undefined, undefined, 25, 60]),
    inverted: seldom(0.2),
    strokes: seldom(0.4),
    mirrored: seldom(0.2),
    shear: seldom(0.3) ? between(random, -0.3, 0.3) : 0,
    bilevel: seldom(0.15),
    scratches: seldom(0.2) ? 1 + Math.floor(random() * 3) : 0,
    quiet: pick(random, [1, 1, 0.5, 0.2]),
  };
}

const mixtures = {
  mixed,
  'mixed, small': random => ({ ...mixed(random), module: between(random, 1, 3.5), side: pick(random, [64, 240, 400]) }),
} satisfies Record<string, (random: Dice) => Partial<Taking>>;

/** Resolutions that the pages claim: a picture does not know its own. */
const resolutions = [150, 200, 300, 600] as const;
/** Of each pixel along each side; fewer where the edges of modules are few. */
const raysFor = (module: number): number => (module < 3 ? 3 : 2);

export async function draw(sample: Sample): Promise<RawPage> {
  const random = dice(sample.seed + 7);
  const taking: Taking = { ...plain, ...{ ...hardships, ...mixtures }[sample.hardship](random) };
  const { modules, columns, rows, quiet: wanted } = await modulesOf(sample);
  const quiet = wanted * taking.quiet;
  const high = linear(sample.symbology) ? Math.max(20, columns * 0.3) : rows;
  const room = Math.hypot(columns + 2 * quiet, high + 2 * quiet) * taking.module;
  const upright = Math.abs(Math.sin((taking.angle * Math.PI) / 180)) < 0.4;
  const width = Math.ceil(Math.max(taking.side, upright ? (columns + 2 * quiet) * taking.module * 1.1 : room));
  const height = Math.ceil(
    Math.max(taking.side, upright ? high * taking.module * 1.4 + columns * taking.module * 0.35 : room),
  );
  const [ox, oy] = [width / 2 + between(random, -4, 4), height / 2 + between(random, -4, 4)];
  const [cos, sin] = [Math.cos((taking.angle * Math.PI) / 180), Math.sin((taking.angle * Math.PI) / 180)];
  const strokes = strokesOf(random);
  const scratches = Array.from({ length: taking.scratches }, () => {
    const direction = between(random, 0, Math.PI);
    return [Math.cos(direction), Math.sin(direction), between(random, -1, 1) * columns * 0.4 * taking.module] as const;
  });
  /** 1 is ink. */
  const inkAt = (px: number, py: number): number => {
    const [dx, dy] = [px - ox, py - oy];
    const far = 1 + (taking.perspective * dx) / width;
    const [x, y] = [(dx * cos + dy * sin) / taking.module / far, (dy * cos - dx * sin) / taking.module / far];
    const [column, row] = [(taking.mirrored ? -1 : 1) * (x - taking.shear * y) + columns / 2, y + high / 2];
    const within = column >= -quiet && row >= -quiet && column < columns + quiet && row < high + quiet;
    if (!within) return taking.strokes && strokes(px, py) ? 1 : 0;
    const inside = column >= 0 && row >= 0 && column < columns && row < high;
    const scratched = scratches.some(([a, b, c]) => Math.abs(a * dx + b * dy + c) < 1);
    const ink = inside && !scratched && modules[Math.floor((row * rows) / high) * columns + Math.floor(column)] ? 1 : 0;
    return taking.inverted ? 1 - ink : ink;
  };
  const drawing = new Uint8Array(width * height);
  const rays = raysFor(taking.module);
  const slope = between(random, 0, 2 * Math.PI);
  const lightAt = lighting(taking, width, height, slope);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let ink = 0;
      for (let ray = 0; ray < rays * rays; ray++)
        ink += inkAt(x + ((ray % rays) + 0.5) / rays, y + (Math.floor(ray / rays) + 0.5) / rays);
      const share = ink / (rays * rays);
      drawing[y * width + x] = (taking.black * share + taking.white * (1 - share)) * lightAt(x, y);
    }
  }
  const blurred = await sharp(drawing, { raw: { width, height, channels: 1 } })
    .blur(Math.max(0.3, taking.blur))
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const grainy = new Uint8ClampedArray(blurred.length);
  for (let i = 0; i < grainy.length; i++)
    grainy[i] = blurred[i]! + (random() + random() + random() - 1.5) * 2 * taking.grain;
  const data = await pressed(grainy, width, height, taking.jpeg);
  if (taking.bilevel)
    for (let i = 0; i < data.length; i++) data[i] = data[i]! < (taking.black + taking.white) / 2 ? 0 : 255;
  return {
    kind: 'raw',
    sheet: 1,
    side: 'front',
    width,
    height,
    dpi: pick(random, resolutions),
    pixels: 'gray8',
    stride: width,
    data,
  };
}

async function pressed(
  grey: Uint8ClampedArray,
  width: number,
  height: number,
  quality: number | undefined,
): Promise<Uint8Array> {
  const data = new Uint8Array(grey.buffer);
  if (quality === undefined) return data;
  const file = await sharp(data, { raw: { width, height, channels: 1 } })
    .jpeg({ quality })
    .toBuffer();
  return new Uint8Array(await sharp(file).toColourspace('b-w').raw().toBuffer());
}

/** The share of the light that reaches a place. */
function lighting(
  { shadow, light }: Taking,
  width: number,
  height: number,
  slope: number,
): (x: number, y: number) => number {
  const along = (x: number, y: number): number =>
    ((x / width - 0.5) * Math.cos(slope) + (y / height - 0.5) * Math.sin(slope)) / 1.2 + 0.5;
  if (shadow === 'slope') return (x, y) => light + (1 - light) * along(x, y);
  if (shadow === 'edge') return (x, y) => (along(x, y) < 0.55 ? 1 : light + 0.15);
  if (shadow === 'lamp')
    return (x, y) => Math.max(light, 1 - (1 - light) * Math.hypot(x / width - 0.3, y / height - 0.4) * 1.6);
  return () => 1;
}

/** Short bars in rows. */
function strokesOf(random: Dice): (x: number, y: number) => boolean {
  const [pitch, line] = [between(random, 5, 9), between(random, 14, 24)];
  return (x, y) =>
    y % line < line * 0.55 &&
    x % pitch < 2 &&
    Math.sin(Math.floor(x / pitch) * 12.9 + Math.floor(y / line) * 7.3) > -0.6;
}

/**
 * A4 pages of text at 300 dpi with these pictures on them, as many as there is room for: the plugin treats large pages
 * differently from small ones.
 */
export async function* pagesOf(
  pictures: readonly Sample[],
): AsyncGenerator<{ page: RawPage; truth: readonly Sample[] }> {
  const waiting = [...pictures];
  for (let n = 0; waiting.length > 0; n++) {
    const page = await codelessPage('text', n, { dpi: 300, skew: 0 });
    const data = Uint8Array.from(page.data);
    const truth: Sample[] = [];
    for (let top = GAP, next = 0; waiting.length > 0; top += next + GAP, next = 0) {
      let left = GAP;
      for (let sample = waiting[0]; sample; sample = waiting[0]) {
        const { width, height, data: pixels } = await draw(sample);
        if (left + width + GAP > page.width || top + height + GAP > page.height) break;
        for (let y = 0; y < height; y++)
          data.set(pixels.subarray(y * width, (y + 1) * width), (top + y) * page.width + left);
        truth.push(sample);
        waiting.shift();
        left += width + GAP;
        next = Math.max(next, height);
      }
      if (next === 0) break;
    }
    if (truth.length === 0) throw new Error(`${waiting[0]?.symbology} ${waiting[0]?.seed} fits on no page.`);
    yield { page: { ...page, data }, truth };
  }
}

/** In pixels, between pictures and to the edges. */
const GAP = 50;
