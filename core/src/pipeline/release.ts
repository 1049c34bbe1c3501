/** Gives the memory of a page back as soon as nobody needs it, instead of when V8 comes round to it. */
import { MessageChannel } from 'node:worker_threads';

/** Less is not worth the trouble. */
const LEAST_BYTES = 1024 * 1024;

/**
 * V8 collects its whole heap for each two or three pages, because it is told of their buffers and not how little else
 * there is: 60 pages of 26 MB took 84 ms of its time and 165 ms of the kernel's, which maps and clears each anew;
 * 11 and 44 ms where each was given back (Node 20, Linux).
 * @param data a page's own buffer, as the contract promises; empty afterwards. A part of a larger one is left alone,
 * and so is memory that somebody else has allocated
 */
export function release(data: Uint8Array): void {
  const { buffer, byteLength } = data;
  if (byteLength < LEAST_BYTES || byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return;
  const { port1, port2 } = new MessageChannel();
  // What is sent to a port that is closed is nobody's.
  port2.close();
  try {
    port1.postMessage(undefined, [buffer]);
  } catch {
    // It belongs to native code, which frees it.
  }
  port1.close();
}
