/**
 * The order of test files. Whole-house tests (`test/`) start services and browsers and mostly wait; tests beside the
 * sources mostly compute. They run side by side, half of the places for each, so that neither the processors idle nor
 * many services start at once. An odd place is for one that waits.
 */

export interface Queue {
  /** The next file; undefined if none is left, or every place is taken. */
  take(): Taken | undefined;
  /** Nothing is taken any more. */
  clear(): void;
}

export interface Taken {
  readonly file: string;
  /** Call it when the file has ended. */
  ended(): void;
}

/** @param places how many files run at once */
export function queueOf(files: readonly string[], places: number): Queue {
  const kinds = [true, false].map(whole => ({
    waiting: files.filter(file => file.startsWith('test/dist/') === whole),
    running: 0,
  }));
  return {
    take() {
      const [kind] = kinds.toSorted((a, b) => a.running - b.running).filter(each => each.waiting.length > 0);
      if (!kind || kinds.reduce((sum, { running }) => sum + running, 0) >= places) return undefined;
      kind.running++;
      return { file: kind.waiting.shift()!, ended: () => void kind.running-- };
    },
    clear() {
      for (const kind of kinds) kind.waiting.length = 0;
    },
  };
}
