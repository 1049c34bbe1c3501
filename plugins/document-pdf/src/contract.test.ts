/** PDF documents: the published suite, read back by qpdf and poppler. */
import { documentContract, needs } from '@platen/conformance';
import t from 'tap';
import { createG4Encoder } from './g4/g4Encoder.js';
import { pdfFormat } from './pdf.js';
import { readPdf } from './readPdf.test.kit.js';

void t.test('the published suite', async t => {
  if (!['qpdf', 'pdfimages', 'pdftotext'].every(tool => needs(t, tool))) return;
  const folder = t.testdir();
  await documentContract(t, {
    make: async () => {
      const g4 = createG4Encoder();
      return { format: pdfFormat(g4), readBack: bytes => readPdf(folder, bytes), dispose: () => g4.close() };
    },
    features: { pixels: true, lossy: false, text: true, title: true },
  });
});
