/** All of English, which has every key; other languages have the same. For its types: programs load it by areas. */
import { actions } from './en/actions.js';
import { app } from './en/app.js';
import { errors } from './en/errors.js';
import { findings } from './en/findings.js';
import { first } from './en/first.js';
import { settings } from './en/settings.js';

/** One sentence for each plural form that the language has (CLDR). */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;
export type Message = string | Plural;

export const en = { ...actions, ...app, ...errors, ...findings, ...first, ...settings } as const satisfies Readonly<
  Record<string, Message>
>;
export type Key = keyof typeof en;
/** Of a whole language, or of an area. */
export type Sentences = Readonly<Partial<Record<Key, Message>>>;
