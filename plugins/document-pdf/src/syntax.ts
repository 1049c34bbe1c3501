/** Values in PDF syntax (ISO 32000-1, 7.3). */

/** The number of an indirect object; 1 and up. */
export type ObjectNumber = number;

export const reference = (object: ObjectNumber): string => `${object} 0 R`;

/** Digits behind the point: a page of 5 m is exact to 4 nm. */
const DIGITS = 5;

/** Without an exponent, which PDF does not know. */
export function number(value: number): string {
  const digits = value.toFixed(DIGITS);
  return digits.replace(/\.?0+$/, '');
}

/** A text string (7.9.2.2) in UTF-16, as hex digits, so that nothing needs an escape. */
export function textString(text: string): string {
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
}

/** A date (7.9.4), to the second, in UTC. @param at milliseconds since 1970 */
export function dateString(at: number): string {
  const [digits] = new Date(at).toISOString().replace(/[-:T]/g, '').split('.');
  return `(D:${digits}+00'00')`;
}
