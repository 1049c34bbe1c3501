/** Pages as image files: one page as a file, several as ZIP archives. */
import type { Sheet } from '../pages/page.js';
import type { Turn } from '../../client/shapes.js';
import { archiveOf, MOST_BYTES } from './archive.js';
import { extensionOf, factsOf, nameFrom, patternOfPages, uniqueNames } from './names.js';

/** A sheet as it is shown. */
export interface Shown {
  readonly sheet: Sheet;
  /** Its place among the pages, from 1. */
  readonly number: number;
  readonly turn: Turn;
}

export interface SavedFile {
  /** With its extension. */
  readonly name: string;
  /** @throws PlatenError if the service cannot deliver a page, the signal's reason */
  read(): Promise<Blob>;
}

export interface FileOptions {
  readonly pattern: string;
  readonly signal: AbortSignal;
  /** Called after each page. */
  onPage(): void;
}

/** Several archives if one cannot hold all pages. */
export function filesOf(shown: readonly Shown[], options: FileOptions): readonly SavedFile[] {
  const { pattern, signal, onPage } = options;
  const read = async ({ sheet, turn }: Shown): Promise<Blob> => {
    signal.throwIfAborted();
    const blob = await sheet.page.file.read(turn);
    onPage();
    return blob;
  };
  const [first] = shown;
  if (!first) return [];
  if (shown.length === 1) return [{ name: nameOf(first, pattern), read: () => read(first) }];
  const base = nameFrom(pattern, factsOf(shown.map(({ sheet }) => sheet), first.sheet.at)); // prettier-ignore
  const parts = inParts(shown);
  return parts.map((part, at) => ({
    name: `${base}${parts.length > 1 ? `-part-${at + 1}` : ''}.zip`,
    read: () => {
      const names = uniqueNames(part.map(each => nameOf(each, pattern)));
      return archiveOf(part.map((each, of) => ({ name: names[of] ?? '', read: () => read(each), at: each.sheet.at })));
    },
  }));
}

function inParts(shown: readonly Shown[]): readonly (readonly Shown[])[] {
  const parts: Shown[][] = [];
  let size = Infinity;
  for (const each of shown) {
    size += each.sheet.page.bytes;
    if (size > MOST_BYTES) {
      parts.push([]);
      size = each.sheet.page.bytes;
    }
    parts.at(-1)?.push(each);
  }
  return parts;
}

const nameOf = ({ sheet, number }: Shown, pattern: string): string => {
  const facts = { ...factsOf([sheet], sheet.at), page: number };
  return `${nameFrom(patternOfPages(pattern), facts)}.${extensionOf(sheet.page.mimeType)}`;
};
