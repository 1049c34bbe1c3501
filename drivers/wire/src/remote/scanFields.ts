/** Orders and pages as they come over a link; a page's facts are checked before its buffer is allocated. */
import {
  adjustments, colorModes, duplexModes, pageSizes, rowBytes, ScanError, transferModes,
  type EncodedPage, type Page, type RawPage, type ScanOrder,
} from '@platen/core/plugin';
import { countOf, fieldsOf, flagOf, optional, wordOf, wordsOf, type Fields } from './fields.js';

const sources = ['feeder', 'flatbed'] as const;

export function readOrder(value: unknown): ScanOrder {
  const fields = fieldsOf(value, 'an order');
  return {
    ...optional(fields, 'source', (its, name) => wordOf(its, name, sources)),
    ...optional(fields, 'sheets', (its, name) => countOf(its, name, 1)),
    resolution: countOf(fields, 'resolution', 1),
    colorMode: wordOf(fields, 'colorMode', colorModes),
    duplexMode: wordOf(fields, 'duplexMode', duplexModes),
    pageSize: wordOf(fields, 'pageSize', pageSizes),
    ...optional(fields, 'transferMode', (its, name) => wordOf(its, name, transferModes)),
    adjustments: wordsOf(fields, 'adjustments', adjustments),
    ...optional(fields, 'lossless', flagOf),
    maxPixels: countOf(fields, 'maxPixels', 1),
  };
}

/** A page before its bytes have come. */
export interface PageHead {
  readonly page: Omit<RawPage, 'data'> | Omit<EncodedPage, 'data'>;
  /** Length of its data. */
  readonly bytes: number;
}

/** Room for padding beside the pixels, where few of them are allowed. */
const SLACK = 1024 * 1024;

/**
 * @param maxPixels of the order
 * @throws `unsupported` on a page over it; TypeError on facts that do not fit each other or the bytes
 */
export function readPage(fields: Fields, maxPixels: number): PageHead {
  const width = countOf(fields, 'width', 1);
  const height = countOf(fields, 'height', 1);
  const pixels = wordOf(fields, 'pixels', ['rgb24', 'gray8', 'bw1']);
  if (width * height > maxPixels) {
    throw new ScanError('unsupported', `The page has ${width} x ${height} pixels, more than the ${maxPixels} allowed.`);
  }
  // Four bytes for each pixel that is allowed are enough for every kind, and bound what a lie can cost.
  const bytes = countOf(fields, 'bytes', 1, 4 * maxPixels + SLACK);
  const facts = {
    sheet: countOf(fields, 'sheet', 1),
    side: wordOf(fields, 'side', ['front', 'back']),
    width,
    height,
    dpi: dpiOf(fields),
    pixels,
    ...optional(fields, 'adjusted', (its, name) => wordsOf(its, name, adjustments)),
  };
  if (wordOf(fields, 'kind', ['raw', 'encoded']) === 'encoded') {
    const mimeType = wordOf(fields, 'mimeType', ['image/jpeg', 'image/png', 'image/tiff']);
    return { page: { ...facts, kind: 'encoded', mimeType }, bytes };
  }
  const row = rowBytes(pixels, width);
  const stride = countOf(fields, 'stride', row);
  if (bytes < stride * (height - 1) + row || bytes > stride * height) {
    throw new TypeError(`${bytes} bytes are not ${height} rows of ${stride}`);
  }
  return { page: { ...facts, kind: 'raw', stride }, bytes };
}

/** What is said of a page before its bytes; held to the same rules as what comes. */
export function pageFields(page: Page, maxPixels: number): object {
  const { data, ...facts } = page;
  const head = readPage({ ...facts, bytes: data.length }, maxPixels);
  return { ...head.page, bytes: head.bytes };
}

function dpiOf(fields: Fields): number {
  const { dpi } = fields;
  if (typeof dpi === 'number' && Number.isFinite(dpi) && dpi > 0) return dpi;
  throw new TypeError('dpi is not a positive number');
}
