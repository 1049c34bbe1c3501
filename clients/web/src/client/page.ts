/** Turns a page as the service sends it into one with a Blob. */
import type { ScannedPage } from './shapes.js';

/** An image of the interface. */
export type Image = Omit<ScannedPage, 'blob'> & { readonly base64Data: string };

/** Characters to decode at once: whole groups of four. */
const STEP = 4 * 64 * 1024;

export function pageOf({ base64Data, ...facts }: Image): ScannedPage {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < base64Data.length; at += STEP) parts.push(bytesOf(base64Data.slice(at, at + STEP)));
  return pageWith(facts, parts);
}

export const pageWith = (facts: Omit<ScannedPage, 'blob'>, parts: readonly BlobPart[]): ScannedPage => ({
  ...facts,
  blob: new Blob([...parts], { type: facts.mimeType }),
});

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
