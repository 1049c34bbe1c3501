/**
 * A configuration without what may be a secret or a name: numbers and switches stay, of texts only those at keys that
 * take a word of Platen's, a package or an origin. Of a plugin's options, only the count of keys stays.
 */

const keptTexts: readonly RegExp[] = [
  /^\$schema$/,
  /^log\.level$/,
  /^plugins\.\d+\.(?:use|on\.\d+)$/,
  /^security\.(?:localPrograms|(?:origins|allowedHosts)(?:\.\d+)?)$/,
  /^profiles\.[^.]+\.(?:source|colorMode|duplexMode|pageSize|imageFormat|barcodeFilterLevel|blankPages|transferMode)$/,
];
const optionsOfAPlugin = /^plugins\.\d+\.options$/;

export interface Word {
  readonly text: string;
  /** May be an ordinary word: it goes only where it is quoted. */
  readonly isCommon: boolean;
}

export interface Redacted {
  /** The configuration as others may see it. */
  readonly value: unknown;
  /** What was removed, which may be in sentences elsewhere. */
  readonly words: readonly Word[];
}

/** @param configuration as JSON has it */
export function redacted(configuration: unknown): Redacted {
  const words: Word[] = [];
  const leaveOut = (text: string): string => (words.push(wordOf(text)), removed(text));

  /** @param path of the value in the file; empty: the whole */
  const seen = (value: unknown, path: string): unknown => {
    if (optionsOfAPlugin.test(path)) {
      words.push(...wordsIn(value));
      return removedOptions(value);
    }
    if (typeof value === 'string') return keptTexts.some(each => each.test(path)) ? value : leaveOut(value);
    if (Array.isArray(value)) return value.map((each, at) => seen(each, joined(path, String(at))));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each], at) => {
        const name = path === 'profiles' ? `profile ${at + 1}` : isWord(key) ? key : `name ${at + 1}`;
        if (name !== key) words.push(wordOf(key));
        return [name, seen(each, joined(path, name))];
      }),
    );
  };
  return { value: seen(configuration, ''), words };
}

const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** A key of an object whose keys are names, such as of scanners, is one of Platen's words only by its form. */
const isWord = (key: string): boolean => /^\$?[a-z][A-Za-z0-9]{0,40}$/.test(key);

/** What is said of a plugin's options. */
export const removedOptions = (options: unknown): string =>
  `(removed: ${typeof options === 'object' && options !== null ? Object.keys(options).length : 0} keys)`;

/** Every text, number and key in a plugin's options. */
function wordsIn(value: unknown): Word[] {
  if (typeof value === 'string' || typeof value === 'number') return [wordOf(String(value))];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  return Object.entries(value).flatMap(([key, each]) => [{ text: key, isCommon: isWord(key) }, ...wordsIn(each)]);
}

/** A shorter text is found everywhere. */
const SHORTEST = 4;
const wordOf = (text: string): Word => ({ text, isCommon: text.length < SHORTEST });

export const removed = (text: string): string => `(removed: ${text.length} characters)`;

/** Sentences of Platen and its plugins, without the words that were removed from the configuration. */
export function withoutWords(lines: readonly string[], words: readonly Word[]): string[] {
  const patterns = words
    .filter(({ text }) => text !== '')
    .flatMap(({ text, isCommon }) => [text, JSON.stringify(text).slice(1, -1)].map(each => ({ each, isCommon })))
    .sort((a, b) => b.each.length - a.each.length)
    .map(({ each, isCommon }) => {
      const literal = each.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
      return isCommon ? `(?<=")${literal}(?=")` : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
    });
  const found = patterns.length === 0 ? undefined : new RegExp([...new Set(patterns)].join('|'), 'gu');
  return lines.map(line =>
    (found ? line.replace(found, '(removed)') : line).replace(pathOfOptions, 'options.(removed)'),
  );
}

/** Where a sentence says which option is wrong: its keys may be names. */
const pathOfOptions = /(?<![\w./\\-])options(?:\.(?:[\w$-]+|\(removed\))|\[\d+\])+|(?<=")options\.[^"]*(?=")/g;
