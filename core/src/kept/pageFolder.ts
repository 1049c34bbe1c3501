/**
 * Pages in a folder on disk, which outlive the process.
 *
 *   <folder>/facts.json      the folder's facts; if missing, the folder is removed; if damaged, the folder stays
 *            4.page          the image file of a page
 *            4.json          its facts; written when 4.page is complete, so it never names a torn page
 *            4.sent.json     the same for a page that its client has
 *
 * Files are flushed before they get their names: what was kept or told survives a power failure.
 */
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import { fileSlices, slices } from '../pipeline/spool.js';
import { createMutex } from '../work/semaphore.js';
import { sha256Of, writingFailed, type PageStore, type StoredFacts, type StoredPage } from './storedPage.js';

/** Only files with these names are ever removed. */
const OURS = /^(?:facts\.json|\d+\.(?:page|json|sent\.json))(?:\.draft)?$/;
const PAGE_FACTS = /^(\d+)(\.sent)?\.json$/;

export interface FolderSettings {
  /** Its own; created with its first file. */
  readonly dir: string;
  /** What it holds, for messages: `the scan on Feeder A`. */
  readonly what: string;
  readonly log: Log;
}

/** @param found pages that are there already */
export function pageFolder<Facts extends object>(
  { dir, what, log }: FolderSettings,
  given: Facts,
  found: readonly FoundPage[] = [],
  made = false,
): PageStore<Facts> {
  let facts = given;
  let isMade = made;
  let removed = false;
  const alone = createMutex();
  const quietly: Quietly = (done, work) =>
    alone(async () => void (removed || (await work()))).catch((error: unknown) =>
      log.warn(`The pages of ${what} could not be ${done} (${dir}): ${messageOf(error)}`),
    );
  const writeFacts = (): Promise<void> => writeWhole(join(dir, 'facts.json'), JSON.stringify(facts));
  const make = async (): Promise<void> => {
    if (isMade) return;
    await mkdir(dir, { mode: 0o700, recursive: true });
    await writeFacts();
    isMade = true;
  };
  return {
    get facts() {
      return facts;
    },
    found: found.map(each => onDisk(dir, each, quietly)),
    begin: () =>
      alone(make).catch((error: unknown) => {
        throw writingFailed(dir, error);
      }),
    async keep({ data, ...page }, report) {
      const n = page.pageNumber;
      const file = join(dir, `${n}.page`);
      try {
        const stored = await alone(async () => {
          await make();
          const writing = writeFile(file, data, { mode: 0o600, flag: 'wx', flush: true });
          const [sha256] = await Promise.all([sha256Of(data), writing]);
          const its: StoredFacts = { page, report, size: data.byteLength, sha256 };
          await writeWhole(join(dir, `${n}.json`), JSON.stringify(its));
          await flushNames(dir);
          return its;
        });
        return { stored: onDisk(dir, { ...stored, delivered: false }, quietly) };
      } catch (error) {
        await rm(file, { force: true }).catch(() => undefined);
        const its: StoredFacts = { page, report, size: data.byteLength, sha256: await sha256Of(data) };
        return { stored: inMemory(its, data), problem: writingFailed(dir, error) };
      }
    },
    tell(changed) {
      facts = { ...facts, ...changed };
      return quietly('updated', async () => void (isMade && (await writeFacts())));
    },
    async remove(unread) {
      const all = (): Promise<void> =>
        quietly('removed', async () => {
          removed = true;
          if (isMade) await removeFolder(dir);
        });
      if (!unread) return all();
      await quietly('removed', () => rm(join(dir, 'facts.json'), { force: true }));
      void unread.then(all);
    },
    settled: () => alone(async () => undefined),
  };
}

type Quietly = (done: string, work: () => Promise<unknown>) => Promise<void>;

interface FoundPage extends StoredFacts {
  readonly delivered: boolean;
  /** Whether its file may have changed since it was written: it was found on disk. */
  readonly suspect?: boolean;
}

