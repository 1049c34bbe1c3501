/**
 * Orientation votes: each line of text votes for the way up that its ascenders and descenders suggest.
 *
 * Latin print has about three times as much ink in ascenders (capitals, digits, b d f h k l t) as in descenders
 * (g j p q y). Lines with neither (only capitals, only digits) have no vote, and a script with as much ink below its
 * lines as above them makes no majority.
 */
import type { Mask } from './connectedComponents.js';

export interface Votes {
  readonly up: number;
  readonly down: number;
  /** The share of ascenders in the ink of ascenders and descenders. */
  readonly share: number;
}

/** All in inches. */
const STRIP = 1.5;
const REACH = 0.1;
const LEAST_BODY = 0.024;
const MOST_BODY = 0.2;

/** In pixels: smaller letters cannot be distinguished. */
const LEAST_BODY_PIXELS = 4;
/** A row belongs to the x-height of a line from this share of the ink of the fullest row around it. */
const FULL = 0.4;
/** Two bands are one line if all rows between them have this share: capitals have little ink between their bars. */
const JOINED = 0.2;
/** The least ink above and below a line, as a share of the ink of its x-height; and how unequal the two must be. */
const WORTH = 0.05;
const UNEQUAL = 0.2;

/**
 * @param letters a mask of text whose lines run from left to right, either way up
 * @param degrees by which the lines fall to the right
 */
export function orientationVotes(letters: Mask, degrees: number, dpi: number): Votes {
  const { width, height, data } = letters;
  const slope = Math.tan((degrees * Math.PI) / 180);
  const strip = Math.max(16, Math.round(STRIP * dpi));
  const margin = Math.ceil(Math.abs(slope) * strip) + 1;
  const votes = { up: 0, down: 0, above: 0, below: 0 };
  const profile = new Int32Array(height + 2 * margin);
  for (let left = 0; left < width; left += strip) {
    const right = Math.min(left + strip, width);
    profile.fill(0);
    for (let x = left; x < right; x++) {
      // Shears the columns until the lines are level.
      let at = margin - Math.round((x - left) * slope);
      for (let i = x; i < data.length; i += width, at++) profile[at]! += data[i]!;
    }
    count(profile, dpi, votes);
  }
  const reaching = votes.above + votes.below;
  return { up: votes.up, down: votes.down, share: reaching === 0 ? 0.5 : votes.above / reaching };
}

interface Counts {
  up: number;
  down: number;
  above: number;
  below: number;
}

function count(profile: Int32Array, dpi: number, votes: Counts): void {
  const bands = bandsOf(profile, Math.max(3, Math.round(REACH * dpi)));
  bands.forEach(({ top, bottom }, i) => {
    const body = bottom - top + 1;
    if (body < Math.max(LEAST_BODY_PIXELS, LEAST_BODY * dpi) || body > MOST_BODY * dpi) return;
    const zone = Math.max(2, Math.round(body / 2));
    const ceiling = Math.max(top - 1 - zone, (bands[i - 1]?.bottom ?? -1) + 1, 0);
    const floor = Math.min(bottom + 1 + zone, (bands[i + 1]?.top ?? profile.length) - 1, profile.length - 1);
    // The rows next to the x-height belong to letters that are a little larger than the others, or blurred.
    const above = sum(profile, ceiling, top - 2);
    const below = sum(profile, bottom + 2, floor);
    if (above + below < WORTH * sum(profile, top, bottom)) return;
    votes.above += above;
    votes.below += below;
    if (Math.abs(above - below) < UNEQUAL * (above + below)) return;
    if (above > below) votes.up++;
    else votes.down++;
  });
}

/** The first and last row of each run of rows that are full in comparison with those around them. */
function bandsOf(profile: Int32Array, reach: number): { top: number; bottom: number }[] {
  const bands: { top: number; bottom: number }[] = [];
  let joined = false;
  for (let y = 0; y < profile.length; y++) {
    let most = 3;
    const end = Math.min(profile.length - 1, y + reach);
    for (let near = Math.max(0, y - reach); near <= end; near++) most = Math.max(most, profile[near]!);
    if (profile[y]! < JOINED * most) joined = false;
    if (profile[y]! < FULL * most) continue;
    if (!joined) bands.push({ top: y, bottom: y });
    joined = true;
    bands.at(-1)!.bottom = y;
  }
  return bands;
}

function sum(profile: Int32Array, from: number, to: number): number {
  let total = 0;
  for (let y = from; y <= to; y++) total += profile[y]!;
  return total;
}
