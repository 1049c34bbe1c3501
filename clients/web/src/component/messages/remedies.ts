/** The title of each failure, and what the person can do about it. */
import type { PlatenErrorCode } from '../../client/errors.js';
import type { Words } from '../words/words.js';

export interface Remedy {
  readonly title: string;
  readonly remedy: string;
}

/** Codes that a person need not tell apart; every other one without words of its own means that something failed. */
const sameWords: Partial<Record<PlatenErrorCode, PlatenErrorCode>> = {
  'invalid-json': 'invalid-value',
  'body-too-large': 'invalid-value',
  'too-many-streams': 'busy',
  'page-not-found': 'scan-not-found',
  'device-lost': 'device-offline',
  'consent-ended': 'consent-required',
};

export function remedyOf(words: Words, code: PlatenErrorCode): Remedy {
  for (const each of [code, sameWords[code], 'internal']) {
    const [title, remedy] = [`error.${each}.title`, `error.${each}.remedy`];
    if (words.has(title) && words.has(remedy)) return { title: words(title), remedy: words(remedy) };
  }
  // No language is there yet.
  return { title: words('error.no-answer.title'), remedy: words('error.no-answer.remedy') };
}

/** The same for a scan that ended at a page, and that "Continue" scans on. @param page the number of the page that comes next */
export function remedyAt(words: Words, code: PlatenErrorCode, page: number): Remedy {
  const [title, remedy] = [`at-page.${code}.title`, `at-page.${code}.remedy`];
  if (words.has(title) && words.has(remedy)) return { title: words(title, { page }), remedy: words(remedy, { page }) };
  const general = remedyOf(words, code);
  return { title: general.title, remedy: `${general.remedy} ${words('error.continue-at', { page })}` };
}

/** Their remedy ends with a new look at the scanners. */
export const looksAgain: ReadonlySet<PlatenErrorCode> = new Set([
  'device-not-found',
  'device-offline',
  'device-lost',
  'not-connected',
]);

/** What became of the pages before a failure; empty if there are none. @param inMemory those that the disk refused */
export const keptWord = (words: Words, pages: number, inMemory = 0): string => {
  if (pages === 0) return '';
  return inMemory > 0
    ? words('error.pages-in-memory', { count: inMemory })
    : words('error.pages-kept', { count: pages });
};
