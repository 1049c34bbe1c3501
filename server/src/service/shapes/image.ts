/** A finished page as the interface's Image, without the data. */
import type { FinishedPage } from '@platen/core';
import type { Image } from './schemas.js';

export type ImageFacts = Omit<Image, 'base64Data'>;

/**
 * @param fileSizeBytes of the image's file
 * @param report adds each requested adjustment and its result
 */
export function imageFacts(page: Omit<FinishedPage, 'data'>, fileSizeBytes: number, report: boolean): ImageFacts {
  const {
    mimeType,
    pageNumber,
    width,
    height,
    dpi,
    format,
    ocrText,
    barcodes,
    blank,
    findings,
    report: reported,
  } = page;
  return {
    mimeType,
    pageNumber,
    width,
    height,
    resolution: Math.round(dpi),
    format,
    fileSizeBytes,
    ocrText,
    barcodes: [...barcodes],
    ...(blank ? { blank: { ...blank } } : {}),
    ...(findings ? { findings: { ...findings } } : {}),
    ...(report ? { report: [...reported] } : {}),
  };
}
