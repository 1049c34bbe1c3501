/** What a component remembers between visits: choices, numbers of pages, and names of saved files; never documents. */

/** `tab`: until the tab is closed. */
export type Where = 'browser' | 'tab';

export interface Memory {
  /** Undefined if nothing was remembered, or the browser does not store anything. */
  recall(name: string, where?: Where): unknown;
  remember(name: string, value: unknown, where?: Where): void;
}

/** The memory of one element, which no other element shares. */
export interface ElementMemory extends Memory {
  /** The element is gone: another one may have the names. */
  release(): void;
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

/** Prefixes of the elements in this document. */
const taken = new Set<string>();
/** What an element had before it was moved. */
const earlier = new WeakMap<HTMLElement, string>();

/** Another form's pages must not appear in this one: not those of another address, and not those of another element. */
export function createElementMemory(element: HTMLElement): ElementMemory {
  const before = earlier.get(element);
  const prefix = before !== undefined && !taken.has(before) ? before : freePrefix(element);
  taken.add(prefix);
  earlier.set(element, prefix);
  return { ...createMemory(prefix), release: () => void taken.delete(prefix) };
}

function freePrefix(element: HTMLElement): string {
  const own = `${location.pathname}${location.search} ${element.id || (element.getAttribute('name') ?? '')}`;
  for (let count = 1; ; count++) {
    const prefix = `platen.${own} ${count}.`;
    if (!taken.has(prefix)) return prefix;
  }
}
