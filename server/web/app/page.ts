/** The page's elements, and the scanning component with the words of its language. */
import type { PlatenScan } from '@platen/client/component';

/** An element of the page, by its id. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${type.name} "${id}".`);
}

export const scan = document.querySelector('platen-scan') as PlatenScan;
