/** Faint marks around strong ones: echoes that JPEG and the lens leave. They would join holes and dust into shapes. */
import type { Marks } from './mask.js';

/** Cells along the side of a block, as a power of two, and how many blocks an echo reaches. */
const BLOCK = 2;
const REACH = 2;
/** An echo has less than this share of the depth of the mark beside it. */
const SHARE = 0.25;

export function dropEchoes({ width, height, mask, depth, from, to }: Marks): void {
  const wide = (width >> BLOCK) + 1;
  const high = (height >> BLOCK) + 1;
  const strongest = new Uint8Array(wide * high);
  for (let y = 0; y < height; y++) {
    for (let x = from[y]!, at = y * width + x, end = to[y]!; x < end; x++, at++) {
      if (mask[at] === 0) continue;
      const block = (y >> BLOCK) * wide + (x >> BLOCK);
      if (depth[at]! > strongest[block]!) strongest[block] = depth[at]!;
    }
  }
  const around = new Uint8Array(wide * high);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const value = strongest[y * wide + x]!;
      if (value === 0) continue;
      for (let v = Math.max(0, y - REACH); v <= Math.min(high - 1, y + REACH); v++)
        for (let u = Math.max(0, x - REACH); u <= Math.min(wide - 1, x + REACH); u++)
          if (around[v * wide + u]! < value) around[v * wide + u] = value;
    }
  }
  for (let y = 0; y < height; y++) {
    for (let x = from[y]!, at = y * width + x, end = to[y]!; x < end; x++, at++) {
      if (mask[at] === 0) continue;
      if (depth[at]! < SHARE * around[(y >> BLOCK) * wide + (x >> BLOCK)]!) mask[at] = 0;
    }
  }
}
