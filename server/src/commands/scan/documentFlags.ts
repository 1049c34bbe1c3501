/** The flags of `platen scan` that say what a document is like. */
import { ConfigError } from '../../machine/configError.js';
import type { DocumentAsk } from './documentAsk.js';
import type { FlagValues } from './flags.js';

interface DocumentFlag {
  /** The field of the query that the flag sets. */
  readonly field: keyof DocumentAsk;
  /** The value's name in the help; a flag without one is a switch. */
  readonly shows?: string;
  /** For the help. */
  readonly says: string;
  readonly read: (value: string) => string;
}

const documentFlags: Readonly<Record<string, DocumentFlag>> = {
  title: { field: 'title', shows: 'TEXT', says: "the document's title", read: text => text },
  rotate: {
    field: 'rotate',
    shows: 'TURNS',
    says: 'degrees clockwise: 90 for every page, or 3:90,4:180 by page',
    // A number alone is for all pages.
    read: text =>
      text
        .split(',')
        .map(each => each.trim().replace(/^(?=\d+$)/, 'all:'))
        .join(','),
  },
  'no-text': { field: 'searchable', says: 'leave out the text that --ocr reads', read: () => 'false' },
};

/** For `parseArgs`. */
export const documentOptions = Object.fromEntries(
  Object.entries(documentFlags).map(([name, { shows }]) => [
    name,
    { type: shows === undefined ? ('boolean' as const) : ('string' as const) },
  ]),
);

/** Names of flags that need a document. */
export const documentFlagNames: readonly string[] = Object.keys(documentFlags);

/** One line of help per flag. */
export const documentHelp = Object.entries(documentFlags)
  .map(([name, { shows, says }]) => `  ${`--${name} ${shows ?? ''}`.padEnd(26)}${says}`)
  .join('\n');

/** @param format the extension of the document's file */
export function documentAskOf(values: FlagValues, format: string): DocumentAsk {
  const given = Object.entries(documentFlags).flatMap(([name, { field, read }]) => {
    const value = values[name];
    return value === undefined || value === false ? [] : [[field, read(String(value))]];
  });
  return { format, ...(values['barcodes'] === true ? { barcodes: 'true' } : {}), ...Object.fromEntries(given) };
}

/** @throws {ConfigError} naming a flag that needs a document */
export function assertNoDocumentFlag(values: FlagValues): void {
  const drops = String(values['blank-pages']).toLowerCase() === 'drop' ? ['blank-pages'] : [];
  const name = [...documentFlagNames, 'separate', ...drops].find(each => values[each] !== undefined);
  if (name === undefined) return;
  const flag = name === 'blank-pages' ? '--blank-pages drop' : `--${name}`;
  throw new ConfigError(`${flag} needs a document: a name such as letter.pdf for --out.`, { code: 'usage' });
}
