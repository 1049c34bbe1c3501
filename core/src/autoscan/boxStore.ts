/**
 * Auto-scan's boxes on disk: scanned pages outlive the process until a reader has taken them.
 *
 *   kept/<series>/box.json      owner and end; if missing, the folder is removed; if damaged, the folder stays
 *                 4.page        the image file of a page
 *                 4.json        its facts; written when 4.page is complete, so it never names a torn page
 *                 4.sent.json   the same for a delivered page
 */
import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { FinishedPage } from '../pipeline/finish.js';
import { fileSlices, slices, type KeptBytes } from '../pipeline/spool.js';
import { createMutex } from '../work/semaphore.js';
import type { OutboxEnd } from './outboxEnd.js';

/** A page in a box. */
export interface KeptPage {
  readonly page: Omit<FinishedPage, 'data'>;
  readonly bytes: KeptBytes;
  /** Whether the client requested a report on each option. */
  readonly report: boolean;
  /** Delivered: in the service's next run, only a reader that comes back gets it. */
  sent(): void;
  /** Frees the bytes. */
  drop(): void;
}

export interface BoxFacts {
  /** First part of its pages' ids. */
  readonly series: string;
  /** Who enabled it: origins of web pages, and the empty origin for programs. */
  readonly origins: readonly string[];
  readonly scanner: string;
  /** Absent: auto-scan is on, or the service ended unexpectedly. */
  readonly end?: OutboxEnd;
  /** Milliseconds since 1970. */
  readonly endedAt?: number;
}

export interface StoredPage {
  /** Counts from enable. */
  readonly n: number;
  readonly value: KeptPage;
  readonly delivered: boolean;
}

export interface StoredBox {
  readonly facts: BoxFacts;
  /** Pages found when the service started, in order. */
  readonly pages: readonly StoredPage[];
  /**
   * Always keeps the page. If writing to disk fails, the page stays in memory and `problem` gives the reason:
   * the caller should stop feeding the box.
   */
  keep(
    page: FinishedPage,
    report: boolean,
  ): Promise<{ readonly kept: KeptPage; readonly problem: ScanError | undefined }>;
  /** Writes changed facts of the box. Never rejects. */
  tell(facts: Partial<BoxFacts>): Promise<void>;
  /** The next run no longer finds the box. Its pages are removed at once, or after their last reader. Never rejects. */
  remove(unread?: Promise<void>): Promise<void>;
  /** Resolves when pending writes are done. */
  settled(): Promise<void>;
}

export interface BoxStore {
  /** Boxes of the service's previous run. */
  readonly found: readonly StoredBox[];
  create(facts: BoxFacts): StoredBox;
}

/** The store removes only files with the names that it writes. */
const SERIES = /^\d{15}$/;
const OURS = /^(?:box\.json|\d+\.(?:page|json|sent\.json))(?:\.draft)?$/;
const FACTS = /^(\d+)(\.sent)?\.json$/;

/** @param folder its own, inside a folder that only its owner can access; created with the first page */
export async function openBoxStore(folder: string, log: Log): Promise<BoxStore> {
  const found: StoredBox[] = [];
  for (const entry of await entriesOf(folder)) {
    // Links are not followed.
    if (!entry.isDirectory() || !SERIES.test(entry.name)) continue;
    const dir = join(folder, entry.name);
    const facts = await factsIn(dir);
    const pages = facts ? await pagesIn(dir, log) : [];
    if (!facts && (await isDamaged(dir)))
      log.warn(
        `Pages of auto-scan in ${dir} cannot be delivered: box.json is damaged, perhaps by a power failure. Copy the .page files, which are images, and remove the folder.`,
      );
    else if (facts && pages.length > 0) found.push(storedBox(dir, facts, log, pages));
    else
      await removeFiles(dir).catch((error: unknown) =>
        log.warn(`Could not remove the folder ${dir}: ${messageOf(error)}`),
      );
  }
  return { found, create: facts => storedBox(join(folder, facts.series), facts, log) };
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const facts = await lstat(folder).catch(() => undefined);
  return facts?.isDirectory() ? readdir(folder, { withFileTypes: true }) : [];
}

