/** The plugin `@platen/document-pdf`: contributes the document format Pdf. */
import { definePlugin } from '@platen/core/plugin';
import { createG4Encoder } from './g4/g4Encoder.js';
import { pdfFormat } from './pdf.js';

export default definePlugin({
  name: '@platen/document-pdf',
  api: 1,
  setup() {
    const g4 = createG4Encoder();
    return { documents: [pdfFormat(g4)], close: () => g4.close() };
  },
});
