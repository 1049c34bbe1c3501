/**
 * Reads pages from a driver: facts that fit each other and the bytes. The content of an encoded page is checked later.
 */
import { ScanError } from '../contract/errors.js';
import { pageWork, rowBytes, type EncodedPage, type Page, type RawPage } from '../contract/page.js';
import { countOf, fieldsOf, optional, wordOf, wordsOf, type Fields } from './fields.js';

/** A page without its bytes. */
export interface PageHead {
  readonly page: Omit<RawPage, 'data'> | Omit<EncodedPage, 'data'>;
  /** Length of its data in bytes. */
  readonly bytes: number;
}

/** Extra bytes for padding and file overhead, for small limits. */
const SLACK = 1024 * 1024;
/** Four samples of 16 bits: no page's file needs more. */
const MOST_BYTES_A_PIXEL = 8;

/**
 * @param maxPixels limit of the order
 * @param length of its data; of the field `bytes` if absent
 * @throws `unsupported` if the page is over the limit; TypeError if facts do not fit each other or the bytes
 */
export function readPage(fields: Fields, maxPixels: number, length = fields.bytes): PageHead {
  const kind = wordOf(fields, 'kind', ['raw', 'encoded']);
  const width = countOf(fields, 'width', 1);
  const height = countOf(fields, 'height', 1);
  const pixels = wordOf(fields, 'pixels', ['rgb24', 'gray8', 'bw1']);
  if (width * height > maxPixels) {
    throw new ScanError('unsupported', `the page has ${width} x ${height} pixels, more than the ${maxPixels} allowed`);
  }
  const facts = {
    sheet: countOf(fields, 'sheet', 1),
    side: wordOf(fields, 'side', ['front', 'back']),
    width,
    height,
    dpi: dpiOf(fields),
    pixels,
    ...optional(fields, 'adjusted', (its, name) => wordsOf(its, name, pageWork)),
  };
  // Four bytes per allowed pixel suffice for every kind and limit the cost of a false claim.
  const bytes = countOf({ bytes: length }, 'bytes', 1, 4 * maxPixels + SLACK);
  if (kind === 'encoded') {
    const mimeType = wordOf(fields, 'mimeType', ['image/jpeg', 'image/png', 'image/tiff']);
    if (bytes > MOST_BYTES_A_PIXEL * width * height + SLACK)
      throw new TypeError(`${bytes} bytes are more than ${width} x ${height} pixels need`);
    return { page: { ...facts, kind, mimeType }, bytes };
  }
  const row = rowBytes(pixels, width);
  const stride = countOf(fields, 'stride', row);
  if (bytes < stride * (height - 1) + row || bytes > stride * height) {
    throw new TypeError(`${bytes} bytes are not ${height} rows of ${stride}`);
  }
  return { page: { ...facts, kind, stride }, bytes };
}

/** The page with its known fields only; its data are not copied. @throws like `readPage` */
export function checkedPage(value: unknown, maxPixels: number): Page {
  const fields = fieldsOf(value, 'it');
  const { data } = fields;
  if (!(data instanceof Uint8Array)) throw new TypeError('data is not a Uint8Array');
  const { page } = readPage(fields, maxPixels, data.length);
  return { ...page, data };
}

function dpiOf(fields: Fields): number {
  const { dpi } = fields;
  if (typeof dpi === 'number' && Number.isFinite(dpi) && dpi > 0) return dpi;
  throw new TypeError('dpi is not a positive number');
}