function onDisk(dir: string, found: FoundPage, quietly: Quietly): StoredPage {
  const { page, report, size, sha256 } = found;
  const [file, waits, sent] = ['page', 'json', 'sent.json'].map(kind => join(dir, `${page.pageNumber}.${kind}`)) as [
    string,
    string,
    string,
  ];
  let { delivered, suspect = false } = found;
  const damaged = (why: string, cause?: unknown): ScanError =>
    new ScanError(
      'storage-failed',
      `Page ${page.pageNumber} was damaged after it was stored: ${why}. Scan that sheet again.`,
      { cause },
    );
  return {
    page,
    report,
    size,
    sha256,
    get delivered() {
      return delivered;
    },
    async check() {
      const has = await stat(file).catch((error: unknown) => {
        throw damaged(messageOf(error), error);
      });
      if (has.size !== size) throw damaged(`its file has ${has.size} of ${size} bytes`);
      if (!suspect) return;
      if ((await sha256Of(await readFile(file))) !== sha256) throw damaged('its file has other bytes');
      suspect = false;
    },
    // A small page needs only small buffers; one byte more detects its end.
    read: (sliceBytes, start = 0, end = size) => fileSlices(file, Math.min(sliceBytes, end - start + 1), start, end),
    deliver() {
      if (delivered) return;
      delivered = true;
      void quietly('updated', () => rename(waits, sent));
    },
    drop: () =>
      void quietly('removed', async () => {
        // Remove the facts that name the page first.
        for (const each of [waits, sent, file]) await rm(each, { force: true });
      }),
  };
}

/** A page that could not be written. */
export function inMemory(facts: StoredFacts, data: Uint8Array): StoredPage {
  let delivered = false;
  return {
    ...facts,
    get delivered() {
      return delivered;
    },
    check: async () => undefined,
    read: (sliceBytes, start, end) => slices(data.subarray(start, end), sliceBytes),
    deliver: () => void (delivered = true),
    drop: () => undefined,
  };
}

/** The file appears complete or not at all. */
async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.draft`, text, { mode: 0o600, flush: true });
  await rename(`${file}.draft`, file);
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

export interface FoundFolder<Facts> {
  readonly facts: Facts;
  readonly pages: readonly FoundPage[];
}

/**
 * Reads a folder of an earlier run. Removes files of pages that were never complete, and a folder without facts.
 * @returns undefined if there is nothing in it that can be delivered
 */
export async function readPageFolder<Facts>(
  { dir, what, log }: FolderSettings,
  isFacts: (facts: unknown) => facts is Facts,
): Promise<FoundFolder<Facts> | undefined> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = new Set(entries.filter(each => each.isFile() && OURS.test(each.name)).map(({ name }) => name));
  if (!names.has('facts.json')) {
    await removeFolder(dir).catch((error: unknown) =>
      log.warn(`Could not remove the folder ${dir}: ${messageOf(error)}`),
    );
    return undefined;
  }
  const facts: unknown = await readFile(join(dir, 'facts.json'), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  if (!isFacts(facts)) {
    log.warn(
      `The pages of ${what} in ${dir} cannot be delivered: facts.json is damaged, perhaps by a power failure. Copy the .page files, which are images, and remove the folder.`,
    );
    return undefined;
  }
  const pages: FoundPage[] = [];
  for (const name of names) {
    const [, digits, sent] = PAGE_FACTS.exec(name) ?? [];
    if (digits === undefined) continue;
    const its: unknown = await readFile(join(dir, name), 'utf8')
      .then(JSON.parse)
      .catch(() => undefined);
    if (isStored(its) && its.page.pageNumber === Number(digits))
      pages.push({ ...its, delivered: sent !== undefined, suspect: true });
    else
      log.warn(
        `Page ${digits} of ${what} cannot be delivered: ${name} in ${dir} is damaged. Its image is ${digits}.page.`,
      );
  }
  for (const name of names) {
    const [, digits] = /^(\d+)\.page$/.exec(name) ?? [];
    const torn = digits !== undefined && !names.has(`${digits}.json`) && !names.has(`${digits}.sent.json`);
    if (torn || name.endsWith('.draft')) await unlink(join(dir, name));
  }
  return { facts, pages: pages.sort((a, b) => a.page.pageNumber - b.page.pageNumber) };
}

function isStored(value: unknown): value is StoredFacts {
  const { page, size, sha256 } = (value ?? {}) as Partial<StoredFacts>;
  return (
    typeof page === 'object' &&
    typeof page.pageNumber === 'number' &&
    typeof size === 'number' &&
    typeof sha256 === 'string'
  );
}

/** First removes what makes it a folder of ours, so that a half-removed one does not come back. */
async function removeFolder(dir: string): Promise<void> {
  await rm(join(dir, 'facts.json'), { force: true });
  for (const entry of await readdir(dir, { withFileTypes: true }))
    if (entry.isFile() && OURS.test(entry.name)) await unlink(join(dir, entry.name));
  await rmdir(dir);
}
