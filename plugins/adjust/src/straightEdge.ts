/** Whether places along an edge lie on a straight line. */

/** Degrees that a sheet may lie askew; a little more than what is straightened. */
const MOST_DEGREES = 12;
const STEP = 0.25;
/** In pixels, either way. */
const OFF = 1.5;
/** Of a sheet that lies askew, one side as it is seen from outside is two edges; the longer one makes up so much. */
const SHARE = 0.7;

export function isStraight(edge: readonly { readonly line: number; readonly place: number }[]): boolean {
  for (let degrees = -MOST_DEGREES; degrees <= MOST_DEGREES; degrees += STEP) {
    const slope = Math.tan((degrees * Math.PI) / 180);
    const places = edge.map(({ line, place }) => place - line * slope).sort((a, b) => a - b);
    const wanted = Math.ceil(SHARE * places.length);
    for (let i = 0; i + wanted <= places.length; i++) if (places[i + wanted - 1]! - places[i]! <= 2 * OFF) return wanted > 0;
  }
  return false;
}
