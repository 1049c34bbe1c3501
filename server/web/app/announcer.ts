/** Says aloud, through a screen reader, what is seen to happen. */
import { byId } from './element.js';

/** The same sentence twice is a change only where something lies between. */
const APART_MS = 50;

export function announce(sentence: string): void {
  const region = byId('announcer', HTMLElement);
  region.textContent = '';
  setTimeout(() => (region.textContent = sentence), APART_MS);
}
