/** Reads a folder of pages that an earlier run of the service left. Nothing foreign in it is read or removed. */
import { lstat, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../contract/errors.js';
import type { Barcode } from '../contract/recogniser.js';
import type { Reported } from '../pipeline/report.js';
import { isOurs } from '../pipeline/spoolFolder.js';
import { OURS, removeFolder, type FolderSettings } from './pageFolder.js';
import type { PageInFolder } from './pageFile.js';
import type { StoredFacts } from './storedPage.js';

const PAGE_FACTS = /^(\d+)(\.sent)?\.json$/;

export interface FoundFolder<Facts> {
  readonly facts: Facts;
  /** In order. A page whose facts cannot be read, or whose file has another size, has a `fault`. */
  readonly pages: readonly PageInFolder[];
}

/**
 * Removes files of pages that were never complete, and a folder without facts.
 * @returns undefined if there is nothing in it that can be delivered
 */
export async function readPageFolder<Facts>(
  { dir, what, log }: FolderSettings,
  isFacts: (facts: unknown) => facts is Facts,
): Promise<FoundFolder<Facts> | undefined> {
  const discard = (): Promise<undefined> =>
    removeFolder(dir).then(
      () => undefined,
      (error: unknown) => void log.warn(`Could not remove the folder ${dir}: ${messageOf(error)}`),
    );
  if (!isOurs(await lstat(dir))) {
    log.warn(`The folder ${dir} belongs to another account and was not used. Remove it.`);
    return undefined;
  }
  const entries = await readdir(dir, { withFileTypes: true });
  const names = new Set(entries.filter(each => each.isFile() && OURS.test(each.name)).map(({ name }) => name));
  if (!names.has('facts.json')) return discard();
  const facts = await jsonIn(join(dir, 'facts.json'));
  if (!isFacts(facts)) {
    if (![...names].some(name => PAGE_FACTS.test(name) && !name.endsWith('.sent.json'))) return discard();
    log.warn(
      `The pages of ${what} in ${dir} cannot be delivered: facts.json is damaged, perhaps by a power failure. Copy the .page files, which are images, and remove the folder.`,
    );
    return undefined;
  }
  const pages: PageInFolder[] = [];
  for (const [n, name] of pagesIn(names)) {
    const [its, size] = await Promise.all([jsonIn(join(dir, name)), sizeOf(join(dir, `${n}.page`))]);
    const delivered = name.endsWith('.sent.json');
    if (isStored(its) && its.page.pageNumber === n) {
      // The size that its facts claim would fill the room for scans.
      const fault = size === its.size ? undefined : `its file has ${size} of ${its.size} bytes`;
      pages.push({ ...its, size, delivered, suspect: true, ...(fault === undefined ? {} : { fault }) });
    } else {
      const fault = `${name} in ${dir} cannot be read`;
      log.warn(`Page ${n} of ${what} cannot be delivered: ${fault}. Its image is ${n}.page.`);
      pages.push({ ...placeholder(n, pages.at(-1)), delivered, fault });
    }
  }
  for (const name of names) {
    const [, digits] = /^(\d+)\.(?:page|words\.json)$/.exec(name) ?? [];
    const torn = digits !== undefined && !names.has(`${digits}.json`) && !names.has(`${digits}.sent.json`);
    if (!torn && !name.endsWith('.draft')) continue;
    // The disk may be read-only: the pages are delivered nevertheless.
    await unlink(join(dir, name)).catch((error: unknown) =>
      log.warn(`Could not remove ${name} from ${dir}: ${messageOf(error)}`),
    );
  }
  return { facts, pages };
}

/** Names of facts by page number, in order; of two for one page, the one that waits. */
function pagesIn(names: ReadonlySet<string>): [number, string][] {
  const numbers = new Map<number, string>();
  for (const name of names) {
    const [, digits, sent] = PAGE_FACTS.exec(name) ?? [];
    if (digits !== undefined && !(sent && numbers.has(Number(digits)))) numbers.set(Number(digits), name);
  }
  return [...numbers].sort(([a], [b]) => a - b);
}

/** Bytes of a file; 0 if it is gone. Links are not followed. */
const sizeOf = (file: string): Promise<number> =>
  lstat(file).then(
    ({ size }) => size,
    () => 0,
  );

/** Undefined if it cannot be read. */
const jsonIn = (file: string): Promise<unknown> =>
  readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);

/** Whether all of it is there that answers give of a page. */
function isStored(value: unknown): value is StoredFacts {
  const { page, size, sha256 } = (value ?? {}) as Partial<StoredFacts>;
  if (!page || typeof page !== 'object') return false;
  const {
    pageNumber,
    sheet,
    width,
    height,
    dpi,
    side,
    format,
    mimeType,
    ocrText,
    barcodes,
    report,
    findings = {},
    blank,
    patch,
  } = page;
  return (
    [pageNumber, sheet, width, height, size].every(each => Number.isSafeInteger(each) && Number(each) >= 0) &&
    Number.isFinite(dpi) &&
    (side === 'front' || side === 'back') &&
    [format, ocrText].every(each => typeof each === 'string') &&
    /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) &&
    Array.isArray(barcodes) &&
    barcodes.every(isBarcode) &&
    Array.isArray(report) &&
    report.every(isReported) &&
    isObject(findings) &&
    (blank === undefined || isBlank(blank)) &&
    (patch === undefined || typeof patch === 'string') &&
    typeof sha256 === 'string' &&
    SHA256.test(sha256)
  );
}

const SHA256 = /^[\da-f]{64}$/;
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';

function isBarcode(value: unknown): boolean {
  const { text, barcodeType, confidence } = (value ?? {}) as Partial<Barcode>;
  return isText(text) && isText(barcodeType) && Number.isFinite(confidence);
}

function isReported(value: unknown): boolean {
  const { parameter, requested, result, why = '' } = (value ?? {}) as Partial<Reported>;
  return (
    isText(parameter) && ['string', 'number', 'boolean'].includes(typeof requested) && isText(result) && isText(why)
  );
}

function isBlank(value: unknown): boolean {
  const { isBlank: is, ink, why } = (value ?? {}) as Partial<NonNullable<StoredFacts['page']['blank']>>;
  return typeof is === 'boolean' && Number.isFinite(ink) && isText(why);
}

/** For a page of which only the number is known: the others keep theirs, and none is used twice. */
function placeholder(pageNumber: number, before: StoredFacts | undefined): StoredFacts {
  const sheet = (before?.page.sheet ?? pageNumber - 1) + 1;
  return {
    page: {
      pageNumber,
      sheet,
      side: 'front',
      width: 0,
      height: 0,
      dpi: 0,
      format: '',
      mimeType: 'application/octet-stream',
      ocrText: '',
      barcodes: [],
      processing: [],
      report: [],
    },
    report: false,
    size: 0,
    sha256: '',
  };
}
