/** Checks that a page encoded by the device is one complete image, and decodes it if its pixels are needed. */
import { plainWordsOf, ScanError } from '../contract/errors.js';
import type { DecodedImage, Format } from '../contract/format.js';
import type { EncodedPage, RawPage } from '../contract/page.js';
import { checkImage } from '../images/imageCheck.js';
import { nameOf, untrueClaim } from '../images/imageFault.js';
import type { Work } from './work.js';

/**
 * A thread checks the bytes while a decoder, if there is one, decodes them: decoders fill in missing data.
 * @returns its pixels; undefined if they are not needed or no loaded format decodes it
 * @throws `driver-failed`, with the driver and the fault, if the page is not a complete image
 */
export async function soundPage(
  page: EncodedPage,
  pageNumber: number,
  needed: boolean,
  work: Work,
): Promise<RawPage | undefined> {
  const { software, note, driver } = work;
  const failed = (words: string): ScanError =>
    new ScanError('driver-failed', `The driver ${driver} delivered an invalid page ${pageNumber}: ${words}.`);
  const untrue = untrueClaim(page);
  if (untrue !== undefined) throw failed(untrue);
  const decoder = software.formats.find(each => each.mimeType === page.mimeType && each.decode);
  const decoding = needed && decoder ? decode(decoder, page, work) : undefined;
  const verdict = await checkImage({ ...page, decoded: decoding !== undefined }).catch((error: unknown) => {
    throw new ScanError('internal', `Page ${pageNumber} could not be checked: ${plainWordsOf(error)}.`, {
      cause: error,
    });
  });
  if (verdict.fault !== undefined) throw failed(verdict.fault);
  // Some kinds can only be checked by decoding; the result is dropped.
  const decoded = await (decoding ?? (verdict.undecided && decoder ? decode(decoder, page, work) : undefined));
  if (decoded && 'why' in decoded) throw failed(`its ${nameOf(page.mimeType)} cannot be decoded: ${decoded.why}`);
  if (!needed) return undefined;
  if (!decoded) {
    const text = `The scanner delivered ${page.mimeType}, which no loaded format decodes: the pages keep that format.`;
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
    return { why: `it decodes to ${image.width} by ${image.height} pixels, but the page says ${width} by ${height}` };
  } catch (error) {
    return { why: plainWordsOf(error) };
  }
}
