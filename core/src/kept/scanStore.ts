/** Where scans are kept: in folders of their own, which outlive the service, or in the spool. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import { wholeOf, type Shelf, type Spool } from '../pipeline/spool.js';
import { assertOwnFolder } from '../pipeline/spoolFolder.js';
import { isScanFacts, type ScanFacts } from './keptScan.js';
import { wordsIn } from './pageFile.js';
import { pageFolder } from './pageFolder.js';
import { readPageFolder } from './readPageFolder.js';
import { sha256Of, type PageStore, type StoredPage } from './storedPage.js';

/** Where scans are kept. */
export interface ScanStore {
  /** Whether they outlive the process. */
  readonly isDurable: boolean;
  /** Scans of earlier runs of the service. */
  readonly found: readonly PageStore<ScanFacts>[];
  create(facts: ScanFacts): PageStore<ScanFacts>;
}

const ID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Whether it is an id as scans have it: a UUID of version 4. */
export const isScanId = (text: string): boolean => ID.test(text);

/**
 * @param folder created if missing, accessible to its owner only
 * @throws `storage-failed` if the folder is a link or has another owner
 */
export async function openScanStore(folder: string, log: Log): Promise<ScanStore> {
  await assertOwnFolder(folder);
  const found: PageStore<ScanFacts>[] = [];
  const settings = (id: string, scanner = 'an earlier scan') => ({ dir: join(folder, id), what: scanner, log });
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    // Links are not followed.
    if (!entry.isDirectory() || !isScanId(entry.name)) continue;
    const its = await readPageFolder(settings(entry.name), isScanFacts).catch((error: unknown) =>
      log.warn(`The scan in ${join(folder, entry.name)} cannot be delivered: ${messageOf(error)}`),
    );
    if (its?.facts.id === entry.name) found.push(pageFolder(settings(entry.name, on(its.facts)), its.facts, its.pages));
    else if (its) log.warn(`The folder ${join(folder, entry.name)} is a copy of another scan's and was not used.`);
  }
  return { isDurable: true, found, create: facts => pageFolder(settings(facts.id, on(facts)), facts) };
}

const on = ({ request }: ScanFacts): string => `a scan on ${request.scannerName}`;

/** Nothing in it is found again. */
export function spoolStore(spool: Spool): ScanStore {
  return { isDurable: false, found: [], create: facts => spooledPages(spool.shelf(), facts) };
}

function spooledPages(shelf: Shelf, given: ScanFacts): PageStore<ScanFacts> {
  let facts = given;
  return {
    get facts() {
      return facts;
    },
    found: [],
    async begin(changed) {
      facts = { ...facts, ...changed };
    },
    save: async () => undefined,
    async keep({ data, words, ...page }, report) {
      const [{ kept, problem }, sha256] = await Promise.all([shelf.put(data), sha256Of(data)]);
      const { kept: keptWords, problem: wordsProblem } = words
        ? await shelf.put(Buffer.from(JSON.stringify(words)))
        : {};
      const failed = problem ?? wordsProblem;
      let delivered = false;
      const stored: StoredPage = {
        page,
        report,
        sha256,
        ...kept,
        ...(keptWords ? { hasWords: true as const } : {}),
        isStored: !failed,
        get delivered() {
          return delivered;
        },
        check: async () => undefined,
        words: async () => keptWords && wordsIn(Buffer.from(await wholeOf(keptWords)).toString()),
        deliver: () => void (delivered = true),
        drop: () => undefined,
      };
      return { stored, ...(failed ? { problem: failed } : {}) };
    },
    async tell(changed) {
      facts = { ...facts, ...changed };
    },
    remove: () => shelf.clear().then(() => undefined),
    settled: async () => undefined,
  };
}
