/** Gives a page's memory to the next page as soon as it is unused. */
import { pageMemory } from '../work/pageMemory.js';

/** Smaller buffers are not worth the effort. */
const LEAST_BYTES = 1024 * 1024;

/**
 * Without it, the kernel clears 26 MB for each page, and V8 collects its whole heap for every two or three pages, because
 * it counts their buffers and not how little else there is.
 * @param data a page's own buffer, as the contract promises; empty afterwards. Parts of larger buffers and memory
 *   allocated by native code are left alone
 */
export function release(data: Uint8Array): void {
  const { buffer, byteLength } = data;
  if (byteLength < LEAST_BYTES || byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return;
  pageMemory.give(buffer);
}
