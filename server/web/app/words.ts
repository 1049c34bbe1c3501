/** Words of the page beside those of the component: each language is loaded when it is spoken. */
import { languageAmong, wordsOf, type Words as WordsOf } from '@platen/client/words';
import type { Key, Sentences } from './words/en.js';

export type Words = WordsOf<Key>;

const english = async (): Promise<Sentences> => (await import('./words/en.js')).en;

const catalogues: Readonly<Record<string, () => Promise<Sentences>>> = {
  en: english,
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
export async function loadWords(wanted: readonly string[]): Promise<Words> {
  const language = languageAmong(wanted, languages) ?? 'en';
  return wordsOf(language, await (catalogues[language] ?? english)());
}
