/** English, which has every key; other languages have the same keys. */
import { app } from './en/app.js';
import { desk } from './en/desk.js';
import { errors } from './en/errors.js';
import { findings } from './en/findings.js';
import { pages } from './en/pages.js';
import { settings } from './en/settings.js';

/** One sentence for each plural form that the language has (CLDR). */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;
export type Message = string | Plural;

export const en = { ...app, ...desk, ...errors, ...findings, ...pages, ...settings } as const satisfies Readonly<
  Record<string, Message>
>;
export type Key = keyof typeof en;
export type Catalogue = Readonly<Record<Key, Message>>;
