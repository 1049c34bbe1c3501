/** The title of each failure, and what the person can do about it. */
import type { PlatenErrorCode } from '../client/errors.js';
import { en, type Key } from './words/en.js';
import type { Words } from './words/words.js';

export interface Remedy {
  readonly title: string;
  readonly remedy: string;
}

const isKey = (key: string): key is Key => Object.hasOwn(en, key);

export function remedyOf(words: Words, code: PlatenErrorCode): Remedy {
  const known = isKey(`error.${code}.title`) ? code : 'failed';
  return { title: words(`error.${known}.title`), remedy: words(`error.${known}.remedy`) };
}

/** The same for a scan that ended at a page, and that "Continue" scans on. @param page the number of the page that comes next */
export function remedyAt(words: Words, code: PlatenErrorCode, page: number): Remedy {
  const [title, remedy] = [`at-page.${code}.title`, `at-page.${code}.remedy`];
  if (isKey(title) && isKey(remedy)) return { title: words(title, { page }), remedy: words(remedy, { page }) };
  const general = remedyOf(words, code);
  return { title: general.title, remedy: `${general.remedy} ${words('error.continue-at', { page })}` };
}

/** What became of the pages before a failure; empty if there are none. */
export const keptWord = (words: Words, pages: number): string =>
  pages === 0 ? '' : words('error.pages-kept', { count: pages });
