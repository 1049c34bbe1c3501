/** The words of the list of keys beside the component's own: each language is loaded with the list. */
import type { KeySentences } from './en.js';

export interface KeyWords {
  /** BCP 47. */
  readonly language: string;
  readonly sentences: KeySentences;
}

const english = async (): Promise<KeySentences> => (await import('./en.js')).en;

const catalogues: Readonly<Record<string, () => Promise<KeySentences>>> = {
  de: async () => (await import('./de.js')).de,
  fr: async () => (await import('./fr.js')).fr,
  es: async () => (await import('./es.js')).es,
  pt: async () => (await import('./pt.js')).pt,
  ja: async () => (await import('./ja.js')).ja,
  zh: async () => (await import('./zh.js')).zh,
  ar: async () => (await import('./ar.js')).ar,
};

/** @param language one that the component has */
export async function loadKeyWords(language: string): Promise<KeyWords> {
  return { language, sentences: await (catalogues[language] ?? english)() };
}
