/**
 * Makes foreign text (from a device, file or host) safe for a terminal or a log: no control sequences, no extra lines.
 */

/** Control characters including C1, line separators, and characters that change the direction of text. */
const orders = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Escaped as in JSON, so that JSON keeps its meaning. */
const spelt = (character: string): string => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;

/** All of `orders` but line feeds, tabs, and the carriage return of a Windows line end. */
const ordersInLines = /(?!\n|\t|\r\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** As one line. */
export function printable(text: string): string {
  return text.replace(orders, spelt);
}

/**
 * Keeps ends of lines and tabs: for Platen's own text with lines or columns, whose foreign parts are already `printable`.
 */
export function printableLines(text: string): string {
  return text.replace(ordersInLines, spelt);
}
