/**
 * Which way up a page of text is.
 *
 * Latin letters stand on a line, and more of them reach up from it (capitals, digits, b d f h k l t) than hang below it (g j p q y):
 * about three times as much ink. Each line of text has a vote. Letters that reach neither way (capitals alone, digits
 * alone) have none, and a script in which as many hang as reach makes no majority.
 */
import type { Mask } from './blobs.js';

export interface Votes {
  readonly up: number;
  readonly down: number;
  /** Ink that reaches above lines, of all that reaches above or below. */
  readonly share: number;
}

/** All in inches. */
const STRIP = 1.5;
const REACH = 0.1;
const LEAST_BODY = 0.024;
const MOST_BODY = 0.2;

/** Letters cannot be told below this many pixels. */
const LEAST_BODY_PIXELS = 4;
/** A row belongs to the body of a line when it has so much of the ink that the fullest row around it has. */
const FULL = 0.4;
/** Two such runs are of one line when no row between them has less than this: capitals have little ink between their bars. */
const JOINED = 0.2;
/** Ink above and below a line, of the ink of its body, that makes it worth counting; and how unequal the two must be. */
const WORTH = 0.05;
const UNEQUAL = 0.2;

/**
 * Lines run from left to right, either way up.
 * @param degrees by which they fall to the right
 */
export function votesOf(letters: Mask, degrees: number, dpi: number): Votes {
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
      // Columns slide against each other until the lines run level.
      let at = margin - Math.round((x - left) * slope);
      for (let i = x; i < data.length; i += width, at++) profile[at]! += data[i]!;
    }
    count(profile, dpi, votes);
  }
  const reaching = votes.above + votes.below;
  return { up: votes.up, down: votes.down, share: reaching === 0 ? 0.5 : votes.above / reaching };
}

function count(profile: Int32Array, dpi: number, votes: { up: number; down: number; above: number; below: number }): void {
  const bands = bandsOf(profile, Math.max(3, Math.round(REACH * dpi)));
  bands.forEach(({ top, bottom }, i) => {
    const body = bottom - top + 1;
    if (body < Math.max(LEAST_BODY_PIXELS, LEAST_BODY * dpi) || body > MOST_BODY * dpi) return;
    const zone = Math.max(2, Math.round(body / 2));
    const ceiling = Math.max(top - 1 - zone, (bands[i - 1]?.bottom ?? -1) + 1, 0);
    const floor = Math.min(bottom + 1 + zone, (bands[i + 1]?.top ?? profile.length) - 1, profile.length - 1);
    // The rows next to the body are of letters that are a little larger than the others, or blurred.
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

/** Rows that are full in comparison with those around them, as first and last of each run of them. */
function bandsOf(profile: Int32Array, reach: number): { top: number; bottom: number }[] {
  const bands: { top: number; bottom: number }[] = [];
  let joined = false;
  for (let y = 0; y < profile.length; y++) {
    let most = 3;
    for (let near = Math.max(0, y - reach), end = Math.min(profile.length - 1, y + reach); near <= end; near++) most = Math.max(most, profile[near]!);
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
