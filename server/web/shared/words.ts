/** A page's own words: each language is loaded when it is spoken. */
import { languageAmong, wordsOf, type Message, type Words } from '@platen/client/words';

/** How to load each language, by its BCP 47 tag. `en` has every key. */
export type Catalogues<Key extends string> = { readonly en: () => Promise<Readonly<Record<Key, Message>>> } & Readonly<
  Record<string, () => Promise<Readonly<Record<Key, Message>>>>
>;

/** Of the first language that there is, English otherwise. */
export async function wordsAmong<Key extends string>(
  catalogues: Catalogues<Key>,
  wanted: readonly string[],
): Promise<Words<Key>> {
  const language = languageAmong(wanted, Object.keys(catalogues)) ?? 'en';
  return wordsOf(language, await (catalogues[language] ?? catalogues.en)());
}
