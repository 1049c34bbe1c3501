/**
 * The order of test files. Whole-house tests (`test/`) start services and browsers and mostly wait; tests beside the
 * sources mostly compute. They run side by side, half of the places for each, so that neither the processors idle nor
 * many services start at once. An odd place is for one that waits.
 */

export interface Queue {
  /** The next files, which share a process; undefined if none are left, or every place is taken. */
  take(): Taken | undefined;
  /** Nothing is taken any more. */
  clear(): void;
}

export interface Taken {
  readonly files: readonly string[];
  /** Call it when they have ended. */
  ended(): void;
}

const isWhole = (file: string) => file.startsWith('test/dist/');

/**
 * So many that tap and the modules of a package are loaded once for all of them, and so few that the last process does
 * not run alone for long.
 */
const atMost = 20;

/**
 * @param places how many processes run at once
 * @param kindOf files of different kinds do not share a process
 */
export function queueOf(files: readonly string[], places: number, kindOf: (file: string) => string = () => ''): Queue {
  const kinds = [
    { waiting: grouped(files.filter(isWhole), kindOf), running: 0 },
    {
      waiting: shared(
        files.filter(file => !isWhole(file)),
        places,
        kindOf,
      ),
      running: 0,
    },
  ];
  return {
    take() {
      const [kind] = kinds.toSorted((a, b) => a.running - b.running).filter(each => each.waiting.length > 0);
      if (!kind || kinds.reduce((sum, { running }) => sum + running, 0) >= places) return undefined;
      kind.running++;
      return { files: kind.waiting.shift()!, ended: () => void kind.running-- };
    },
    clear() {
      for (const kind of kinds) kind.waiting.length = 0;
    },
  };
}

/**
 * Whole-house tests that share a browser, and no other: they are the longest. A long test, or a run of the interface's
 * sections, has a process of its own.
 */
const groups: readonly (readonly [name: string, files: RegExp])[] = [
  ['app', /^test\/dist\/browser\/app\w*\.test\.js$/],
  ['pages', /^test\/dist\/browser\/\w+\.test\.js$/],
];

/** Fewer than beside the sources: these run longer. */
const atMostWhole = 6;

/** The longest come first, so that none of them is the last to run. */
function grouped(files: readonly string[], kindOf: (file: string) => string): string[][] {
  const nameOf = (file: string) => groups.find(([, pattern]) => pattern.test(file))?.[0] ?? '';
  const hasOwn = (file: string) => !/\/\w+\.test\.js$/.test(file);
  const others = files.filter(file => nameOf(file) === '');
  const sharing = others.filter(file => !hasOwn(file));
  return [
    ...groups.flatMap(([name]) => {
      const members = files.filter(file => nameOf(file) === name);
      return byKind(members, kindOf);
    }),
    ...others.filter(hasOwn).map(file => [file]),
    ...byKind(sharing, kindOf).flatMap(same => cut(same, atMostWhole)),
  ];
}

/** Those of a workspace load the same modules, so they share processes. */
function shared(files: readonly string[], places: number, kindOf: (file: string) => string): string[][] {
  const size = Math.min(atMost, Math.ceil(files.length / places));
  return byKind(files, file => `${file.slice(0, file.indexOf('/dist/'))} ${kindOf(file)}`).flatMap(same =>
    cut(same, size),
  );
}

function byKind(files: readonly string[], kindOf: (file: string) => string): string[][] {
  const kinds = new Map<string, string[]>();
  for (const file of files) kinds.set(kindOf(file), [...(kinds.get(kindOf(file)) ?? []), file]);
  return [...kinds.values()];
}

/** Into pieces of at most this size, as equal as can be: the last process does not run alone for long. */
function cut(files: readonly string[], size: number): string[][] {
  const count = Math.ceil(files.length / size);
  return Array.from({ length: count }, (_, at) =>
    files.slice(Math.floor((at * files.length) / count), Math.floor(((at + 1) * files.length) / count)),
  );
}
