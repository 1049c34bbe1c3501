/** The facts of a page for standard output: as JSON, and the codes and text as lines. */
import type { FinishedPage } from '@platen/core';
import { imageFacts, type ImageFacts } from '../../service/shapes/image.js';
import { printable } from '../../machine/printable.js';

/** A page without its bytes. */
export type PageFacts = Omit<FinishedPage, 'data' | 'words'>;

export type PageJson = Pick<FinishedPage, 'sheet' | 'side'> & ImageFacts;

/** @param bytes of its file */
export function pageJson(page: PageFacts, bytes: number): PageJson {
  const { sheet, side } = page;
  return { sheet, side, ...imageFacts(page, bytes, true) };
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
