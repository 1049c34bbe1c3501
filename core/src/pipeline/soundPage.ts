/** Makes sure that what a device encoded is one whole image, and takes its pixels out where somebody needs them. */
import { plainWordsOf, ScanError } from '../contract/errors.js';
import type { DecodedImage, Format } from '../contract/format.js';
import type { EncodedPage, RawPage } from '../contract/page.js';
import { checkImage } from '../images/imageCheck.js';
import { nameOf, untrueClaim } from '../images/imageFault.js';
import type { Work } from './work.js';

/**
 * The bytes are looked through on a thread while they are decoded, where they are: decoders fill in what is missing.
 * @returns its pixels; undefined where nobody needs them or no loaded format decodes it
 * @throws `driver-failed`, with the driver and what is wrong, for a page that is no whole image
 */
export async function soundPage(
  page: EncodedPage,
  pageNumber: number,
  needed: boolean,
  work: Work,
): Promise<RawPage | undefined> {
  const { software, note, driver } = work;
  const failed = (words: string): ScanError =>
    new ScanError(
      'driver-failed',
      `The driver ${driver} handed over a page ${pageNumber} that cannot be used: ${words}.`,
    );
  const untrue = untrueClaim(page);
  if (untrue !== undefined) throw failed(untrue);
  const decoder = software.formats.find(each => each.mimeType === page.mimeType && each.decode);
  const decoding = needed && decoder ? decode(decoder, page, work) : undefined;
  const verdict = await checkImage({ ...page, decoded: decoding !== undefined }).catch((error: unknown) => {
    throw new ScanError('internal', `Page ${pageNumber} could not be looked through: ${plainWordsOf(error)}.`, {
      cause: error,
    });
  });
  if (verdict.fault !== undefined) throw failed(verdict.fault);
  // Of some kinds only a decoder can tell; what it makes is not kept.
  const decoded = await (decoding ?? (verdict.undecided && decoder ? decode(decoder, page, work) : undefined));
  if (decoded && 'why' in decoded) throw failed(`its ${nameOf(page.mimeType)} cannot be decoded: ${decoded.why}`);
  if (!needed) return undefined;
  if (!decoded) {
    const text = `The scanner delivered ${page.mimeType}, which no loaded format decodes: the pages are as it delivered them.`;
    note({ code: 'format-unchanged', text });
    return undefined;
  }
  const { sheet, side, dpi, adjusted } = page;
  return { kind: 'raw', sheet, side, dpi, ...(adjusted ? { adjusted } : {}), ...decoded.image };
}

type Decoded = { readonly image: DecodedImage } | { readonly why: string };

/** Never rejects. */
async function decode(decoder: Format, { data, width, height }: EncodedPage, { call }: Work): Promise<Decoded> {
  try {
    const image = await decoder.decode!(data, call);
    if (image.width === width && image.height === height) return { image };
    return { why: `it becomes ${image.width} by ${image.height} pixels, the page says ${width} by ${height}` };
  } catch (error) {
    return { why: plainWordsOf(error) };
  }
}
