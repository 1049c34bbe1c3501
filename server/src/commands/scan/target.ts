/** What `--out` names: files of pages, or documents. */
import { InvalidValue } from '@platen/core';
import { ConfigError } from '../../machine/configError.js';
import { httpCodeOf } from '../../service/http/errors.js';
import { documentPath, type DocumentAsk } from './documentAsk.js';
import { assertNoDocumentFlag, documentAskOf } from './documentFlags.js';
import { imageFormats, type FlagValues } from './flags.js';
import type { OutFiles } from './outFiles.js';
import type { ReachedService } from './reachedService.js';
import { failureIn } from './scanRun.js';

/** A document, or the format of pages. */
export type Target = { readonly document: DocumentAsk } | { readonly pages: string | undefined };

type Names = Pick<OutFiles, 'extension' | 'format' | 'isNumbered'>;

/** Extensions of images that no document has; `tif` may be either. */
const isOnlyImage = ({ format }: Names): boolean => format !== undefined && imageFormats[format] !== 'Tiff';

/**
 * Whether the files are pages whatever plugins are loaded.
 * @throws {ConfigError} naming a flag that the files cannot have
 */
export function arePages(files: Names, values: FlagValues): boolean {
  const numbersPages = files.isNumbered && values['separate'] === undefined;
  const isPages = files.extension === '' || isOnlyImage(files) || (numbersPages && files.format !== undefined);
  if (isPages) {
    if (files.format === undefined && values['format'] === undefined)
      throw noExtension(files, Object.keys(imageFormats));
    assertNoDocumentFlag(values);
  }
  return isPages;
}

/** @param endings that `--out` takes */
function noExtension({ extension }: Names, endings: readonly unknown[]): ConfigError {
  const taken = `a name that ends in ${endings.map(each => `.${String(each)}`).join(', ')}; or name the format with --format.`;
  return usage(
    extension === ''
      ? `--out takes ${taken}`
      : `--out: no loaded plugin writes a .${extension} file. It takes ${taken}`,
  );
}

/**
 * Asks what the service can write.
 * @throws {ConfigError} naming a flag and what it takes
 */
export async function targetOf(
  files: Names,
  values: FlagValues,
  { calls }: { readonly calls: Calls },
): Promise<Target> {
  const ask = documentAskOf(values, files.extension);
  const refusal = await refusalOf(ask, calls);
  if (refusal && refusal.field !== 'format') throw usage(`--${refusal.field} takes ${refusal.accepts}.`);
  if (refusal) {
    const given = values['format'] ?? files.format;
    const endings = given === undefined ? await imageEndings(calls) : [];
    if (given === undefined && !endings.includes(files.extension))
      throw noExtension(files, [...new Set([...endings, ...(refusal.allowed ?? [])])]);
    assertNoDocumentFlag(values);
    return { pages: given === undefined ? files.extension : String(given) };
  }
  if (files.isNumbered && values['separate'] === undefined)
    throw usage(
      `--out takes %d in a document's name only with --separate, which numbers documents; count:1 gives one per page.`,
    );
  return { document: ask };
}

/** The format of the pages in a document: what scanners send and formats keep. */
export function pageFormatOf({ format }: DocumentAsk, { color }: FlagValues): string {
  if (format === 'tif' || format === 'tiff') return 'tiff';
  return String(color).toLowerCase() === 'blackandwhite' ? 'png' : 'jpeg';
}

function usage(sentence: string): ConfigError {
  return new ConfigError(sentence, { code: 'usage' });
}

type Calls = Pick<ReachedService['calls'], 'json'>;

/** No scan has this id: the service answers what it thinks of the document before it looks for the scan. */
const NO_SCAN = '00000000-0000-4000-8000-000000000000';

/**
 * Why the service cannot write such a document; undefined if it can.
 * @returns of the field `format` if no loaded document format has that extension
 */
async function refusalOf(ask: DocumentAsk, calls: Calls): Promise<InvalidValue | undefined> {
  try {
    await calls.json(documentPath(NO_SCAN, ask));
  } catch (thrown) {
    const error = failureIn(thrown);
    if (error instanceof InvalidValue) return error;
    if (httpCodeOf(error) !== 'scan-not-found') throw error;
  }
  return undefined;
}

/** Endings of the files of pages, in lower case without a dot. The OpenAPI document as it is served lists the loaded formats. */
async function imageEndings(calls: Calls): Promise<readonly string[]> {
  const { components } = await calls.json<Described>('/openapi.json');
  return components.schemas.DirectScanParameters.properties.outputFormat.enum;
}

interface Described {
  readonly components: {
    readonly schemas: {
      readonly DirectScanParameters: {
        readonly properties: { readonly outputFormat: { readonly enum: readonly string[] } };
      };
    };
  };
}
