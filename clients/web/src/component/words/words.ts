/** The words of one language: sentences by key, with numbers and dates as that language writes them. */
import type { Key, Message } from './en.js';

export type { Message } from './en.js';

/** A number chooses the plural form, and is written as the language writes numbers. */
export type Values = Readonly<Record<string, string | number>>;

/** @typeParam K the keys of its catalogue: the component's, or those of a page of the service */
export interface Words<K extends string = Key> {
  /** BCP 47; empty while none is loaded. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Whether the language has this sentence. */
  has(this: void, key: string): key is K;
  /** @param values for the `{names}` in the sentence; `count` chooses its plural form */
  (key: K, values?: Values): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  date(value: Date, options?: Intl.DateTimeFormatOptions): string;
  list(parts: readonly string[]): string;
}

/** Languages that are written from right to left, of those that have a catalogue. */
const rightToLeft: ReadonlySet<string> = new Set(['ar']);

/** The first of these that has a catalogue; `zh-TW` takes `zh`. Undefined if none has. */
export function languageAmong(wanted: readonly string[], languages: readonly string[]): string | undefined {
  return wanted.map(tag => tag.toLowerCase().split('-')[0] ?? '').find(base => languages.includes(base));
}

export function wordsOf<K extends string = Key>(
  language: string,
  sentences: Readonly<Partial<Record<K, Message>>>,
): Words<K> {
  const plurals = new Intl.PluralRules(language);
  /** To make one takes longer than to use it a hundred times. */
  const plain = new Intl.NumberFormat(language);
  const number = (value: number, options?: Intl.NumberFormatOptions): string =>
    (options ? new Intl.NumberFormat(language, options) : plain).format(value);

  function pattern(message: Message, count: string | number | undefined): string {
    if (typeof message === 'string') return message;
    return (typeof count === 'number' ? message[plurals.select(count)] : undefined) ?? message.other;
  }
  function say(key: K, values: Values = {}): string {
    return pattern(sentences[key] ?? '', values['count']).replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      return typeof value === 'number' ? number(value) : value;
    });
  }
  return Object.assign(say, {
    language,
    has: (key: string): key is K => Object.hasOwn(sentences, key),
    direction: rightToLeft.has(language) ? ('rtl' as const) : ('ltr' as const),
    number,
    date: (value: Date, options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }) =>
      new Intl.DateTimeFormat(language, options).format(value),
    // A list of units has no separators in Chinese: "137" for 1, 3 and 7.
    list: (parts: readonly string[]) => new Intl.ListFormat(language, { style: 'narrow' }).format(parts),
  });
}

/** Before any language is loaded: it says nothing. */
export const noWords: Words = Object.assign(wordsOf<Key>('en', {}), { language: '' });
