/** Turns a page as the service sends it into one with a Blob. */
import { PlatenError } from '../errors.js';
import type { ScannedPage } from '../shapes.js';

/** An image of the interface. */
export type Image = Omit<ScannedPage, 'blob'> & { readonly base64Data: string };

/** Characters to decode at once: whole groups of four. */
const STEP = 4 * 64 * 1024;

/**
 * @param read files that were decoded while the answer arrived; then `base64Data` is the index of one
 * @throws `unexpected-answer` for a file without its bytes
 */
export function pageOf({ base64Data, ...facts }: Image, read: readonly Blob[] = []): ScannedPage {
  const parts = read.length > 0 ? [read[Number(base64Data)] ?? ''] : decoded(base64Data);
  const blob = new Blob(parts, { type: facts.mimeType });
  if (blob.size === 0 || blob.size !== (facts.fileSizeBytes ?? blob.size))
    throw new PlatenError('unexpected-answer', `Page ${facts.pageNumber} arrived damaged.`);
  return { ...facts, blob };
}

function decoded(base64: string): Uint8Array<ArrayBuffer>[] {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < base64.length; at += STEP) parts.push(bytesOf(base64.slice(at, at + STEP)));
  return parts;
}

/** @throws `unexpected-answer` if it is not base64 */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = binaryOf(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

function binaryOf(base64: string): string {
  try {
    return atob(base64);
  } catch (cause) {
    throw new PlatenError('unexpected-answer', 'A page arrived damaged: it is not base64.', { cause });
  }
}
