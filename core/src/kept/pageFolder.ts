/**
 * Pages in a folder on disk, which outlive the process.
 *
 *   <folder>/facts.json      the folder's facts; if missing, the folder is removed; if damaged, the folder stays
 *            4.page          the image file of a page
 *            4.json          its facts; written when 4.page is complete, so it never names a torn page
 *            4.sent.json     the same for a page that its client has
 *            4.words.json    the words of its text, if they were read; complete before 4.json
 *
 * Files are flushed before they get their names: what was kept or told survives a power failure.
 */
import { mkdir, open, readdir, rename, rm, rmdir, unlink, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { FinishedPage } from '../pipeline/finish.js';
import { writingFailed } from '../pipeline/spool.js';
import { createMutex } from '../work/semaphore.js';
import { onDisk, pageNames, strandedPage, type PageInFolder, type Quietly, type Stranded } from './pageFile.js';
import { sha256Of, type PageStore, type StoredFacts, type StoredPage } from './storedPage.js';

/** Only files with these names are ever removed. */
export const OURS = /^(?:facts\.json|\d+\.(?:page|json|sent\.json|words\.json))(?:\.draft)?$/;

export interface FolderSettings {
  /** Its own; created with its first file. */
  readonly dir: string;
  /** What it holds, for messages: `the scan on Feeder A`. */
  readonly what: string;
  readonly log: Log;
}

/** @param found pages that are there already; undefined for a folder that does not exist yet */
export function pageFolder<Facts extends object>(
  { dir, what, log }: FolderSettings,
  given: Facts,
  found?: readonly PageInFolder[],
): PageStore<Facts> {
  let facts = given;
  let isMade = found !== undefined;
  let removed = false;
  const alone = createMutex();
  const quietly: Quietly = (done, work) =>
    alone(async () => void (removed || (await work()))).catch((error: unknown) =>
      log.warn(`The pages of ${what} could not be ${done} (${dir}): ${messageOf(error)}`),
    );
  /** Whether the facts on disk are not the last ones. */
  let isStale = false;
  const writeFacts = async (): Promise<void> => {
    isStale = true;
    await writeWhole(join(dir, 'facts.json'), JSON.stringify(facts));
    isStale = false;
  };
  const make = async (): Promise<void> => {
    if (isMade) return;
    try {
      await mkdir(dir, { mode: 0o700, recursive: true });
      await writeFacts();
      await flushNames(dirname(dir));
    } catch (error) {
      await removeFolder(dir).catch(() => undefined);
      throw error;
    }
    isMade = true;
  };
  const write = async (page: FinishedPage, report: boolean): Promise<StoredPage> => {
    await make();
    return onDisk(dir, { ...(await writePage(dir, page, report)), delivered: false }, quietly);
  };
  /** Pages that could not be written, in order: they come to disk before others do. */
  const stranded: Stranded[] = [];
  const rescue = async (): Promise<void> => {
    for (let page = stranded[0]; page && !removed; page = stranded[0]) {
      await page.rescue();
      stranded.shift();
    }
    if (isStale && isMade && !removed) await writeFacts();
  };
  return {
    get facts() {
      return facts;
    },
    found: (found ?? []).map(each => onDisk(dir, each, quietly)),
    begin: changed =>
      alone(async () => {
        const before = facts;
        facts = { ...facts, ...changed };
        try {
          await rescue();
          await (isMade ? writeFacts() : make());
        } catch (error) {
          facts = before;
          throw writingFailed(dir, error);
        }
      }),
    isSaved: () => stranded.length === 0 && !isStale,
    save: () =>
      alone(rescue).catch((error: unknown) => {
        throw writingFailed(dir, error);
      }),
    async keep(page, report) {
      try {
        return { stored: await alone(() => rescue().then(() => write(page, report))) };
      } catch (error) {
        const stored = { ...factsOf(page, report), sha256: await sha256Of(page.data) };
        const inMemory = strandedPage(stored, page, held => write(held, report));
        // A number that is taken can never be written.
        if ((error as { code?: string }).code !== 'EEXIST') stranded.push(inMemory);
        return { stored: inMemory.stored, problem: writingFailed(dir, error) };
      }
    },
    tell(changed) {
      facts = { ...facts, ...changed };
      return quietly('updated', async () => void (isMade && (await writeFacts())));
    },
    async remove(discard) {
      let problem: ScanError | undefined;
      const removeFacts = async (): Promise<void> => {
        await rm(join(dir, 'facts.json'), { force: true }).catch((error: unknown) => {
          problem = removingFailed(dir, error);
          throw error;
        });
      };
      const all = (): Promise<void> =>
        quietly('removed', async () => {
          if (isMade) await removeFacts();
          removed = true;
          if (isMade) await removeFolder(dir);
        });
      await (discard ? quietly('removed', removeFacts) : all());
      if (!problem) void discard?.().then(all);
      return problem;
    },
    settled: () => alone(async () => undefined),
  };
}

/** Its files appear together, or none of them. */
async function writePage(dir: string, page: FinishedPage, report: boolean): Promise<StoredFacts> {
  const { data, words } = page;
  const names = pageNames(dir, page.pageNumber);
  const { file, waits, sent } = names;
  // It exists already: it is another page's, and must stay.
  const image = await open(file, 'wx', 0o600);
  const written = writeAll(image, data)
    .then(() => image.sync())
    .finally(() => image.close());
  const worded = words && writeFlushed(names.words, JSON.stringify(words));
  const described = sha256Of(data).then(async sha256 => {
    const stored: StoredFacts = { ...factsOf(page, report), sha256 };
    await writeFlushed(draftOf(waits), JSON.stringify(stored));
    return stored;
  });
  try {
    // At once: a disk takes as long to flush several files as one.
    const [stored] = await Promise.all([described, written, worded]);
    await rename(draftOf(waits), waits);
    await flushNames(dir);
    return stored;
  } catch (error) {
    await Promise.allSettled([described, written, worded]);
    for (const each of [waits, draftOf(waits), sent, names.words, file])
      await rm(each, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Without the digest. */
function factsOf({ data, words, ...page }: FinishedPage, report: boolean): Omit<StoredFacts, 'sha256'> {
  return { page, report, size: data.byteLength, ...(words ? { hasWords: true } : {}) };
}

function removingFailed(folder: string, error: unknown): ScanError {
  const text = `Could not remove scanned pages from ${folder}: ${messageOf(error)}. Make that disk writable.`;
  return new ScanError('storage-failed', text, { cause: error });
}

/** The file appears complete or not at all. */
async function writeWhole(file: string, text: string): Promise<void> {
  try {
    await writeFlushed(draftOf(file), text);
    await rename(draftOf(file), file);
  } catch (error) {
    await rm(draftOf(file), { force: true }).catch(() => undefined);
    throw error;
  }
}

const draftOf = (file: string): string => `${file}.draft`;

const writeFlushed = (file: string, text: string): Promise<void> => writeFile(file, text, { mode: 0o600, flush: true });

/** In one call where the system can: `writeFile` takes thirty for a PNG page. */
async function writeAll(file: FileHandle, data: Uint8Array): Promise<void> {
  for (let at = 0; at < data.byteLength;) at += (await file.write(data, at)).bytesWritten;
}

/** Windows writes names and files in order, and opens no folders. */
async function flushNames(dir: string): Promise<void> {
  const handle = await open(dir, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

/** First removes what makes it a folder of ours, so that a half-removed one does not come back. */
export async function removeFolder(dir: string): Promise<void> {
  await rm(join(dir, 'facts.json'), { force: true });
  for (const entry of await readdir(dir, { withFileTypes: true }))
    if (entry.isFile() && OURS.test(entry.name)) await unlink(join(dir, entry.name));
  await rmdir(dir);
}
