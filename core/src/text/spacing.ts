/** Which words have a space between them: not those of scripts that are written without. */

/** Scripts without spaces between words, and East Asian punctuation. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const unspaced = `[${scripts.map(name => `\\p{Script=${name}}`).join('')}\\u3000-\\u303f\\uff00-\\uffef]`;
const endsUnspaced = new RegExp(`${unspaced}\\p{M}*$`, 'u');
const beginsUnspaced = new RegExp(`^${unspaced}`, 'u');

/** Whether a space divides two neighbours in a line of text. */
export function hasSpaceBetween(word: string, next: string): boolean {
  return !(endsUnspaced.test(word) && beginsUnspaced.test(next));
}
