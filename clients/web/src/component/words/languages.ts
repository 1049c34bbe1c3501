/** The languages with a catalogue, and how one is loaded. */
import { en, type Catalogue } from './en.js';
import { english, wordsOf, type Words } from './words.js';

/** By BCP 47 tag; each in its own file, loaded when it is chosen. */
const catalogues: Readonly<Record<string, () => Promise<Catalogue>>> = {
  en: async () => en,
};

export const languages: readonly string[] = Object.keys(catalogues);

/** The first of these that has a catalogue; `zh-TW` takes `zh`. Undefined if none has. */
export function languageAmong(wanted: readonly string[]): string | undefined {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0] ?? '';
    if (languages.includes(base)) return base;
  }
  return undefined;
}

/** English if the file cannot be loaded. */
export async function loadWords(language: string): Promise<Words> {
  try {
    const load = catalogues[language];
    return load ? wordsOf(language, await load()) : english;
  } catch {
    return english;
  }
}
