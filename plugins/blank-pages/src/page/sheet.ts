/** Where on the scanned area the sheet lies: around it is the scanner's background, of one tone. */
import type { Tiles } from './tiles.js';

/** In tiles, for each row of tiles: the sheet from `from` to before `to`. */
export interface Sheet {
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Whether background shows around it. */
  readonly surrounded: boolean;
}

/** Levels by which background differs within itself at most. */
const EVEN = 22;
/** Levels by which a sheet differs from the background at least. */
const APART = 24;
/** A tone lighter than this may be paper: background of this tone shows only beside most of a sheet. */
const LIGHT = 170;
/** The least share of the scanned area that a sheet covers, on dark and on light background. */
const LEAST_SHARE = { dark: 0.06, light: 0.4 } as const;
/** A sheet is convex: the share of its convex hull that it leaves open, and tiles along its edges. */
const HOLLOW = 0.005;
const ROUGH = 0.6;
/** Tiles: the scanner's own edge. */
const RIM = 2;
/** Tiles of dust on the background. */
const ISLAND = 6;

export function sheetOf(tiles: Tiles): Sheet {
  const { width, height } = tiles;
  const whole: Sheet = { from: new Int32Array(height), to: new Int32Array(height).fill(width), surrounded: false };
  for (const tone of borderTones(tiles)) {
    const sheet = within(tiles, tone);
    if (sheet) return sheet;
  }
  return whole;
}

/** Tones of a twentieth of the border at least, the darkest first. */
function borderTones({ width, height, lightest }: Tiles): number[] {
  const counts = new Int32Array(256);
  const add = (x: number, y: number): void => void counts[lightest[y * width + x]!]!++;
  // The outermost tiles may be the scanner's own edge.
  const rim = Math.min(RIM, (Math.min(width, height) - 1) >> 1);
  for (let x = rim; x < width - rim; x++) for (const y of [rim, height - 1 - rim]) add(x, y);
  for (let y = rim; y < height - rim; y++) for (const x of [rim, width - 1 - rim]) add(x, y);
  const least = (width + height) / 10;
  const tones: number[] = [];
  for (let tone = 0; tone < 256; tone++) {
    let near = 0;
    for (let each = Math.max(0, tone - 8); each <= Math.min(255, tone + 8); each++) near += counts[each]!;
    const last = tones.at(-1);
    if (near >= least && counts[tone]! > 0 && (last === undefined || tone - last > EVEN)) {
      // The middle of the peak rather than its beginning.
      let best = tone;
      for (let each = tone; each <= Math.min(255, tone + 16); each++) if (counts[each]! > counts[best]!) best = each;
      tones.push(best);
    }
  }
  return tones;
}

/** The sheet if this tone is the background's. */
function within(tiles: Tiles, tone: number): Sheet | undefined {
  const { width, height, lightest } = tiles;
  const outside = flooded(tiles, tone);
  dropIslands(outside, width, height);
  const from = new Int32Array(height).fill(width);
  const to = new Int32Array(height);
  let covered = 0;
  let sum = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (outside[y * width + x]) continue;
      covered++;
      sum += lightest[y * width + x]!;
      if (x < from[y]!) from[y] = x;
      to[y] = x + 1;
    }
  }
  if (covered === 0 || covered === width * height) return undefined;
  const share = covered / (width * height);
  const light = tone >= LIGHT;
  const apart = sum / covered - tone;
  if (share < (light ? LEAST_SHARE.light : LEAST_SHARE.dark)) return undefined;
  if (light ? Math.abs(apart) < APART : apart < APART) return undefined;
  const hull = hullOf(from, to, width);
  let area = 0;
  for (let y = 0; y < height; y++) area += Math.max(0, hull.to[y]! - hull.from[y]!);
  const around = 2 * (hull.from.filter((each, y) => hull.to[y]! > each).length + Math.max(...widthsOf(hull)));
  return area - covered <= HOLLOW * area + ROUGH * around ? { ...hull, surrounded: true } : undefined;
}

