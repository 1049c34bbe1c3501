/** Code 32, the Italian pharmacode: nine digits as a Code 39 of six characters. The rule is zxing's: a test compares. */

/** Base 32: no vowels. */
const alphabet = '0123456789BCDFGHJKLMNPQRSTUVWXYZ';

/**
 * The text that is printed below a Code 32: `A`, eight digits and their check digit.
 * @param text of a Code 39
 * @returns undefined if it is no Code 32; of ordinary labels of six characters without a vowel, one in ten could be one
 */
export function code32(text: string): string | undefined {
  const values = [...text].map(character => alphabet.indexOf(character));
  if (values.length !== 6 || values.includes(-1)) return undefined;
  const number = values.reduce((sum, value) => sum * 32 + value, 0);
  if (number > 999_999_999) return undefined;
  const digits = String(number).padStart(9, '0');
  // Every second digit counts twice, and of what has two digits, their sum.
  const sum = [...digits.slice(0, 8)].map(Number).reduce((total, digit, at) => {
    const weighted = digit * (1 + (at % 2));
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === Number(digits[8]) ? `A${digits}` : undefined;
}
