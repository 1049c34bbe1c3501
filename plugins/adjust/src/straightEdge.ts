/** Straight-edge test: whether the edge points of a sheet lie on a line. */

/** Degrees of skew, either way; a little more than what is deskewed. */
const MOST_DEGREES = 12;
const STEP = 0.25;
/** The largest distance of a point from the line, in pixels. */
const DEVIATION = 1.5;
/** From outside, one side of a skewed sheet shows two edges; the longer one has at least this share of the points. */
const SHARE = 0.7;

/** @param edge in pixels: the line (row or column), and the place of the edge on it */
export function isStraightEdge(edge: readonly { readonly line: number; readonly place: number }[]): boolean {
  for (let degrees = -MOST_DEGREES; degrees <= MOST_DEGREES; degrees += STEP) {
    const slope = Math.tan((degrees * Math.PI) / 180);
    const places = edge.map(({ line, place }) => place - line * slope).sort((a, b) => a - b);
    const wanted = Math.ceil(SHARE * places.length);
    for (let i = 0; i + wanted <= places.length; i++)
      if (places[i + wanted - 1]! - places[i]! <= 2 * DEVIATION) return wanted > 0;
  }
  return false;
}
