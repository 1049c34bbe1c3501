/** What the page remembers between visits: choices and the numbers of pages, never documents. */

const PREFIX = 'platen.';

/** `tab`: until the tab is closed. */
type Where = 'browser' | 'tab';
const storageOf = (where: Where): Storage => (where === 'tab' ? sessionStorage : localStorage);

/** Undefined if nothing was remembered, or the browser does not store anything. */
export function recall(name: string, where: Where = 'browser'): unknown {
  try {
    const text = storageOf(where).getItem(PREFIX + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: unknown, where: Where = 'browser'): void {
  try {
    storageOf(where).setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Scanning works without storage.
  }
}
