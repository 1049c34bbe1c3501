/** The document format Tiff: pages as images of one file, in order, each written before the next is requested. */
import type { DocumentFormat, DocumentOptions, DocumentPage } from '@platen/core/plugin';
import { longs, rational, shorts, text, type Directory } from './directory.js';
import { createTiffChain } from './tiffChain.js';
import { tags, tiffPage, type TiffOptions } from './tiffPage.js';

/** Bytes of a chunk, at most. */
const CHUNK_BYTES = 256 * 1024;
/** The tag PageNumber counts from 0 in 16 bits. */
const NUMBERED_PAGES = 2 ** 16;

const PAGE_OF_SEVERAL = 2;
const INCH = 2;

/**
 * @param options the plugin's defaults where absent
 * @param maxBytes of a document
 */
export function tiffDocument({ compression = 'lzw' }: Partial<TiffOptions> = {}, maxBytes?: number): DocumentFormat {
  return {
    name: 'Tiff',
    mimeType: 'image/tiff',
    extension: 'tiff',
    aliases: ['tif'],

    async *write(pages, options, { signal }) {
      signal.throwIfAborted();
      const chain = createTiffChain(maxBytes);
      let index = 0;
      for await (const page of pages) {
        signal.throwIfAborted();
        const image = await tiffPage(page, { compression }, signal);
        const { data, stripLengths } = image;
        const fields = new Map([...image.fields, ...facts(page, index++, options)]);
        const { before, after } = chain.add({ fields, data, stripLengths });
        yield before;
        for (let at = 0; at < data.length; at += CHUNK_BYTES) {
          yield data.subarray(at, at + CHUNK_BYTES);
          signal.throwIfAborted();
        }
        if (after.length > 0) yield after;
      }
      signal.throwIfAborted();
      yield chain.end();
    },
  };
}

/** What the document says of a page, whatever its file says. */
function facts(page: DocumentPage, index: number, { title, createdAt, barcodes }: DocumentOptions): Directory {
  const found = barcodes ? page.barcodes.map(each => each.text).join('; ') : '';
  return new Map([
    [tags.subfileType, longs([PAGE_OF_SEVERAL])],
    [tags.xResolution, rational(page.dpi)],
    [tags.yResolution, rational(page.dpi)],
    [tags.resolutionUnit, shorts(INCH)],
    [tags.dateTime, text(dateTime(createdAt))],
    // How many pages there are is not known yet: 0.
    ...(index < NUMBERED_PAGES ? [[tags.pageNumber, shorts(index, 0)] as const] : []),
    ...(title === undefined ? [] : [[tags.documentName, text(title)] as const]),
    ...(found === '' ? [] : [[tags.description, text(found)] as const]),
  ]);
}

/** In the local time, as the tag has no time zone: `2026:04:14 10:30:00`. */
function dateTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())].join(':');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
