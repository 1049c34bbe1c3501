/** Pages as files: one page as a file, several as a ZIP archive. */
import { element } from './element.js';
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

const saved = new WeakSet<Sheet>();

export const isSaved = (sheet: Sheet): boolean => saved.has(sheet);

/** @param number its place among the pages, from 1 */
export function saveOne(sheet: Sheet, number: number): void {
  download(sheet.page.blob, nameOf(sheet, number));
  saved.add(sheet);
}

/** Several archives if one cannot hold all pages. */
export async function saveAll(sheets: readonly Sheet[]): Promise<void> {
  const [first] = sheets;
  if (!first) return;
  if (sheets.length === 1) return saveOne(first, 1);
  const parts = inParts(sheets);
  let before = 0;
  for (const [at, part] of parts.entries()) {
    const files = part.map((sheet, place) => ({
      name: nameOf(sheet, before + place + 1),
      blob: sheet.page.blob,
      at: sheet.at,
    }));
    download(await archiveOf(files), `scan-${stampOf(first.at)}${parts.length > 1 ? `-part-${at + 1}` : ''}.zip`);
    for (const sheet of part) saved.add(sheet);
    before += part.length;
  }
}

function inParts(sheets: readonly Sheet[]): Sheet[][] {
  const parts: Sheet[][] = [];
  let size = Infinity;
  for (const sheet of sheets) {
    size += sheet.page.blob.size;
    if (size > MOST_BYTES) {
      parts.push([]);
      size = sheet.page.blob.size;
    }
    parts.at(-1)?.push(sheet);
  }
  return parts;
}

function nameOf({ page, at }: Sheet, number: number): string {
  return `scan-${stampOf(at)}-page-${String(number).padStart(2, '0')}.${endings[page.mimeType] ?? 'bin'}`;
}

/** 20261121-1030, in local time. */
function stampOf(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}-${two(at.getHours())}${two(at.getMinutes())}`;
}

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
