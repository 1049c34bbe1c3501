/** A stored page whose bytes are in a file of its folder; those of one that could not be written, in memory. */
import { createHash } from 'node:crypto';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ScanError } from '../contract/errors.js';
import type { Word } from '../contract/recogniser.js';
import type { FinishedPage } from '../pipeline/finish.js';
import { areWords } from '../pipeline/recognise.js';
import { fileSlices, slices } from '../pipeline/spool.js';
import type { StoredFacts, StoredPage } from './storedPage.js';

/** Bytes of a file that are hashed at a time, on the event loop: a fraction of a millisecond. */
const HASH_BYTES = 64 * 1024;

/** A page that is in a folder. */
export interface PageInFolder extends StoredFacts {
  readonly delivered: boolean;
  /** Whether its file may have changed since it was written: it was found on disk. */
  readonly suspect?: boolean;
  /** Why it cannot be delivered: its facts cannot be read and are placeholders, or its file has another size. */
  readonly fault?: string;
}

/** Does work on the files of a folder, one at a time, unless the folder is gone. Failures are logged. */
export type Quietly = (done: string, work: () => Promise<unknown>) => Promise<void>;

/** Names of a page's files. */
export interface PageNames {
  readonly file: string;
  /** Facts of a page that waits for its client. */
  readonly waits: string;
  /** Facts of a page that its client has. */
  readonly sent: string;
  readonly words: string;
}

export const pageNames = (dir: string, n: number): PageNames => ({
  file: join(dir, `${n}.page`),
  waits: join(dir, `${n}.json`),
  sent: join(dir, `${n}.sent.json`),
  words: join(dir, `${n}.words.json`),
});

export function onDisk(dir: string, found: PageInFolder, quietly: Quietly): StoredPage {
  const { page, report, size, sha256, hasWords, fault } = found;
  const { file, waits, sent, words } = pageNames(dir, page.pageNumber);
  let { delivered, suspect = false } = found;
  let comparing: Promise<void> | undefined;
  const damaged = (why: string, cause?: unknown): ScanError =>
    new ScanError(
      'storage-failed',
      `Page ${page.pageNumber} was damaged after it was stored: ${why}. Scan that sheet again.`,
      { cause },
    );
  const unreadable = (error: unknown): never => {
    throw damaged(messageOf(error), error);
  };
  const compare = async (): Promise<void> => {
    if ((await sha256OfFile(file).catch(unreadable)) !== sha256) throw damaged('its file has other bytes');
    suspect = false;
  };
  return {
    page,
    report,
    size,
    sha256,
    ...(hasWords ? { hasWords } : {}),
    isStored: true,
    get delivered() {
      return delivered;
    },
    async check() {
      if (fault !== undefined) throw damaged(fault);
      const has = await stat(file).catch(unreadable);
      if (has.size !== size) throw damaged(`its file has ${has.size} of ${size} bytes`);
      if (suspect) await (comparing ??= compare().finally(() => (comparing = undefined)));
    },
    // A small page needs only small buffers; one byte more detects its end.
    read: (sliceBytes, start = 0, end = size) => fileSlices(file, Math.min(sliceBytes, end - start + 1), start, end),
    async words() {
      if (!hasWords) return undefined;
      const its = wordsIn(await readFile(words, 'utf8').catch(unreadable));
      if (!its) throw damaged('its words cannot be read');
      return its;
    },
    deliver() {
      if (delivered) return;
      delivered = true;
      void quietly('updated', () => rename(waits, sent));
    },
    drop: () =>
      void quietly('removed', async () => {
        // Remove the facts that name the page first.
        for (const each of [waits, sent, words, file]) await rm(each, { force: true });
      }),
  };
}

/** @returns undefined if they were damaged */
export function wordsIn(json: string): readonly Word[] | undefined {
  try {
    const words: unknown = JSON.parse(json);
    return areWords(words) ? words : undefined;
  } catch {
    return undefined;
  }
}

export interface Stranded {
  readonly stored: StoredPage;
  /** Writes it. Rejects if it cannot be written now, either. */
  rescue(): Promise<void>;
}

/**
 * A page that could not be written: in memory until it is.
 * @param write returns the page as it is on disk
 */
export function strandedPage(
  facts: StoredFacts,
  page: FinishedPage,
  write: (page: FinishedPage) => Promise<StoredPage>,
): Stranded {
  let now = inMemory(facts, page);
  /** Freed when it is written: the page may be known for long after that. */
  let held: FinishedPage | undefined = page;
  const stored: StoredPage = {
    ...facts,
    get delivered() {
      return now.delivered;
    },
    get isStored() {
      return now.isStored;
    },
    check: () => now.check(),
    words: () => now.words(),
    read: (sliceBytes, start, end) => now.read(sliceBytes, start, end),
    deliver: () => now.deliver(),
    drop() {
      held = undefined;
      now.drop();
    },
  };
  return {
    stored,
    async rescue() {
      if (!held) return;
      const written = await write(held);
      if (now.delivered) written.deliver();
      now = written;
      held = undefined;
    },
  };
}

function inMemory(facts: StoredFacts, { data, words }: FinishedPage): StoredPage {
  let delivered = false;
  return {
    ...facts,
    isStored: false,
    get delivered() {
      return delivered;
    },
    check: async () => undefined,
    words: async () => words,
    read: (sliceBytes, start, end) => slices(data.subarray(start, end), sliceBytes),
    deliver: () => void (delivered = true),
    drop: () => undefined,
  };
}

/** In slices, so that a large page needs no memory of its size. @returns lower-case hex */
async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const slice of fileSlices(file, HASH_BYTES)) hash.update(slice);
  return hash.digest('hex');
}
