/** The interface's values in everyday words. */

const values: Readonly<Record<string, string>> = {
  Color: 'Colour',
  Grayscale: 'Grey',
  BlackAndWhite: 'Black and white',
  Simplex: 'One side',
  DuplexLongEdge: 'Both, turned like a book',
  DuplexShortEdge: 'Both, turned like a pad',
  Auto: 'Detect the sheet',
  Letter: 'Letter 8.5 × 11 in',
  Legal: 'Legal 8.5 × 14 in',
  A4: 'A4 210 × 297 mm',
  A5: 'A5 148 × 210 mm',
  A6: 'A6 105 × 148 mm',
  B5: 'B5 182 × 257 mm',
  keep: 'Keep',
  flag: 'Mark',
  drop: 'Leave out of documents',
};

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
const twoDimensional = new Set(['PDF_417', 'QR_CODE', 'DATA_MATRIX', 'AZTEC']);

export const symbologyWord = (type: string): string => symbologies[type] ?? type;
export const isMatrix = (type: string): boolean => twoDimensional.has(type);

export function valueWord(value: string | number | boolean, parameter?: string): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (parameter === 'resolution') return `${value} dpi`;
  return values[String(value)] ?? String(value);
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** What became of the pages before a failure; empty if there are none. */
export function keptWord(pages: number): string {
  if (pages === 0) return '';
  return pages === 1 ? 'The page before that is kept.' : 'The pages before that are kept.';
}

/** 1536 → 1.5 KB */
export function sizeWord(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** 9640 → 9.6 s */
export const secondsWord = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
