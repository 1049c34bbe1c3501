/** The parameters of the simplified endpoints as options. */
import type { ScanOptions } from '@platen/core';
import type { Parameters } from './schemas.js';

/** @param parameters already checked against their schema and in the interface's spelling */
export function optionsFromSimple(parameters: Parameters = {}): ScanOptions {
  return optionsFrom(parameters, parameters.imageFormat ?? 'Png');
}

/** The defaults are the design's decisions; what the scanner decides (resolution, colour) is left open here. */
export function optionsFrom(parameters: Omit<Parameters, 'imageFormat'>, format: string): ScanOptions {
  const { resolution, colorMode, transferMode } = parameters;
  return {
    ...(resolution === undefined ? {} : { resolution }),
    ...(colorMode === undefined ? {} : { colorMode }),
    ...(transferMode === undefined ? {} : { transferMode }),
    duplexMode: parameters.duplexMode ?? 'Simplex',
    pageSize: parameters.pageSize ?? 'Letter',
    autoRotate: parameters.autoRotate ?? false,
    autoDeskew: parameters.autoDeskew ?? false,
    autoCrop: parameters.autoCrop ?? false,
    format,
    quality: parameters.jpegQuality ?? 90,
    ...(parameters.barcodeReadingEnabled
      ? {
          barcode: {
            filterLevel: parameters.barcodeFilterLevel ?? 'Normal',
            formats: parameters.barcodeFormats ?? [],
            stopAfterFirst: parameters.barcodeStopAfterFirst ?? false,
          },
        }
      : {}),
    ocr: parameters.ocrEnabled ?? false,
    timeoutSeconds: parameters.requestTimeoutSeconds ?? 0,
    report: parameters.report ?? false,
  };
}
