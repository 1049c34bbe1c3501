/** Announces to screen readers what happens on the page. */
import { byId } from './element.js';

/** A screen reader repeats the same sentence only if the region was empty in between. */
const APART_MS = 50;

export function announce(sentence: string): void {
  const region = byId('announcer', HTMLElement);
  region.textContent = '';
  setTimeout(() => (region.textContent = sentence), APART_MS);
}
