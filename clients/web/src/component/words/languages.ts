/** The languages with a catalogue: English is there at once, each other one is a file that is loaded when it is spoken. */
import { en, type Sentences } from './en.js';
import { wordsOf, type Words } from './words.js';

const others: Readonly<Record<string, () => Promise<Sentences>>> = {
  de: async () => (await import('./de.js')).de,
  fr: async () => (await import('./fr.js')).fr,
  es: async () => (await import('./es.js')).es,
  pt: async () => (await import('./pt.js')).pt,
  ja: async () => (await import('./ja.js')).ja,
  zh: async () => (await import('./zh.js')).zh,
  ar: async () => (await import('./ar.js')).ar,
};

/** BCP 47 tags. */
export const languages: readonly string[] = ['en', ...Object.keys(others)];

/** What is loaded, by language; shared by all elements of a page. */
const english = wordsOf('en', en);
const loaded = new Map<string, Words>([['en', english]]);

/** English if the language's file cannot be loaded. */
export async function loadWords(language: string): Promise<Words> {
  const known = loaded.get(language);
  if (known) return known;
  const sentences = await others[language]?.().catch(() => undefined);
  if (!sentences) return english;
  const words = wordsOf(language, sentences);
  loaded.set(language, words);
  return words;
}
