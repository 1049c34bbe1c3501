/** What `--out` names: files of pages, or documents. */
import { ConfigError } from '../../config/error.js';
import { outputFormats } from '../../http/dto/parameters.js';
import type { ScanBackend } from './backend.js';
import type { DocumentAsk } from './documentAsk.js';
import { assertNoDocumentFlag, documentAskOf } from './documentFlags.js';
import type { FlagValues } from './flags.js';
import type { OutFiles } from './outFiles.js';

/** Undefined: pages. */
export type Target = DocumentAsk | undefined;

type Names = Pick<OutFiles, 'extension' | 'format' | 'isNumbered'>;

/** Extensions of images that no document has; `tif` may be either. */
const isOnlyImage = ({ format }: Names): boolean => format !== undefined && outputFormats[format] !== 'Tiff';

/**
 * Whether the files are pages whatever plugins are loaded.
 * @throws {ConfigError} naming a flag that the files cannot have
 */
export function arePages(files: Names, values: FlagValues): boolean {
  const numbersPages = files.isNumbered && values['separate'] === undefined;
  const isPages = files.extension === '' || isOnlyImage(files) || (numbersPages && files.format !== undefined);
  if (isPages) assertPages(files, values);
  return isPages;
}

/** @throws {ConfigError} naming --out, or a flag that the files cannot have */
function assertPages(files: Names, values: FlagValues, documents: readonly unknown[] = []): void {
  if (files.format === undefined && values['format'] === undefined) {
    const endings = new Set([...Object.keys(outputFormats), ...documents]);
    const taken = `a name that ends in ${[...endings].map(each => `.${String(each)}`).join(', ')}; or name the format with --format.`;
    throw usage(
      files.extension === ''
        ? `--out takes ${taken}`
        : `--out: no loaded plugin writes a .${files.extension} file. It takes ${taken}`,
    );
  }
  assertNoDocumentFlag(values);
}

/**
 * Asks what the backend can write.
 * @throws {ConfigError} naming a flag and what it takes
 */
export async function targetOf(
  files: Names,
  values: FlagValues,
  { refusesDocument }: Pick<ScanBackend, 'refusesDocument'>,
): Promise<Target> {
  const ask = documentAskOf(values, files.extension);
  const refusal = await refusesDocument(ask);
  if (refusal && refusal.field !== 'format') throw usage(`--${refusal.field} takes ${refusal.accepts}.`);
  if (refusal) {
    assertPages(files, values, refusal.allowed);
    return undefined;
  }
  if (files.isNumbered && values['separate'] === undefined)
    throw usage(
      `--out takes %d in a document's name only with --separate, which numbers documents; count:1 gives one per page.`,
    );
  return ask;
}

/** The format of the pages in a document: what scanners send and formats keep. */
export function pageFormatOf({ format }: DocumentAsk, { color }: FlagValues): string {
  if (format === 'tif' || format === 'tiff') return 'tiff';
  return String(color).toLowerCase() === 'blackandwhite' ? 'png' : 'jpeg';
}

function usage(sentence: string): ConfigError {
  return new ConfigError(sentence, { code: 'usage' });
}