const widthsOf = ({ from, to }: Pick<Sheet, 'from' | 'to'>): number[] => [...from].map((each, y) => to[y]! - each);

/** Adds to the background what is no sheet in it: dust, and lines that the scanner draws at its own edge. */
function dropIslands(outside: Uint8Array, width: number, height: number): void {
  const seen = outside.slice();
  const queue = new Int32Array(width * height);
  for (let start = 0; start < seen.length; start++) {
    if (seen[start]) continue;
    let tail = 0;
    let inner = 0;
    const visit = (at: number): void => {
      if (seen[at]) return;
      seen[at] = 1;
      queue[tail++] = at;
      const x = at % width;
      const y = Math.floor(at / width);
      if (x >= RIM && y >= RIM && x < width - RIM && y < height - RIM) inner++;
    };
    visit(start);
    for (let head = 0; head < tail; head++) {
      const at = queue[head]!;
      const x = at % width;
      if (x > 0) visit(at - 1);
      if (x < width - 1) visit(at + 1);
      if (at >= width) visit(at - width);
      if (at < width * (height - 1)) visit(at + width);
    }
    if (inner <= ISLAND) for (let i = 0; i < tail; i++) outside[queue[i]!] = 1;
  }
}

/** 1 for tiles of about this tone that are connected with the border. */
function flooded({ width, height, lightest }: Tiles, tone: number): Uint8Array {
  const reached = new Uint8Array(width * height);
  const queue = new Int32Array(width * height);
  let tail = 0;
  const visit = (at: number): void => {
    if (reached[at] || Math.abs(lightest[at]! - tone) > EVEN) return;
    reached[at] = 1;
    queue[tail++] = at;
  };
  for (let rim = 0; rim <= RIM && rim < width && rim < height; rim++) {
    for (let x = 0; x < width; x++) for (const y of [rim, height - 1 - rim]) visit(y * width + x);
    for (let y = 0; y < height; y++) for (const x of [rim, width - 1 - rim]) visit(y * width + x);
  }
  for (let head = 0; head < tail; head++) {
    const at = queue[head]!;
    const x = at % width;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at < width * (height - 1)) visit(at + width);
  }
  return reached;
}

/** The convex hull of the spans: the lower hull of their beginnings, the upper hull of their ends. */
function hullOf(from: Int32Array, to: Int32Array, width: number): Pick<Sheet, 'from' | 'to'> {
  const rows = [...from.keys()].filter(y => to[y]! > from[y]!);
  const left = chain(rows.map(y => [y, from[y]!] as const));
  const right = chain(rows.map(y => [y, -to[y]!] as const));
  const hull = { from: new Int32Array(from.length).fill(width), to: new Int32Array(to.length) };
  for (const y of rows) {
    hull.from[y] = Math.floor(left(y));
    hull.to[y] = Math.ceil(-right(y));
  }
  return hull;
}

type Point = readonly [y: number, x: number];

/** The lower convex hull of points with rising y, as a function of y. */
function chain(points: readonly Point[]): (y: number) => number {
  const hull: Point[] = [];
  for (const point of points) {
    for (let a = hull.at(-2), b = hull.at(-1); a && b; a = hull.at(-2), b = hull.at(-1)) {
      if ((b[1] - a[1]) * (point[0] - a[0]) < (point[1] - a[1]) * (b[0] - a[0])) break;
      hull.pop();
    }
    hull.push(point);
  }
  let next = 1;
  return y => {
    while (next < hull.length - 1 && hull[next]![0] < y) next++;
    const [a, b] = [hull[next - 1]!, hull[next] ?? hull[next - 1]!];
    return b[0] === a[0] ? a[1] : a[1] + ((b[1] - a[1]) * (y - a[0])) / (b[0] - a[0]);
  };
}
