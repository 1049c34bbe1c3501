/** Writes a separator sheet as a document of one page. */
import type { DocumentFormat, DocumentPage } from '../contract/document.js';
import type { Call } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import type { Registry } from '../registry/registry.js';
import { drawSeparatorSheet, type SeparatorSheet } from './separatorSheet.js';

export interface SheetParts {
  readonly software: Pick<Registry, 'formats'>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Image formats for its page, the best one first: without loss. */
const preferred = ['image/tiff', 'image/png'];

/**
 * The next request may overwrite a chunk.
 * @throws `invalid-value` for a text that the barcode cannot have, `unsupported` if no image format is loaded
 */
export async function* writeSeparatorSheet(
  sheet: SeparatorSheet,
  format: DocumentFormat,
  { software, now }: SheetParts,
  call: Call,
): AsyncGenerator<Uint8Array, void> {
  const drawn = drawSeparatorSheet(sheet);
  const image = preferred.map(type => software.formats.find(each => each.mimeType === type)).find(Boolean);
  const file = image ?? software.formats[0];
  if (!file) throw new ScanError('unsupported', 'No loaded plugin encodes images: a separator sheet needs one.');
  const bytes = await file.encode(drawn, { quality: 90 }, call);
  const page: DocumentPage = {
    pageNumber: 1,
    width: drawn.width,
    height: drawn.height,
    dpi: drawn.dpi,
    mimeType: file.mimeType,
    size: bytes.length,
    turn: 0,
    words: [],
    barcodes: [],
    async *read() {
      yield bytes;
    },
    pixels: async () => drawn,
  };
  async function* pages(): AsyncGenerator<DocumentPage, void> {
    yield page;
  }
  const title = `Separator sheet · patch ${sheet.patch}`;
  yield* format.write(pages(), { title, language: 'en', createdAt: now, barcodes: false }, call);
}
