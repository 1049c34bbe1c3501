/**
 * Notices changes of a package's files: it looks at all of them, again and again. The system's own watchers miss changes
 * in folders that a build removes and makes again, on network drives and in containers; a package is small.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const PERIOD_MS = 250;

export interface Watch {
  /** Looks from time to time from now on. */
  start(): void;
  /** The files that are not as they were known, which are known from now on. */
  take(): Promise<readonly string[]>;
  /** Files as they are now are known. @param which by their paths, with slashes, relative to the folder */
  accept(which: (path: string) => boolean): Promise<void>;
  /** Resolves when it looks no more. */
  close(): Promise<void>;
}

export interface WatchOptions {
  /** By its path, with slashes, relative to the folder. Folders that are not watched are not entered. */
  watches(path: string, isFolder: boolean): boolean;
  /** Called when there is something to take that has stayed the same for one look. No look is taken while it runs. */
  onChange(): Promise<void>;
  readonly periodMs?: number;
}

interface Seen {
  /** Time of the last change and size. */
  readonly stamp: string;
  readonly hash: string;
}
type Snapshot = ReadonlyMap<string, Seen>;

export async function watchFolder(folder: string, options: WatchOptions): Promise<Watch> {
  const { watches, onChange, periodMs = PERIOD_MS } = options;
  let known = await look(folder, watches, new Map());
  let last = known;
  let closed = false;
  let wake = (): void => undefined;

  const accept: Watch['accept'] = async which => {
    const now = await look(folder, watches, last);
    const paths = new Set([...known.keys(), ...now.keys()]);
    known = new Map(
      [...paths].flatMap(path => {
        const seen = (which(path) ? now : known).get(path);
        return seen ? [[path, seen] as const] : [];
      }),
    );
    last = now;
  };

  const run = async (): Promise<void> => {
    while (!closed) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, periodMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (closed) return;
      const now = await look(folder, watches, last);
      const isQuiet = differences(last, now).length === 0;
      last = now;
      if (!isQuiet) continue;
      if (differences(known, now).length > 0) await onChange();
    }
  };
  let running: Promise<void> | undefined;
  return {
    start() {
      running ??= run();
    },
    async take() {
      const now = await look(folder, watches, last);
      const changed = differences(known, now);
      last = now;
      known = now;
      return changed;
    },
    accept,
    async close() {
      closed = true;
      wake();
      await running;
    },
  };
}

/** @param before a file with the same time and size is not read again */
async function look(folder: string, watches: WatchOptions['watches'], before: Snapshot): Promise<Snapshot> {
  const found = new Map<string, Seen>();
  const enter = async (below: string): Promise<void> => {
    const entries = await readdir(below, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const file = join(below, entry.name);
      const path = relative(folder, file).split(sep).join('/');
      if (!watches(path, entry.isDirectory())) continue;
      if (entry.isDirectory()) await enter(file);
      else if (entry.isFile()) {
        const seen = await seenAt(file, before.get(path));
        if (seen) found.set(path, seen);
      }
    }
  };
  await enter(folder);
  return found;
}

/** Undefined: it has gone meanwhile. */
async function seenAt(file: string, before: Seen | undefined): Promise<Seen | undefined> {
  try {
    const { mtimeMs, size } = await stat(file);
    const stamp = `${mtimeMs} ${size}`;
    if (before?.stamp === stamp) return before;
    return {
      stamp,
      hash: createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    };
  } catch {
    return undefined;
  }
}

function differences(one: Snapshot, other: Snapshot): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter(path => one.get(path)?.hash !== other.get(path)?.hash).sort();
}
