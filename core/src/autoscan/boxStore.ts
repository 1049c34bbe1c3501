/**
 * Auto-scan's boxes on disk: a page that went through the scanner outlives the process until a reader has it.
 *
 *   kept/<series>/box.json      whose box it is, and how it ended; without it, the folder is left over and goes; damaged, it stays
 *                 4.page        a page's file
 *                 4.json        what is known of it; written when 4.page is whole, so it names no torn page
 *                 4.sent.json   the same of a page that was delivered
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
  /** Whether the client wants to know what became of each option. */
  readonly report: boolean;
  /** It was delivered: the next run of the service gives it to nobody but a reader that comes back. */
  sent(): void;
  /** Lets go of the bytes. */
  drop(): void;
}

export interface BoxFacts {
  /** The first part of its pages' ids. */
  readonly series: string;
  /** Who enabled it: origins of web pages, and the empty one of programs. */
  readonly origins: readonly string[];
  readonly scanner: string;
  /** Absent: auto-scan is on, or the service was ended meanwhile. */
  readonly end?: OutboxEnd;
  /** In milliseconds since 1970. */
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
  /** What lay in it when the service started, in order. */
  readonly pages: readonly StoredPage[];
  /**
   * Keeps a page, come what may. When the disk does not take it, it stays in memory and `problem` says why:
   * whoever feeds the box should stop.
   */
  keep(
    page: FinishedPage,
    report: boolean,
  ): Promise<{ readonly kept: KeptPage; readonly problem: ScanError | undefined }>;
  /** Writes down what has changed about the box. Never rejects. */
  tell(facts: Partial<BoxFacts>): Promise<void>;
  /** It is no box any more: the next run does not find it. What is in it goes at once, or when nobody reads it any more. Never rejects. */
  remove(unread?: Promise<void>): Promise<void>;
  /** When what was begun is done. */
  settled(): Promise<void>;
}

export interface BoxStore {
  /** Boxes of the service's last run. */
  readonly found: readonly StoredBox[];
  create(facts: BoxFacts): StoredBox;
}

/** What the store writes, and so what it removes; nothing else is touched. */
const SERIES = /^\d{15}$/;
const OURS = /^(?:box\.json|\d+\.(?:page|json|sent\.json))(?:\.draft)?$/;
const FACTS = /^(\d+)(\.sent)?\.json$/;

/** @param folder its own, in a folder that is private to its owner; made when there is a page */
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
        `Pages of auto-scan in ${dir} cannot be given to anybody, because box.json there is damaged, as by a loss of power: take the files that end in .page, which are images, and remove the folder.`,
      );
    else if (facts && pages.length > 0) found.push(storedBox(dir, facts, log, pages));
    else
      await removeFiles(dir).catch((error: unknown) =>
        log.warn(`The folder ${dir} could not be removed: ${messageOf(error)}`),
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
  /** The page that came last, until somebody has it: most readers wait for it. */
  let latest: { readonly n: number; readonly data: Uint8Array } | undefined;
  const quietly = (what: string, work: () => Promise<unknown>): Promise<void> =>
    alone(async () => void (removed || (await work()))).catch((error: unknown) =>
      log.warn(`A box of auto-scan could not be ${what} (${dir}): ${messageOf(error)}`),
    );
  /** A function of its own: one inside `keep` would hold the bytes of its page for as long as it lives. */
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
  /** With the first page: most boxes stay empty. */
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
          `Scanned pages could not be kept in ${dir}: ${messageOf(error)}. Make room on that disk.`,
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
    // A small page takes no large buffers, and one byte more sees its end.
    bytes: { size, read: sliceBytes => fileSlices(file, Math.min(sliceBytes, size + 1)) },
    sent: () => void quietly('brought up to date', () => rename(waits, sent)),
    drop: () =>
      void quietly('emptied', async () => {
        // What names the page goes first.
        for (const each of [waits, sent, file]) await rm(each, { force: true });
      }),
  };
}

const inMemory = (data: Uint8Array): KeptBytes => ({
  size: data.byteLength,
  read: sliceBytes => slices(data, sliceBytes),
});

/** A file is there as a whole, or not at all. */
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

/** Its box.json is there, and pages that were delivered to nobody are. */
const isDamaged = async (dir: string): Promise<boolean> =>
  readdir(dir).then(
    names => names.includes('box.json') && names.some(name => /^\d+\.json$/.test(name)),
    () => false,
  );

/** Removes what is no whole page. */
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
      log.warn(`A page of auto-scan that was kept in ${dir} cannot be given to anybody (${name}): ${messageOf(error)}`);
    }
  }
  for (const name of names) if (!good.has(name)) await unlink(join(dir, name));
  return pages.sort((a, b) => a.n - b.n);
}

/** First what makes it a box, so that one that is half removed does not come back. */
async function removeFiles(dir: string): Promise<void> {
  await rm(join(dir, 'box.json'), { force: true });
  for (const entry of await readdir(dir, { withFileTypes: true }))
    if (entry.isFile() && OURS.test(entry.name)) await unlink(join(dir, entry.name));
  await rmdir(dir);
}
