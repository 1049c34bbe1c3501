/**
 * A configuration without what may be a secret or a name: numbers and switches stay, of texts only those at keys that
 * take a word of Platen's, a package or an origin.
 */

const keptTexts: readonly RegExp[] = [
  /^\$schema$/,
  /^log\.level$/,
  /^plugins\.\d+\.(?:use|on\.\d+)$/,
  /^security\.(?:localPrograms|(?:origins|allowedOrigins|allowedHosts)(?:\.\d+)?)$/,
  /^profiles\.[^.]+\.(?:source|colorMode|duplexMode|pageSize|imageFormat|barcodeFilterLevel|blankPages|transferMode)$/,
];

/** @param value as JSON has it @param path of the value in the file; empty: the whole */
export function redacted(value: unknown, path = ''): unknown {
  if (typeof value === 'string') return keptTexts.some(each => each.test(path)) ? value : removed(value);
  if (Array.isArray(value)) return value.map((each, at) => redacted(each, joined(path, String(at))));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each], at) => {
      const name = path === 'profiles' ? `profile ${at + 1}` : nameOf(key, at);
      return [name, redacted(each, joined(path, name))];
    }),
  );
}

const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** A key of an object whose keys are names, such as of scanners, is one of Platen's words only by its form. */
const nameOf = (key: string, at: number): string => (/^\$?[a-z][A-Za-z0-9]{0,40}$/.test(key) ? key : `name ${at + 1}`);

export const removed = (text: string): string => `(removed: ${text.length} characters)`;
