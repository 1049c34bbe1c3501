/**
 * Reads untrusted fields, from a driver or the other end of a link. Each reader throws a TypeError that names the
 * fault.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** Most characters of names and ids; longer error messages are cut. */
export const MOST_TEXT = 4096;
/** Most characters of display texts, such as a device's name; longer ones are cut. */
const MOST_LABEL = 256;

export function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new TypeError(`${what} is not an object`);
}

export function textOf(fields: Fields, name: string, least = 0): string {
  const value = fields[name];
  if (typeof value === 'string' && value.length >= least && value.length <= MOST_TEXT) return value;
  throw new TypeError(`${name} is not a string of ${least} to ${MOST_TEXT} characters`);
}

/**
 * A display text, without control characters and line ends, cut to 256 characters.
 * @throws TypeError if it is blank and `least` is 1
 */
export function labelOf(fields: Fields, name: string, least: 0 | 1 = 0): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new TypeError(`${name} is not a string`);
  // Half of a surrogate pair is not a character.
  const label = value
    .slice(0, MOST_LABEL)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\p{Cs}/gu, '');
  if (least === 1 && label.trim() === '') throw new TypeError(`${name} is not a string with visible characters`);
  return label;
}

/** Non-empty strings. */
export function textsOf(fields: Fields, name: string, most: number): string[] {
  return listOf(fields, name, most).map(each => textOf({ [name]: each }, name, 1));
}

export function flagOf(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${name} is not a boolean`);
}

export function countOf(fields: Fields, name: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  return count(fields[name], name, least, most);
}

export function numberOf(fields: Fields, name: string, least = -Infinity, most = Infinity): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name} is not a number from ${least} to ${most}`);
}

/** A length in millimetres: more than 0, and less than 10 m. */
export function measureOf(fields: Fields, name: string): number {
  const value = numberOf(fields, name, 0, 10_000);
  if (value === 0) throw new TypeError(`${name} is 0`);
  return value;
}

/** Integers; the limit exceeds any realistic list of resolutions. */
export function countsOf(fields: Fields, name: string, least = 0): number[] {
  return listOf(fields, name, 1000).map(each => count(each, name, least, Number.MAX_SAFE_INTEGER));
}

export function wordOf<Word extends string>(fields: Fields, name: string, words: readonly Word[]): Word {
  return word(fields[name], name, words);
}

export function wordsOf<Word extends string>(fields: Fields, name: string, words: readonly Word[]): Word[] {
  return listOf(fields, name, words.length).map(each => word(each, name, words));
}

/** `{ [name]: … }` if the field is present, else `{}`: for spreading. */
export function optional<Name extends string, Value>(
  fields: Fields,
  name: Name,
  read: (fields: Fields, name: string) => Value,
): { [key in Name]?: Value } {
  return fields[name] === undefined ? {} : ({ [name]: read(fields, name) } as { [key in Name]: Value });
}

export function listOf(fields: Fields, name: string, most: number): unknown[] {
  const value = fields[name];
  if (Array.isArray(value) && value.length <= most) return value as unknown[];
  throw new TypeError(`${name} is not a list of at most ${most}`);
}

function count(value: unknown, name: string, least: number, most: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw new TypeError(`${name} is not an integer from ${least} to ${most}`);
}

function word<Word extends string>(value: unknown, name: string, words: readonly Word[]): Word {
  const known = words.find(each => each === value);
  if (known !== undefined) return known;
  throw new TypeError(`${name} is not one of ${words.join(', ')}`);
}
