/** What the page remembers from one visit to the next: choices, never anything of a document. */

const PREFIX = 'platen.';

/** Undefined where nothing was remembered, or the browser keeps nothing. */
export function recall(name: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still scans.
  }
}
