/** The interface's symbologies in the words of zxing, and back again. */
import { symbologies, type Barcode, type Symbology } from '@platen/core/plugin';

export type Family = 'linear' | 'stacked' | 'matrix';

interface Named {
  /** What zxing is asked for. */
  readonly ask: string;
  readonly family: Family;
}

/**
 * Code 39 is asked for in its standard form: the extended one guesses, and turns a printed `A+B` into `Ab`. Aztec
 * without runes and QR without its micro form, whose few bits of error correction find codes in any pattern.
 * EAN and UPC are one family of lines in zxing; which of them it was is told by the text.
 */
const names: Readonly<Record<Symbology, Named>> = {
  Code128: { ask: 'Code128', family: 'linear' },
  Code39: { ask: 'Code39Std', family: 'linear' },
  Code93: { ask: 'Code93', family: 'linear' },
  Ean13: { ask: 'EAN13', family: 'linear' },
  Ean8: { ask: 'EAN8', family: 'linear' },
  UpcA: { ask: 'EAN13', family: 'linear' },
  UpcE: { ask: 'UPCE', family: 'linear' },
  Itf: { ask: 'ITF', family: 'linear' },
  Codabar: { ask: 'Codabar', family: 'linear' },
  Pdf417: { ask: 'PDF417', family: 'stacked' },
  QrCode: { ask: 'QRCodeModel2', family: 'matrix' },
  DataMatrix: { ask: 'DataMatrix', family: 'matrix' },
  Aztec: { ask: 'AztecCode', family: 'matrix' },
};

export const everyFormat = Object.keys(names) as Symbology[];

/** What zxing says that it found. */
const found: Readonly<Record<string, Symbology>> = {
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
  QRCodeModel2: 'QrCode',
  DataMatrix: 'DataMatrix',
  Aztec: 'Aztec',
  AztecCode: 'Aztec',
};

/** @returns for zxing, comma-separated; empty when none of the wished formats is of these families */
export function askFor(formats: readonly Symbology[], families: readonly Family[]): string {
  const wished = formats.length === 0 ? everyFormat : formats;
  return [...new Set(wished.filter(each => families.includes(names[each].family)).map(each => names[each].ask))].join();
}

export function familyOf(symbology: Symbology): Family {
  return names[symbology].family;
}

export function spell(symbology: Symbology): Barcode['barcodeType'] {
  return symbologies[symbology];
}

/** What one of zxing's findings is in the interface's words: the symbology, and the text as it is printed beneath the bars. */
export function nameOf(format: string, text: string, extra: Readonly<Record<string, unknown>>): { symbology: Symbology; text: string } | undefined {
  const symbology = found[format];
  if (symbology === undefined) return undefined;
  // A UPC-A is drawn as the EAN-13 that begins with 0 (GS1 General Specifications, 5.2.2): the same lines, one digit fewer below.
  if (symbology === 'Ean13' && text.length === 13 && text.startsWith('0')) return { symbology: 'UpcA', text: text.slice(1) };
  if (symbology === 'UpcA' && text.length === 13) return { symbology, text: text.slice(1) };
  // zxing expands UPC-E to the EAN-13 that it stands for, and keeps what was printed aside.
  if (symbology === 'UpcE' && typeof extra['UPCE'] === 'string') return { symbology, text: extra['UPCE'] };
  return { symbology, text };
}
