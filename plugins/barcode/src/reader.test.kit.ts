/** Reads pages in the test's own thread. */
import type { Barcode, BarcodeWishes, RawPage, Symbology } from '@platen/core/plugin';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { texts, type Code } from './pages.test.kit.js';
import { readPage } from './readPage.js';
import { barcodeTypeOf } from './symbologies.js';
import { compile } from './wasm.js';
import { openZxing } from './zxing.js';

const compiled = await compile(
  await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))),
);
export const zxing = await openZxing(compiled);

export function read(page: RawPage, wishes: Partial<BarcodeWishes> = {}, thorough = true): Barcode[] {
  return readPage(zxing, page, { filterLevel: 'Normal', formats: [], stopAfterFirst: false, ...wishes }, thorough);
}

/** `CODE_128 DN-2026-00917`, sorted. */
export function spelled(found: readonly Pick<Barcode, 'text' | 'barcodeType'>[]): string[] {
  return found.map(({ text, barcodeType }) => `${barcodeType} ${text}`).sort();
}

export function spelledCodes(codes: readonly Code[]): string[] {
  return spelled(codes.map(({ symbology, text }) => ({ text, barcodeType: barcodeTypeOf(symbology) })));
}

/** The usual code of one symbology. */
export const spelledFormat = (symbology: Symbology): string[] =>
  spelledCodes([{ symbology, text: texts[symbology], x: 0, y: 0 }]);
