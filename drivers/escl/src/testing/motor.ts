/**
 * A feeder whose motor runs on: sheets come at its own pace, whether or not their images were taken, as long as the
 * device has memory for them.
 */

export interface Motor {
  /** Milliseconds that the feeder stood still before each sheet of the latest job because its memory was full. */
  readonly waits: readonly number[];
  /** Starts with the first sheet. */
  start(): void;
  /** Milliseconds until the scan of this sheet, counted from 0, is complete: both sides at once. */
  until(sheet: number): number;
  /** All images of this sheet were taken. */
  taken(sheet: number): void;
}

/**
 * @param sheetMs milliseconds from one sheet to the next
 * @param memory sheets for which it has memory, with the one that is being scanned
 */
export function motor(sheetMs: number, memory: number, now = () => performance.now()): Motor {
  let began = 0;
  const waits: number[] = [];
  const ends: number[] = [];
  const freed: number[] = [];
  return {
    waits,
    start() {
      began = now();
      for (const list of [waits, ends, freed]) list.length = 0;
    },
    until(sheet) {
      // Images are taken in order: whatever the start of a sheet depends on has happened when it is asked for.
      for (let each = ends.length; each <= sheet; each++) {
        const free = ends.at(-1) ?? began;
        const start = Math.max(free, freed[each - memory] ?? began);
        waits.push(start - free);
        ends.push(start + sheetMs);
      }
      return Math.max(0, (ends[sheet] ?? 0) - now());
    },
    taken(sheet) {
      freed[sheet] ??= now();
    },
  };
}
