/** What a request for a separator sheet wants, from the query of its address, or from flags of the same names. */
import { InvalidValue, patchCodes, separatorSizes, usualSeparatorSheet, type SeparatorSheet } from '@platen/core';
import { textOf } from './documentQuery.js';

/**
 * The text is checked when the sheet is drawn.
 * @param query values by name; several values of one name are a list
 * @throws `InvalidValue`
 */
export function separatorSheetOf(query: Readonly<Record<string, unknown>>): SeparatorSheet {
  return {
    patch: wordOf(query, 'patch', patchCodes),
    text: textOf(query, 'text') ?? usualSeparatorSheet.text,
    size: wordOf(query, 'size', separatorSizes),
  };
}

/** In any letter case. */
function wordOf<Word extends string>(
  query: Readonly<Record<string, unknown>>,
  name: 'patch' | 'size',
  words: readonly Word[],
): Word {
  const text = (textOf(query, name) ?? usualSeparatorSheet[name]).toLowerCase();
  const found = words.find(each => each.toLowerCase() === text);
  if (found) return found;
  throw new InvalidValue(name, `one of ${words.join(', ')}`, words);
}
