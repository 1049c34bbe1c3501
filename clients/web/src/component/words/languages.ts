/** The languages with a catalogue, and how each area of it is loaded when it is needed. */
import type { Sentences } from './en.js';
import { wordsOf, type Words } from './words.js';
import type { Area } from './otherLanguages.js';

const english: Readonly<Record<Area, () => Promise<Sentences>>> = {
  first: async () => (await import('./en/first.js')).first,
  settings: async () => (await import('./en/settings.js')).settings,
  actions: async () => (await import('./en/actions.js')).actions,
  errors: async () => (await import('./en/errors.js')).errors,
  findings: async () => (await import('./en/findings.js')).findings,
  app: async () => (await import('./en/app.js')).app,
};

/** BCP 47 tags; those but English are in otherLanguages.ts. */
export const languages: readonly string[] = ['en', 'de', 'fr', 'es', 'pt', 'ja', 'zh', 'ar'];

async function sentencesOf(language: string, area: Area): Promise<Sentences> {
  if (language === 'en') return english[area]();
  const { others } = await import('./otherLanguages.js');
  return (others[language] ?? english)[area]();
}

/** What is loaded, by language; shared by all elements of a page. */
const loaded = new Map<string, { readonly words: Words; readonly sentences: Sentences }>();

/**
 * The words of a language with these areas, and those that were loaded before. English where a file cannot be loaded.
 * @throws if English cannot be loaded either
 */
export async function loadWords(language: string, areas: Iterable<Area>): Promise<Words> {
  const sentences: Sentences = loaded.get(language)?.sentences ?? {};
  const { words } = loaded.get(language) ?? { words: wordsOf(language, sentences) };
  loaded.set(language, { words, sentences });
  const load = async (area: Area): Promise<void> => {
    Object.assign(sentences, await sentencesOf(language, area).catch(english[area]));
  };
  await Promise.all([...areas].map(load));
  return words;
}
