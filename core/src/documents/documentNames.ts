/** Names of documents that are unique, and safe as file names on Windows, macOS and Linux. */

/** Room is left for a number, an extension and `.part`: some encrypted file systems take 143 bytes. */
const MOST_BYTES = 100;

/** Names of devices on Windows, with any extension. Source: learn.microsoft.com, "Naming Files, Paths, and Namespaces". */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(?:\.|$)/i;

/**
 * @param wanted any text, such as that of a barcode
 * @param otherwise used if nothing of `wanted` is left
 */
export type NameDocument = (wanted: string | undefined, otherwise: string) => string;

/** A name that was given before gets a number: `Invoice (2)`. Names are equal if they differ only in case. */
export function documentNames(): NameDocument {
  const taken = new Set<string>();
  const lastNumbers = new Map<string, number>();
  return (wanted, otherwise) => {
    const name = safeName(wanted ?? '') || otherwise;
    const key = keyOf(name);
    if (!taken.has(key)) {
      taken.add(key);
      return name;
    }
    for (let number = lastNumbers.get(key) ?? 2; ; number++) {
      const numbered = `${name} (${number})`;
      if (taken.has(keyOf(numbered))) continue;
      taken.add(keyOf(numbered));
      lastNumbers.set(key, number + 1);
      return numbered;
    }
  };
}

/** What file systems that ignore case take for the same name; `ß` and `SS` are, for some. */
function keyOf(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** Empty if nothing is left. */
function safeName(text: string): string {
  const name = text
    // No name needs more than its first characters, however long the code.
    .slice(0, 4 * MOST_BYTES)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    // Invisible characters, those that change the direction of the text, and halves of characters.
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .normalize('NFC')
    .replace(/[<>:"/\\|?*]/g, '-')
    .replace(/\s+/g, ' ');
  // Hidden files and options of commands begin with these; Windows removes dots and spaces at the end.
  const bare = shortened(name.replace(/^[ .-]+/, '')).replace(/[ .]+$/, '');
  return RESERVED.test(bare) ? `_${bare}` : bare;
}

/** To as many complete characters as fit. */
function shortened(name: string): string {
  let bytes = 0;
  let end = 0;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > MOST_BYTES) break;
    end += character.length;
  }
  return name.slice(0, end);
}
