/** Black and white along a line. */

/** Inches over which black and white are compared: paper and print differ from one part of a page to the other. */
const BLOCK = 0.2;
/** Blocks on each side: a patch with the white around it. */
const REACH = 3;
/** Of 255: paper's grain and a scanner's noise differ by less. */
const CONTRAST = 40;
/** Inches; shorter runs are specks and holes in the ink. */
const SPECK = 0.02;

/**
 * @param line a byte a pixel, 0 is black
 * @returns the first pixels of black, white, black …; the line begins with white, maybe none of it
 */
export function runsOf(line: Uint8Array, dpi: number): readonly number[] {
  const edges: number[] = [];
  const thresholds = thresholdsOf(line, Math.max(1, Math.round(BLOCK * dpi)));
  const block = Math.max(1, Math.round(BLOCK * dpi));
  let black = false;
  for (let at = 0, next = 0; next < thresholds.length; next++) {
    const threshold = thresholds[next]!;
    for (const end = Math.min(line.length, at + block); at < end; at++) {
      if (line[at]! < threshold === black) continue;
      black = !black;
      edges.push(at);
    }
  }
  return withoutSpecks(edges, SPECK * dpi);
}

/** Of each block, the brightness below which a pixel is black. */
function thresholdsOf(line: Uint8Array, block: number): Float32Array {
  const blocks = Math.ceil(line.length / block);
  const darkest = new Uint8Array(blocks).fill(255);
  const brightest = new Uint8Array(blocks);
  for (let at = 0; at < line.length; at++) {
    const its = Math.floor(at / block);
    const value = line[at]!;
    if (value < darkest[its]!) darkest[its] = value;
    if (value > brightest[its]!) brightest[its] = value;
  }
  return Float32Array.from({ length: blocks }, (_, middle) => {
    let [low, high] = [255, 0];
    for (let each = Math.max(0, middle - REACH); each <= Math.min(blocks - 1, middle + REACH); each++) {
      low = Math.min(low, darkest[each]!);
      high = Math.max(high, brightest[each]!);
    }
    return high - low < CONTRAST ? 0 : (low + high) / 2;
  });
}

/** Two edges that are closer than `least` are none. */
function withoutSpecks(edges: readonly number[], least: number): readonly number[] {
  const kept: number[] = [];
  for (const edge of edges) {
    if (kept.length > 0 && edge - kept.at(-1)! < least) kept.pop();
    else kept.push(edge);
  }
  return kept;
}