function storedBox(dir: string, given: BoxFacts, log: Log, found: readonly FoundPage[] = []): StoredBox {
  let facts = given;
  const alone = createMutex();
  let made = found.length > 0;
  let removed = false;
  /** The last page, in memory until a reader has it: most readers wait for it. */
  let latest: { readonly n: number; readonly data: Uint8Array } | undefined;
  const quietly = (what: string, work: () => Promise<unknown>): Promise<void> =>
    alone(async () => void (removed || (await work()))).catch((error: unknown) =>
      log.warn(`A box of auto-scan could not be ${what} (${dir}): ${messageOf(error)}`),
    );
  /** A separate function: a closure inside `keep` would hold the bytes of its page for as long as it lives. */
  const latestOrOnDisk = (n: number, kept: KeptPage): KeptPage => {
    const forget = (): void => void (latest = latest?.n === n ? undefined : latest);
    return {
      ...kept,
      bytes: {
        size: kept.bytes.size,
        read: sliceBytes => (latest?.n === n ? inMemory(latest.data) : kept.bytes).read(sliceBytes),
      },
      sent() {
        forget();
        kept.sent();
      },
      drop() {
        forget();
        kept.drop();
      },
    };
  };
  /** Created with the first page: most boxes stay empty. */
  const make = async (): Promise<void> => {
    if (made) return;
    await mkdir(dir, { mode: 0o700, recursive: true });
    await writeWhole(join(dir, 'box.json'), JSON.stringify(facts));
    made = true;
  };
  return {
    get facts() {
      return facts;
    },
    pages: found.map(({ n, delivered, facts: its }) => ({ n, delivered, value: keptOnDisk(dir, n, its, quietly) })),
    async keep({ data, ...page }, report) {
      const n = page.pageNumber;
      const file = join(dir, `${n}.page`);
      try {
        await alone(async () => {
          await make();
          await writeFile(file, data, { mode: 0o600, flag: 'wx' });
          await writeWhole(join(dir, `${n}.json`), JSON.stringify({ page, report, size: data.byteLength }));
        });
        latest = { n, data };
        return {
          kept: latestOrOnDisk(n, keptOnDisk(dir, n, { page, report, size: data.byteLength }, quietly)),
          problem: undefined,
        };
      } catch (error) {
        await rm(file, { force: true }).catch(() => undefined);
        const problem = new ScanError(
          'storage-failed',
          `Could not write scanned pages to ${dir}: ${messageOf(error)}. Free space on that disk.`,
          { cause: error },
        );
        return { kept: { page, report, bytes: inMemory(data), sent: () => undefined, drop: () => undefined }, problem };
      }
    },
    tell(changed) {
      facts = { ...facts, ...changed };
      return quietly(
        'written',
        async () => void (made && (await writeWhole(join(dir, 'box.json'), JSON.stringify(facts)))),
      );
    },
    async remove(unread) {
      const all = (): Promise<void> =>
        quietly('removed', async () => {
          removed = true;
          if (made) await removeFiles(dir);
        });
      if (!unread) return all();
      await quietly('removed', () => rm(join(dir, 'box.json'), { force: true }));
      void unread.then(all);
    },
    settled: () => alone(async () => undefined),
  };
}

interface PageFacts {
  readonly page: KeptPage['page'];
  readonly report: boolean;
  readonly size: number;
}

interface FoundPage {
  readonly n: number;
  readonly delivered: boolean;
  readonly facts: PageFacts;
}

function keptOnDisk(
  dir: string,
  n: number,
  { page, report, size }: PageFacts,
  quietly: (what: string, work: () => Promise<unknown>) => Promise<void>,
): KeptPage {
  const [file, waits, sent] = ['page', 'json', 'sent.json'].map(kind => join(dir, `${n}.${kind}`)) as [
    string,
    string,
    string,
  ];
  return {
    page,
    report,
    // A small page needs only small buffers; one byte more detects its end.
    bytes: { size, read: sliceBytes => fileSlices(file, Math.min(sliceBytes, size + 1)) },
    sent: () => void quietly('brought up to date', () => rename(waits, sent)),
    drop: () =>
      void quietly('emptied', async () => {
        // Remove the facts that name the page first.
        for (const each of [waits, sent, file]) await rm(each, { force: true });
      }),
  };
}

const inMemory = (data: Uint8Array): KeptBytes => ({
  size: data.byteLength,
  read: sliceBytes => slices(data, sliceBytes),
});

/** The file appears complete or not at all. */
async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.draft`, text, { mode: 0o600 });
  await rename(`${file}.draft`, file);
}

async function factsIn(dir: string): Promise<BoxFacts | undefined> {
  try {
    const facts = JSON.parse(await readFile(join(dir, 'box.json'), 'utf8')) as BoxFacts;
    return typeof facts.series === 'string' && Array.isArray(facts.origins) ? facts : undefined;
  } catch {
    return undefined;
  }
}

/** Its box.json exists, and so do undelivered pages. */
const isDamaged = async (dir: string): Promise<boolean> =>
  readdir(dir).then(
    names => names.includes('box.json') && names.some(name => /^\d+\.json$/.test(name)),
    () => false,
  );

/** Removes everything that is not a complete page. */
async function pagesIn(dir: string, log: Log): Promise<FoundPage[]> {
  const pages: FoundPage[] = [];
  const names = new Set(
    (await readdir(dir, { withFileTypes: true }))
      .filter(entry => entry.isFile() && OURS.test(entry.name))
      .map(entry => entry.name),
  );
  const good = new Set(['box.json']);
  for (const name of names) {
    const [, digits, sent] = FACTS.exec(name) ?? [];
    if (digits === undefined) continue;
    try {
      const facts = JSON.parse(await readFile(join(dir, name), 'utf8')) as PageFacts;
      const { size } = await stat(join(dir, `${digits}.page`));
      if (size !== facts.size) throw new Error(`it has ${size} of its ${facts.size} bytes`);
      pages.push({ n: Number(digits), delivered: sent !== undefined, facts });
      good.add(name).add(`${digits}.page`);
    } catch (error) {
      log.warn(`A page of auto-scan that was kept in ${dir} cannot be delivered (${name}): ${messageOf(error)}`);
    }
  }
  for (const name of names) if (!good.has(name)) await unlink(join(dir, name));
  return pages.sort((a, b) => a.n - b.n);
}

/** First removes what makes it a box, so that a half-removed box does not come back. */
async function removeFiles(dir: string): Promise<void> {
  await rm(join(dir, 'box.json'), { force: true });
  for (const entry of await readdir(dir, { withFileTypes: true }))
    if (entry.isFile() && OURS.test(entry.name)) await unlink(join(dir, entry.name));
  await rmdir(dir);
}
