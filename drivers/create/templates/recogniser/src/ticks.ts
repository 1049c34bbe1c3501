/** Which boxes of a form have a tick. Runs in a thread. */
import type { Rows } from './threads.js';

/** A box of the form, in millimetres from the page's left and top edge. Its own printed frame is outside of it. */
export interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Of a request, by the schema of recogniser.ts. A type, as an interface does not fit where any object does. */
export type Wishes = {
  readonly boxes: readonly Box[];
  /** From which share of dark pixels on a box has a tick, 0 to 1. */
  readonly least: number;
};

/** What is in `findings.ticks` of the page. */
export interface Ticked {
  readonly name: string;
  /** The share of dark pixels. */
  readonly ink: number;
}

const MM_PER_INCH = 25.4;
/** Of 255: what is darker is ink. */
const DARK = 128;

// Yours: what you read on a page. `null` or undefined: there is nothing. What you return must fit into JSON.
export function readTicks(rows: Rows, { boxes, least }: Wishes): readonly Ticked[] | null {
  const isDark = darkness(rows);
  const ticked = boxes
    .map(box => ({ name: box.name, ink: inkOf(rows, box, isDark) }))
    .filter(({ ink }) => ink > 0 && ink >= least);
  return ticked.length > 0 ? ticked : null;
}

/** Rounded to a thousandth. Of a box outside of the page: 0. */
function inkOf({ dpi, width, height }: Rows, box: Box, isDark: (x: number, y: number) => boolean): number {
  const pixel = (mm: number, most: number) => Math.min(most, Math.round((mm / MM_PER_INCH) * dpi));
  const [left, right] = [pixel(box.x, width), pixel(box.x + box.width, width)];
  const [top, bottom] = [pixel(box.y, height), pixel(box.y + box.height, height)];
  let dark = 0;
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) if (isDark(x, y)) dark++;
  return Math.round((dark / Math.max(1, (right - left) * (bottom - top))) * 1000) / 1000;
}

/** In a 1-bit row, 1 is black. */
function darkness({ pixels, width, data }: Rows): (x: number, y: number) => boolean {
  if (pixels === 'gray8') return (x, y) => data[y * width + x]! < DARK;
  if (pixels === 'bw1') {
    const row = Math.ceil(width / 8);
    return (x, y) => (data[y * row + (x >> 3)]! & (0x80 >> (x & 7))) !== 0;
  }
  return (x, y) => {
    const at = (y * width + x) * 3;
    return (data[at]! * 299 + data[at + 1]! * 587 + data[at + 2]! * 114) / 1000 < DARK;
  };
}
