/** What the page remembers between visits: choices, never documents. */

const PREFIX = 'platen.';

/** Undefined if nothing was remembered, or the browser does not store anything. */
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
    // Scanning works without storage.
  }
}
