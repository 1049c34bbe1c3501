/** The languages with a catalogue, and how each area of it is loaded when it is needed. */
import type { Sentences } from './en.js';
import { wordsOf, type Words } from './words.js';

/**
 * `first`: what the element shows at once. `settings`: the opened settings. `actions`: those other than Done, and the viewer. `errors`: failures but `no-answer`, since a
 * service that fails can give them. `findings`: of `diagnose()`. `app`: the service's own page around the element.
 */
export type Area = 'first' | 'settings' | 'actions' | 'errors' | 'findings' | 'app';

/** By BCP 47 tag; each area in its own file. */
const catalogues: Readonly<Record<string, Readonly<Record<Area, () => Promise<Sentences>>>>> = {
  en: {
    first: async () => (await import('./en/first.js')).first,
    settings: async () => (await import('./en/settings.js')).settings,
    actions: async () => (await import('./en/actions.js')).actions,
    errors: async () => (await import('./en/errors.js')).errors,
    findings: async () => (await import('./en/findings.js')).findings,
    app: async () => (await import('./en/app.js')).app,
  },
  de: {
    first: async () => (await import('./de/first.js')).first,
    settings: async () => (await import('./de/settings.js')).settings,
    actions: async () => (await import('./de/actions.js')).actions,
    errors: async () => (await import('./de/errors.js')).errors,
    findings: async () => (await import('./de/findings.js')).findings,
    app: async () => (await import('./de/app.js')).app,
  },
  fr: {
    first: async () => (await import('./fr/first.js')).first,
    settings: async () => (await import('./fr/settings.js')).settings,
    actions: async () => (await import('./fr/actions.js')).actions,
    errors: async () => (await import('./fr/errors.js')).errors,
    findings: async () => (await import('./fr/findings.js')).findings,
    app: async () => (await import('./fr/app.js')).app,
  },
  es: {
    first: async () => (await import('./es/first.js')).first,
    settings: async () => (await import('./es/settings.js')).settings,
    actions: async () => (await import('./es/actions.js')).actions,
    errors: async () => (await import('./es/errors.js')).errors,
    findings: async () => (await import('./es/findings.js')).findings,
    app: async () => (await import('./es/app.js')).app,
  },
  pt: {
    first: async () => (await import('./pt/first.js')).first,
    settings: async () => (await import('./pt/settings.js')).settings,
    actions: async () => (await import('./pt/actions.js')).actions,
    errors: async () => (await import('./pt/errors.js')).errors,
    findings: async () => (await import('./pt/findings.js')).findings,
    app: async () => (await import('./pt/app.js')).app,
  },
  ja: {
    first: async () => (await import('./ja/first.js')).first,
    settings: async () => (await import('./ja/settings.js')).settings,
    actions: async () => (await import('./ja/actions.js')).actions,
    errors: async () => (await import('./ja/errors.js')).errors,
    findings: async () => (await import('./ja/findings.js')).findings,
    app: async () => (await import('./ja/app.js')).app,
  },
  zh: {
    first: async () => (await import('./zh/first.js')).first,
    settings: async () => (await import('./zh/settings.js')).settings,
    actions: async () => (await import('./zh/actions.js')).actions,
    errors: async () => (await import('./zh/errors.js')).errors,
    findings: async () => (await import('./zh/findings.js')).findings,
    app: async () => (await import('./zh/app.js')).app,
  },
  ar: {
    first: async () => (await import('./ar/first.js')).first,
    settings: async () => (await import('./ar/settings.js')).settings,
    actions: async () => (await import('./ar/actions.js')).actions,
    errors: async () => (await import('./ar/errors.js')).errors,
    findings: async () => (await import('./ar/findings.js')).findings,
    app: async () => (await import('./ar/app.js')).app,
  },
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
    const english = catalogues['en']?.[area];
    Object.assign(sentences, await (catalogues[language]?.[area] ?? english)?.().catch(english));
  };
  await Promise.all([...areas].map(load));
  return words;
}
