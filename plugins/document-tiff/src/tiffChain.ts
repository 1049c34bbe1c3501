/**
 * Images one after the other in a TIFF that is written front to back.
 *
 *     header | data 1 | directory 1 | data 2 | directory 2 | …
 *        └────────────▶ ┘      └─────────────▶ ┘
 *
 * A directory has the place of the next one, so it waits until the next image's length, or the end, is known. The data
 * of an image do not wait.
 */
import { ScanError } from '@platen/core/plugin';
import { directoryBytes, directoryLength, even, header, HEADER_BYTES, longs, type Directory } from './directory.js';
import { tags, type TiffPage } from './tiffPage.js';

/** Offsets have 32 bits. */
export const MAX_BYTES = 2 ** 32 - 1;

export interface TiffChain {
  /** @returns what comes before the data, and after them @throws `unsupported` if the file would be too large */
  add(page: TiffPage): { readonly before: Uint8Array; readonly after: Uint8Array };
  /** The last directory. */
  end(): Uint8Array;
}

export function createTiffChain(maxBytes = MAX_BYTES): TiffChain {
  let last: { readonly fields: Directory; readonly at: number } | undefined;
  return {
    add({ fields, data, stripLengths }) {
      const start = last ? last.at + directoryLength(last.fields) : HEADER_BYTES;
      const at = even(start + data.length);
      const placed = new Map(fields);
      let place = start;
      const places = stripLengths.map(length => (place += length) - length);
      placed.set(tags.stripOffsets, longs(places));
      placed.set(tags.stripLengths, longs(stripLengths));
      if (at + directoryLength(placed) > maxBytes) throw tooLarge(maxBytes);
      const before = last ? directoryBytes(last.fields, last.at, at) : header(at);
      last = { fields: placed, at };
      return { before, after: new Uint8Array(at - start - data.length) };
    },
    end: () => (last ? directoryBytes(last.fields, last.at, 0) : new Uint8Array()),
  };
}

function tooLarge(maxBytes: number): ScanError {
  const limit = maxBytes === MAX_BYTES ? '4 GiB' : `${maxBytes} bytes`;
  return new ScanError(
    'unsupported',
    `The document would be larger than ${limit}, the most that a TIFF can have. Ask for fewer pages, or for a PDF.`,
  );
}
