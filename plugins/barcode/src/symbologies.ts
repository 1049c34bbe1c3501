/** The interface's symbologies as zxing names them, and back again. */
import { symbologies, type Barcode, type Symbology } from '@platen/core/plugin';

export type Family = 'linear' | 'stacked' | 'matrix';

interface ZxingFormat {
  /** The names that zxing takes, comma-separated: of a symbology and of its variants. */
  readonly names: string;
  readonly family: Family;
}

/**
 * Code 39 in its standard form: the extended one guesses, and turns a printed `A+B` into `Ab`. QR without its micro form:
 * its few bits of error correction find codes in any pattern. zxing decodes EAN-13 and UPC-A alike; the text says which
 * of them it was.
 */
const zxingFormat: Readonly<Record<Symbology, ZxingFormat>> = {
  Code128: { names: 'Code128', family: 'linear' },
  Code39: { names: 'Code39Std', family: 'linear' },
  Code93: { names: 'Code93', family: 'linear' },
  Ean13: { names: 'EAN13', family: 'linear' },
  Ean8: { names: 'EAN8', family: 'linear' },
  UpcA: { names: 'EAN13', family: 'linear' },
  UpcE: { names: 'UPCE', family: 'linear' },
  Itf: { names: 'ITF', family: 'linear' },
  Codabar: { names: 'Codabar', family: 'linear' },
  Pdf417: { names: 'PDF417', family: 'stacked' },
  QrCode: { names: 'QRCodeModel2,QRCodeModel1', family: 'matrix' },
  DataMatrix: { names: 'DataMatrix', family: 'matrix' },
  Aztec: { names: 'AztecCode,AztecRune', family: 'matrix' },
};

export const everyFormat = Object.keys(zxingFormat) as Symbology[];

/** The names that zxing reports. */
const reported: Readonly<Record<string, Symbology>> = {
  Code128: 'Code128',
  Code39: 'Code39',
  Code39Std: 'Code39',
  Code93: 'Code93',
  EAN13: 'Ean13',
  EAN8: 'Ean8',
  UPCA: 'UpcA',
  UPCE: 'UpcE',
  ITF: 'Itf',
  ITF14: 'Itf',
  Codabar: 'Codabar',
  PDF417: 'Pdf417',
  CompactPDF417: 'Pdf417',
  QRCode: 'QrCode',
  QRCodeModel1: 'QrCode',
  QRCodeModel2: 'QrCode',
  DataMatrix: 'DataMatrix',
  Aztec: 'Aztec',
  AztecCode: 'Aztec',
  AztecRune: 'Aztec',
};

/** @returns zxing's names, comma-separated; empty where none of the wished formats is of these families */
export function zxingFormats(formats: readonly Symbology[], families: readonly Family[]): string {
  const wished = (formats.length === 0 ? everyFormat : formats).map(each => zxingFormat[each]);
  return [...new Set(wished.filter(({ family }) => families.includes(family)).map(({ names }) => names))].join();
}

export function familyOf(symbology: Symbology): Family {
  return zxingFormat[symbology].family;
}

export function barcodeTypeOf(symbology: Symbology): Barcode['barcodeType'] {
  return symbologies[symbology];
}

/** A result of zxing in the interface's words: the symbology, and the text as it is printed below the bars. */
export function fromZxing(
  format: string,
  text: string,
  extra: Readonly<Record<string, unknown>>,
): { symbology: Symbology; text: string } | undefined {
  const symbology = reported[format];
  if (symbology === undefined) return undefined;
  // A UPC-A is drawn as the EAN-13 that begins with 0 (GS1 General Specifications, 5.2.2): the same lines, one digit
  // fewer below.
  if (symbology === 'Ean13' && text.length === 13 && text.startsWith('0'))
    return { symbology: 'UpcA', text: text.slice(1) };
  if (symbology === 'UpcA' && text.length === 13) return { symbology, text: text.slice(1) };
  // zxing expands UPC-E to the EAN-13 that it stands for, and keeps the printed text apart.
  if (symbology === 'UpcE' && typeof extra['UPCE'] === 'string') return { symbology, text: extra['UPCE'] };
  return { symbology, text };
}
