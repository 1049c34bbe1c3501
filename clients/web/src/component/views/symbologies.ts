/** Symbologies of barcodes, by the names that the interface has. */

/** Proper names. */
const symbologies: Readonly<Record<string, string>> = {
  PDF_417: 'PDF417',
  QR_CODE: 'QR Code',
  DATA_MATRIX: 'Data Matrix',
  AZTEC: 'Aztec',
  CODE_128: 'Code 128',
  CODE_39: 'Code 39',
  CODE_93: 'Code 93',
  EAN_13: 'EAN-13',
  EAN_8: 'EAN-8',
  UPC_A: 'UPC-A',
  UPC_E: 'UPC-E',
  ITF: 'ITF',
  CODABAR: 'Codabar',
};
const twoDimensional: ReadonlySet<string> = new Set(['PDF_417', 'QR_CODE', 'DATA_MATRIX', 'AZTEC']);

export const symbologyWord = (type: string): string => symbologies[type] ?? type;
export const isMatrix = (type: string): boolean => twoDimensional.has(type);
