/** Save as PDF: the shown pages, one document per scan. The service writes them from the pages that it keeps. */
import { PlatenError, type Scan } from '../client.js';
import { announce } from './announcer.js';
import { byId } from './element.js';
import { show, type Notice } from './notices.js';
import { keptAt } from './page.js';
import type { PageList, Sheet } from './pageList.js';
import { remedyOf } from './remedies.js';
import { download, saveAll, setSaved, stampOf } from './saving.js';
import { beginSaving } from './savingActivity.js';
import { countOf } from './words.js';

export interface PdfSaving {
  /** Other pages are shown. */
  show(): void;
}

export interface PdfParts {
  readonly list: PageList;
  /** By its id. */
  scanOf(id: string): Scan | undefined;
  /** Whether the service writes PDFs. */
  isInstalled(): boolean;
  onFailure(error: unknown): void;
}

/** Pages of one scan, in the order in which they are shown. */
interface Part {
  readonly scan: Scan;
  readonly sheets: readonly Sheet[];
}

const button = byId('save-pdf', HTMLButtonElement);
const text = byId('save-pdf-text', HTMLElement);
const images = byId('save-all', HTMLButtonElement);

export function createPdfSaving({ list, scanOf, isInstalled, onFailure }: PdfParts): PdfSaving {
  let isSaving = false;
  /** Closes the message of the last one that failed. */
  let forget = (): void => undefined;

  /** Without pages in this tab's memory: the service no longer has them. */
  function partsOf(sheets: readonly Sheet[]): readonly Part[] {
    const ids = new Set(sheets.flatMap(({ page }) => keptAt(page)?.scan ?? []));
    return [...ids].flatMap(id => {
      const scan = scanOf(id);
      return scan ? [{ scan, sheets: sheets.filter(({ page }) => keptAt(page)?.scan === id) }] : [];
    });
  }

  /** @param withBlank also pages that the scan leaves out of documents */
  async function save(withBlank = false): Promise<void> {
    if (isSaving) return;
    isSaving = true;
    forget();
    // The pages of this moment, with the numbers that they are shown with.
    const shown = new Map(list.all.map((sheet, at) => [sheet, at + 1]));
    const sheets = [...shown.keys()];
    const stop = new AbortController();
    const activity = beginSaving(() => stop.abort());
    const done: (readonly Sheet[])[] = [];
    const blank: Sheet[] = [];
    try {
      for (const { scan, sheets: its } of partsOf(sheets.filter(each => !isDamaged(each)))) {
        const dropped = withBlank ? [] : await droppedOf(scan, its, stop.signal);
        const pages = its.filter(each => !dropped.includes(each));
        blank.push(...dropped);
        if (pages.length === 0) continue;
        announce(`Saving ${countOf(pages.length, 'page')} as PDF`);
        await savePart({ scan, sheets: pages }, stop.signal, bytes => activity.progress(pages.length, bytes));
        setSaved([...pages, ...dropped]);
        done.push(pages);
      }
      tell(shown, done, blank);
    } catch (error) {
      fail(error);
    } finally {
      activity.end();
      isSaving = false;
    }
  }

  /** Says what is not as it looks: several documents, and pages that are in none. */
  function tell(shown: ReadonlyMap<Sheet, number>, done: readonly (readonly Sheet[])[], blank: readonly Sheet[]): void {
    const numbers = (some: readonly Sheet[]): string => pagesWord(some.map(each => shown.get(each) ?? 0));
    const sheets = [...shown.keys()];
    const here = sheets.filter(({ page }) => keptAt(page) === undefined);
    const damaged = sheets.filter(isDamaged);
    const sentences = [
      done.length > 1 && `Each scan is a document of its own: ${done.map(numbers).join('; ')}.`,
      blank.length > 0 && `Left out as blank: ${numbers(blank)}.`,
      here.length > 0 && `Left out: ${numbers(here)}. Auto-scan delivered them to this tab; save them as images.`,
      damaged.length > 0 && `Left out: ${numbers(damaged)}. They cannot be read.`,
    ].filter(sentence => sentence !== false);
    const title = done.length > 0 ? `${countOf(done.length, 'PDF')} saved` : 'There is no page for a PDF';
    if (sentences.length === 0) return announce(title);
    show(damaged.length > 0 || done.length === 0 ? 'alert' : 'note', {
      title,
      text: sentences.join(' '),
      action: actionFor(here, blank),
      beside: true,
    });
  }

  function actionFor(here: readonly Sheet[], blank: readonly Sheet[]): Notice['action'] {
    if (blank.length > 0) return { text: 'Save with blank pages', run: () => void save(true) };
    if (here.length > 0) return { text: 'Save as images', run: () => void saveAll(here).catch(onFailure) };
    return undefined;
  }

  function fail(error: unknown): void {
    if (error instanceof PlatenError && error.code === 'cancelled') return announce('Saving was cancelled');
    if (!(error instanceof PlatenError)) return onFailure(error);
    const remedy =
      error.code === 'failed'
        ? 'Remove the page that cannot be read, then press “Save as PDF” again. Or save the images.'
        : remedyOf(error.code).remedy;
    forget = show('alert', { title: 'The PDF could not be saved', text: error.message, remedy, beside: true });
  }

  button.addEventListener('click', () => void save());
  return {
    show() {
      const { length } = isInstalled() ? partsOf(list.all) : [];
      button.hidden = length === 0;
      images.classList.toggle('primary', length === 0);
      text.textContent = length > 1 ? `Save as ${length} PDFs` : 'Save as PDF';
    },
  };
}

const isDamaged = ({ page }: Sheet): boolean => keptAt(page)?.damage !== undefined;
const numberIn = ({ page }: Sheet): number => keptAt(page)?.number ?? 0;

/** The blank pages that the scan leaves out of its documents. */
async function droppedOf(scan: Scan, sheets: readonly Sheet[], signal: AbortSignal): Promise<readonly Sheet[]> {
  const blank = sheets.filter(({ page }) => page.blank?.isBlank);
  if (blank.length === 0) return [];
  const has = new Set((await scan.documents({ signal })).flatMap(({ pages }) => pages));
  return blank.filter(sheet => !has.has(numberIn(sheet)));
}

/** Control characters are not valid in a title. */
const notInTitles = /\p{Cc}/gu;
const LONGEST_TITLE = 500;

async function savePart(
  { scan, sheets }: Part,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const at = new Date(scan.createdAt);
  const when = at.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' });
  const title = `${scan.scannerName.replace(notInTitles, ' ')}, ${when}`.slice(0, LONGEST_TITLE);
  const document = await scan.document('pdf', { pages: sheets.map(numberIn), title, signal, onProgress });
  download(document, `scan-${stampOf(at)}.pdf`);
}

/** `pages 1–3, 7` */
function pagesWord(numbers: readonly number[]): string {
  const ranges: number[][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.at(-1) === number - 1) last.push(number);
    else ranges.push([number]);
  }
  const words = ranges.map(range => (range.length > 1 ? `${range[0]}–${range.at(-1)}` : String(range[0])));
  return `${numbers.length === 1 ? 'page' : 'pages'} ${words.join(', ')}`;
}
