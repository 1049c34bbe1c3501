/** Pages as files: one page as a file, several as a ZIP archive. */
import { PlatenError } from '../client.js';
import { element } from './element.js';
import { markOf, setMarks } from './marks.js';
import { bytesOf, keptAt } from './page.js';
import type { Sheet } from './pageList.js';
import { archiveOf, MOST_BYTES } from './zip.js';

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/tiff': 'tif',
  'image/bmp': 'bmp',
};
/** A browser reads a download some time after the click. */
const KEPT_MS = 60_000;

/** Of pages in this tab's memory. */
const saved = new WeakSet<Sheet>();

export function isSaved(sheet: Sheet): boolean {
  const kept = keptAt(sheet.page);
  return kept ? markOf(kept.scan, kept.number) === 'saved' : saved.has(sheet);
}

export function setSaved(sheets: readonly Sheet[]): void {
  for (const sheet of sheets) if (!keptAt(sheet.page)) saved.add(sheet);
  const kept = sheets.map(({ page }) => keptAt(page)).filter(each => each !== undefined);
  setMarks(kept.map(({ scan, number }) => ({ scan, number, mark: 'saved' })));
}

/**
 * @param number its place among the pages, from 1
 * @throws PlatenError if the service cannot deliver it
 */
export async function saveOne(sheet: Sheet, number: number): Promise<void> {
  download(await bytesOf(sheet.page), nameOf(sheet, number));
  setSaved([sheet]);
}

/**
 * Several archives if one cannot hold all pages. Damaged pages are left out.
 * @throws PlatenError like `saveOne`; once the other pages are saved, also for damaged ones
 */
export async function saveAll(sheets: readonly Sheet[]): Promise<void> {
  const [first] = sheets;
  if (!first) return;
  if (sheets.length === 1) return saveOne(first, 1);
  const numbers = new Map(sheets.map((sheet, at) => [sheet, at + 1]));
  const isDamaged = ({ page }: Sheet): boolean => keptAt(page)?.damage !== undefined;
  const parts = inParts(sheets.filter(sheet => !isDamaged(sheet)));
  for (const [at, part] of parts.entries()) {
    const files = part.map(sheet => ({
      name: nameOf(sheet, numbers.get(sheet) ?? 0),
      read: () => bytesOf(sheet.page),
      at: sheet.at,
    }));
    download(await archiveOf(files), `scan-${stampOf(first.at)}${parts.length > 1 ? `-part-${at + 1}` : ''}.zip`);
    setSaved(part);
  }
  const damaged = sheets.filter(isDamaged).map(sheet => numbers.get(sheet));
  if (damaged.length > 0) {
    const pages = damaged.length === 1 ? 'Page' : 'Pages';
    throw new PlatenError('failed', `${pages} ${damaged.join(', ')} cannot be read. The other pages were saved.`);
  }
}

function inParts(sheets: readonly Sheet[]): Sheet[][] {
  const parts: Sheet[][] = [];
  let size = Infinity;
  for (const sheet of sheets) {
    size += sheet.page.bytes;
    if (size > MOST_BYTES) {
      parts.push([]);
      size = sheet.page.bytes;
    }
    parts.at(-1)?.push(sheet);
  }
  return parts;
}

function nameOf({ page, at }: Sheet, number: number): string {
  return `scan-${stampOf(at)}-page-${String(number).padStart(2, '0')}.${endingOf(page.mimeType)}`;
}

/** Of a vendor's format, what follows the slash: `webp` of image/webp. */
const endingOf = (mimeType: string): string =>
  endings[mimeType] ?? /^[a-z]+\/(?:x-)?([a-z0-9]+)$/.exec(mimeType)?.[1] ?? 'bin';

/** 20261121-1030, in local time. */
export function stampOf(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}-${two(at.getHours())}${two(at.getMinutes())}`;
}

export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
