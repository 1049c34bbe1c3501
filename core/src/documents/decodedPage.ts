/** A stored page as pixels again. */
import { ScanError } from '../contract/errors.js';
import type { RawPage } from '../contract/page.js';
import type { StoredPage } from '../kept/storedPage.js';
import { wholeOf } from '../pipeline/spool.js';
import type { Registry } from '../registry/registry.js';

export type Decoders = Pick<Registry, 'formats'>;

/** @throws `unsupported` if no loaded format decodes it, `storage-failed` */
export async function decodedPage(stored: StoredPage, { formats }: Decoders, signal: AbortSignal): Promise<RawPage> {
  const { mimeType, format: name, sheet, side, dpi } = stored.page;
  const format = formats.find(each => each.mimeType === mimeType && each.decode);
  if (!format?.decode) throw new ScanError('unsupported', `No loaded plugin decodes the format ${name}.`);
  const image = await format.decode(await wholeOf(stored, signal), { signal });
  return { ...image, kind: 'raw', sheet, side, dpi };
}
