/** The page's words: each language is loaded when it is spoken. */
import type { Words as WordsOf } from '@platen/client/words';
import { wordsAmong, type Catalogues } from '../shared/words.js';
import type { Key } from './words/en.js';

export type Words = WordsOf<Key>;

const catalogues: Catalogues<Key> = {
  en: async () => (await import('./words/en.js')).en,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
  es: async () => (await import('./words/es.js')).es,
  pt: async () => (await import('./words/pt.js')).pt,
  ja: async () => (await import('./words/ja.js')).ja,
  zh: async () => (await import('./words/zh.js')).zh,
  ar: async () => (await import('./words/ar.js')).ar,
};

/** BCP 47 tags. */
export const languages: readonly string[] = Object.keys(catalogues);

/** Of the first language that there is, English otherwise. */
export const loadWords = (wanted: readonly string[]): Promise<Words> => wordsAmong(catalogues, wanted);
