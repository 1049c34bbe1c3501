/** The recogniser passes the published suite. */
import { recogniserContract } from '@platen/conformance';
import t from 'tap';
import { sheet, texts } from './pages.test.kit.js';
import { barcodeRecogniser } from './recogniser.js';

const page = await sheet({
  dpi: 200,
  width: 100,
  height: 70,
  codes: [
    { symbology: 'QrCode', text: texts.QrCode, x: 25, y: 25 },
    { symbology: 'Code128', text: texts.Code128, x: 65, y: 25, module: 0.254 },
    { symbology: 'Ean13', text: texts.Ean13, x: 40, y: 52 },
  ],
});

await recogniserContract(t, {
  features: { kind: 'barcode' },
  async make() {
    const recogniser = barcodeRecogniser({ workers: 2, thorough: true });
    return {
      recogniser,
      page: () => ({ ...page, data: page.data.slice() }),
      holds: [
        { text: texts.QrCode, barcodeType: 'QR_CODE' },
        { text: texts.Code128, barcodeType: 'CODE_128' },
        { text: texts.Ean13, barcodeType: 'EAN_13' },
      ],
      dispose: () => recogniser.close(),
    };
  },
});
