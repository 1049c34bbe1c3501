/** Where scans are kept: in folders of their own, which outlive the service, or in the spool. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import { wholeOf, type Shelf, type Spool } from '../pipeline/spool.js';
import { assertOwnFolder } from '../pipeline/spoolFolder.js';
import { wordsIn } from './pageFile.js';
import { pageFolder } from './pageFolder.js';
import { readPageFolder } from './readPageFolder.js';
import { isKeptFacts, isScanId, type AutoscanFacts, type KeptFacts, type ScanFacts } from './scanFacts.js';
import { sha256Of, type PageStore, type StoredPage } from './storedPage.js';

/** Where scans are kept. */
export interface ScanStore {
  /** Reads the scans of earlier runs of the service: call it once. Never rejects. @returns oldest first */
  read(): Promise<readonly FoundScan<KeptFacts>[]>;
  create<Facts extends KeptFacts>(facts: Facts): PageStore<Facts>;
}

export interface FoundScan<Facts extends KeptFacts> extends PageStore<Facts> {
  /** Pages of an auto-scan that cannot be read: an event stream skips them, as it cannot skip a page that fails while sent. */
  readonly damaged: ReadonlySet<StoredPage>;
}

export const isOnDemand = (found: FoundScan<KeptFacts>): found is FoundScan<ScanFacts> => found.facts.kind === 'scan';
export const isAutoscan = (found: FoundScan<KeptFacts>): found is FoundScan<AutoscanFacts> => !isOnDemand(found);

/**
 * @param folder created if missing, accessible to its owner only
 * @param only passes over all folders that are not of this kind, and says so
 * @throws `storage-failed` if the folder is a link or has another owner
 */
export async function openScanStore(folder: string, log: Log, only?: 'autoscan'): Promise<ScanStore> {
  await assertOwnFolder(folder);
  const entries = await readdir(folder, { withFileTypes: true });
  const settings = (id: string, what = 'an earlier scan') => ({ dir: join(folder, id), what, log });
  const passedOver: string[] = [];
  const readOne = async (id: string): Promise<FoundScan<KeptFacts> | undefined> => {
    if (only && (await kindIn(join(folder, id))) !== only) return void passedOver.push(join(folder, id));
    const its = await readPageFolder(settings(id), isKeptFacts).catch((error: unknown) =>
      log.warn(`The scan in ${join(folder, id)} cannot be delivered: ${messageOf(error)}`),
    );
    if (!its) return undefined;
    if (its.facts.id !== id) {
      log.warn(`The folder ${join(folder, id)} is a copy of another scan's and was not used.`);
      return undefined;
    }
    const store = pageFolder(settings(id, nameOf(its.facts)), its.facts, its.pages);
    const damaged = its.facts.kind === 'autoscan' ? await damagedOf(store, log) : new Set<StoredPage>();
    return Object.assign(store, { damaged });
  };
  return {
    async read() {
      // Links are not followed.
      const ids = entries.filter(entry => entry.isDirectory() && isScanId(entry.name)).map(({ name }) => name);
      const found: (FoundScan<KeptFacts> | undefined)[] = [];
      const next = ids.entries();
      const readSome = async (): Promise<void> => {
        for (const [at, id] of next) found[at] = await readOne(id);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, readSome));
      if (passedOver.length > 0)
        log.warn(
          `Scans that were kept before scans.keep was false are neither served nor removed: set it to true to fetch them, or remove these folders: ${passedOver.join(', ')}`,
        );
      return found.filter(each => each !== undefined).sort((a, b) => a.facts.createdAt - b.facts.createdAt);
    },
    create: facts => pageFolder(settings(facts.id, nameOf(facts)), facts),
  };
}

/** Folders that are read at once: measured, one after the other takes twice as long, and more gain nothing. */
const AT_ONCE = 32;

/** Undefined if it cannot be read. */
const kindIn = (dir: string): Promise<unknown> =>
  readFile(join(dir, 'facts.json'), 'utf8')
    .then(text => (JSON.parse(text) as Partial<KeptFacts> | null)?.kind)
    .catch(() => undefined);

const nameOf = (facts: KeptFacts): string =>
  facts.kind === 'scan' ? `a scan on ${facts.request.scannerName}` : `an auto-scan on ${facts.scannerName}`;

async function damagedOf(store: PageStore<KeptFacts>, log: Log): Promise<Set<StoredPage>> {
  const damaged = new Set<StoredPage>();
  for (const page of store.found)
    await page.check().catch((error: unknown) => {
      damaged.add(page);
      log.warn(`A page of ${nameOf(store.facts)} cannot be delivered. ${messageOf(error)}`);
    });
  return damaged;
}

/** Nothing in it is found again. */
export function spoolStore(spool: Pick<Spool, 'shelf'>): ScanStore {
  return { read: async () => [], create: facts => spooledPages(spool.shelf(), facts) };
}

function spooledPages<Facts extends KeptFacts>(shelf: Shelf, given: Facts): PageStore<Facts> {
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
    isSaved: () => true,
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
