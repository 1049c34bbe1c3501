/** Names of saved files, from a pattern of the person's: `scan-{date}-{time}`. */
import type { Sheet } from '../pages/page.js';

/** Keeps its direction in a sentence of the other one. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;

export const DEFAULT_PATTERN = 'scan-{date}-{time}';

/** Of a pattern, in braces. */
export const nameFields = ['date', 'time', 'scanner', 'barcode', 'page'] as const;
type Field = (typeof nameFields)[number];

export interface NameFacts {
  /** Written in local time. */
  readonly at: Date;
  readonly scanner: string;
  readonly barcode?: string | undefined;
  /** From 1; absent for a file of several pages. */
  readonly page?: number | undefined;
}

const two = (value: number): string => String(value).padStart(2, '0');

const values: Readonly<Record<Field, (facts: NameFacts) => string>> = {
  date: ({ at }) => `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`,
  time: ({ at }) => `${two(at.getHours())}${two(at.getMinutes())}`,
  scanner: ({ scanner }) => scanner,
  barcode: ({ barcode = '' }) => barcode,
  page: ({ page }) => (page === undefined ? '' : two(page)),
};

/** Not allowed by some file system, or invisible: controls, halves of characters, directions of text. */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff<>:"/\\|?*]+/gu;
/** Names of devices in Windows, also with an extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Characters. Most file systems take 255 bytes, which leaves room for what follows: a part, an extension. */
const LONGEST = 60;
/** Stands for a field without a value, with the separator before it. */
const missing = /[-_. ]?\0/g;

/**
 * Without an extension; never empty.
 * @param pattern an unknown field stays as it is
 */
export function nameFrom(pattern: string, facts: NameFacts): string {
  const filled = pattern
    .replaceAll('\0', '')
    .replace(/\{(\w+)\}/g, (whole, name: string) => (isField(name) ? safe(values[name](facts)) || '\0' : whole))
    .replace(missing, '');
  const name = tidy(cut(tidy(safe(filled)))) || nameFrom(DEFAULT_PATTERN, facts);
  return reserved.test(name) ? `_${name}` : name;
}

const isField = (name: string): name is Field => (nameFields as readonly string[]).includes(name);
/** The mark of a missing value is a control character, too. */
const safe = (text: string): string => text.replace(unsafe, found => (found === '\0' ? found : '_'));
/** Windows drops dots and spaces at the end; a dot at the start hides a file. */
const tidy = (name: string): string => name.replace(/^[-_. ]+|[-_. ]+$/g, '');
const cut = (name: string): string => [...name].slice(0, LONGEST).join('');

/** What a document of these sheets is named after: its first page, and its first barcode. */
export function factsOf(sheets: readonly Sheet[], at: Date): NameFacts {
  const barcode = sheets.find(({ page }) => page.barcodes.length > 0)?.page.barcodes[0]?.text;
  return { at: sheets[0]?.at ?? at, scanner: sheets[0]?.scanner ?? '', barcode };
}

/** A pattern for single pages: with their number. */
export const patternOfPages = (pattern: string): string =>
  pattern.includes('{page}') ? pattern : `${pattern}-page-{page}`;

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/tiff': 'tif',
  'image/bmp': 'bmp',
};

/** Of a vendor's format, what follows the slash: `webp` of image/webp. */
export const extensionOf = (mimeType: string): string =>
  extensions[mimeType] ?? /^[a-z]+\/(?:x-)?([a-z0-9]+)$/.exec(mimeType)?.[1] ?? 'bin';

/** The same names, each once, also where upper and lower case are the same: `a.png`, `a-2.png`. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return names.map(name => {
    const dot = name.lastIndexOf('.');
    const [base, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let unique = name;
    for (let again = 2; used.has(unique.toLowerCase()); again++) unique = `${base}-${again}${extension}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}
