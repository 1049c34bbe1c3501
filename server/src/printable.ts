/** Text that a device, a file or a host named, for a terminal or a log: nothing in it is an order to the terminal, or a line of ours. */

/** Control characters, C1 included, separators of lines, and what turns the direction of text. */
const orders = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** As in JSON, so that JSON stays what it was. */
const spelt = (character: string): string => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;

/** In one line. */
export function printable(text: string): string {
  return text.replace(orders, spelt);
}

/** Line feeds and tabs stay: for text of ours of several lines or columns, whose foreign parts are `printable`. */
export function printableLines(text: string): string {
  return text.replace(orders, character => (character === '\n' || character === '\t' ? character : spelt(character)));
}
