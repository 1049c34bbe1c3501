/** Auto-scan's boxes on disk: scanned pages outlive the process until a reader has taken them. */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import { isDate } from '../kept/age.js';
import { pageFolder, type FolderSettings } from '../kept/pageFolder.js';
import { readPageFolder } from '../kept/readPageFolder.js';
import { isScanId } from '../kept/scanStore.js';
import type { PageStore, StoredPage } from '../kept/storedPage.js';
import { slices } from '../pipeline/spool.js';
import type { OutboxEnd } from './outboxEnd.js';

export interface BoxFacts {
  /** Of the scan that its undelivered pages are when the auto-scan is over. Cannot be guessed. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** First part of its pages' ids in the event stream. */
  readonly series: string;
  /** Who enabled it: origins of web pages, and the empty origin for programs. */
  readonly origins: readonly string[];
  readonly scanner: string;
  /** Absent: auto-scan is on, or the service ended unexpectedly. */
  readonly end?: OutboxEnd;
  /** Milliseconds since 1970. */
  readonly endedAt?: number | undefined;
  /** See `leftOf`. */
  readonly isLate?: true | undefined;
}

/** Pages are numbered from enable. */
export interface StoredBox extends PageStore<BoxFacts> {
  /** Pages that were found and cannot be read. */
  readonly damaged?: readonly StoredPage[];
}

export interface BoxStore {
  /** Boxes of the service's previous run. */
  readonly found: readonly StoredBox[];
  create(facts: BoxFacts): StoredBox;
}

const SERIES = /^\d{15}$/;

/** @param folder its own, inside a folder that only its owner can access; created with the first page */
export async function openBoxStore(folder: string, log: Log): Promise<BoxStore> {
  const remembering = createLastPage();
  const settingsOf = (series: string): FolderSettings => ({ dir: join(folder, series), what: 'an auto-scan', log });
  const found: StoredBox[] = [];
  for (const entry of await entriesOf(folder)) {
    // Links are not followed.
    if (!entry.isDirectory() || !SERIES.test(entry.name)) continue;
    const settings = settingsOf(entry.name);
    const its = await readPageFolder(settings, isBoxFacts).catch((error: unknown) =>
      log.warn(`The pages of auto-scan in ${settings.dir} cannot be delivered: ${messageOf(error)}`),
    );
    if (its?.facts.series !== entry.name) continue;
    const box = pageFolder(settings, its.facts, its.pages);
    if (its.pages.length > 0) found.push(await checked(box, log));
    else await box.remove();
  }
  return { found, create: facts => remembering(pageFolder(settingsOf(facts.series), facts)) };
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const facts = await lstat(folder).catch(() => undefined);
  return facts?.isDirectory() ? readdir(folder, { withFileTypes: true }) : [];
}

function isBoxFacts(value: unknown): value is BoxFacts {
  const { id, createdAt, series, origins, scanner, end, endedAt } = (value ?? {}) as Partial<BoxFacts>;
  const { event, reason, message } = end ?? {};
  return (
    typeof id === 'string' &&
    isScanId(id) &&
    isDate(createdAt) &&
    typeof series === 'string' &&
    Array.isArray(origins) &&
    origins.every(each => typeof each === 'string') &&
    typeof scanner === 'string' &&
    (endedAt === undefined || isDate(endedAt)) &&
    (end === undefined || [event, reason, message].every(each => typeof each === 'string'))
  );
}

/** Separates its damaged pages: an event stream skips them with a gap, as it cannot skip a page that fails while sent. */
async function checked(box: StoredBox, log: Log): Promise<StoredBox> {
  const [found, damaged]: [StoredPage[], StoredPage[]] = [[], []];
  for (const page of box.found)
    await page.check().then(
      () => found.push(page),
      (error: unknown) => {
        damaged.push(page);
        log.warn(`A page of an auto-scan on ${box.facts.scanner} cannot be delivered. ${messageOf(error)}`);
      },
    );
  return {
    ...box,
    get facts() {
      return box.facts;
    },
    found,
    damaged,
  };
}

/**
 * Keeps the last page of all boxes in memory until a reader has it: most readers wait for it. Its bytes are in one
 * variable: a closure of the page that held them would keep them for as long as the page is known.
 */
function createLastPage(): (box: StoredBox) => StoredBox {
  let last: { readonly page: StoredPage; readonly data: Uint8Array } | undefined;
  const remembered = (page: StoredPage): StoredPage => {
    const forget = (): void => void (last = last?.page === page ? undefined : last);
    return {
      ...page,
      get delivered() {
        return page.delivered;
      },
      get isStored() {
        return page.isStored;
      },
      read: (sliceBytes, start, end) =>
        last?.page === page ? slices(last.data.subarray(start, end), sliceBytes) : page.read(sliceBytes, start, end),
      deliver() {
        forget();
        page.deliver();
      },
      drop() {
        forget();
        page.drop();
      },
    };
  };
  return box => ({
    ...box,
    get facts() {
      return box.facts;
    },
    async keep(page, report) {
      const { stored, problem } = await box.keep(page, report);
      if (problem) return { stored, problem };
      last = { page: stored, data: page.data };
      return { stored: remembered(stored) };
    },
  });
}
