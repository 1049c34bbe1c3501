/** What a component remembers between visits: choices, numbers of pages, and names of saved files; never documents. */

/** `tab`: until the tab is closed. */
export type Where = 'browser' | 'tab';

export interface Memory {
  /** Undefined if nothing was remembered, or the browser does not store anything. */
  recall(name: string, where?: Where): unknown;
  remember(name: string, value: unknown, where?: Where): void;
}

const storageOf = (where: Where): Storage => (where === 'tab' ? sessionStorage : localStorage);

/** @param prefix of its names in the browser's storage */
export function createMemory(prefix: string): Memory {
  return {
    recall(name, where = 'browser') {
      try {
        const text = storageOf(where).getItem(prefix + name);
        return text === null ? undefined : JSON.parse(text);
      } catch {
        return undefined;
      }
    },
    remember(name, value, where = 'browser') {
      try {
        if (value === undefined) storageOf(where).removeItem(prefix + name);
        else storageOf(where).setItem(prefix + name, JSON.stringify(value));
      } catch {
        // Scanning works without storage.
      }
    },
  };
}
