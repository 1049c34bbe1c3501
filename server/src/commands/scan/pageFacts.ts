/** The facts of a page for standard output: as JSON, and the codes and text as lines. */
import type { PageFacts } from '@platen/client';
import { printable } from '../../machine/printable.js';

export type { PageFacts } from '@platen/client';

/** The interface's Image without the data, and where the page was. */
export function pageJson(page: PageFacts): object {
  const { sheet, side, mimeType, number, width, height, resolution, format, bytes, ocrText, barcodes } = page;
  const { blank, findings, report } = page;
  return {
    ...{ sheet, side, mimeType, pageNumber: number, width, height, resolution, format, fileSizeBytes: bytes },
    ...{ ocrText, barcodes },
    ...(blank ? { blank } : {}),
    ...(findings ? { findings } : {}),
    report,
  };
}

/** The codes and text of a page, indented, to tell them from the files' lines. */
export function* readLines({
  barcodes,
  ocrText,
  findings = {},
}: Pick<PageFacts, 'barcodes' | 'ocrText' | 'findings'>): Generator<string> {
  for (const { barcodeType, confidence, text } of barcodes)
    yield `  ${barcodeType} ${confidence.toFixed(2)} ${printable(text)}`;
  if (ocrText !== '') for (const line of ocrText.split(/\r?\n/)) yield `  ${printable(line)}`;
  for (const [kind, found] of Object.entries(findings)) yield `  ${kind} ${printable(JSON.stringify(found))}`;
}
