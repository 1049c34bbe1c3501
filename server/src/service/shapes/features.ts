/** The list of what the loaded plugins let pages ask for. */
import { Type } from '../../machine/schemaType.js';
import { reasons } from '../features.js';

const strings = (description: string) => Type.Array(Type.String(), { description });

export const FeatureListAnswer = Type.Object(
  {
    success: Type.Literal(true),
    revision: Type.Integer({ description: 'Grows with each change, from 1 at the start of the service.' }),
    barcodes: Type.Object({
      available: Type.Boolean(),
      symbologies: strings('Names that `barcodeFormats` takes; empty if barcodes are not read.'),
    }),
    text: Type.Object({
      available: Type.Boolean(),
      languages: strings('The installed languages of text recognition, such as `eng`.'),
    }),
    recognisers: strings('Kinds of the loaded recognisers.'),
    processors: strings('Names of the loaded processors, as `process` takes them.'),
    formats: strings('The loaded image formats, as `imageFormat` takes them.'),
    documents: strings('The loaded document formats, as `format` takes them.'),
    off: Type.Array(
      Type.Object({
        kind: Type.Enum(['format', 'recogniser', 'document']),
        id: Type.String(),
        why: Type.Enum([...reasons]),
      }),
      { description: 'What is shipped, or of a premium plugin, and cannot be asked for now, and why.' },
    ),
  },
  {
    title: 'FeatureList',
    description: 'What pages can ask for. Plugins are switched and licensed while the service runs.',
    examples: [
      {
        success: true,
        revision: 2,
        barcodes: { available: true, symbologies: ['QrCode', 'Code128'] },
        text: { available: false, languages: [] },
        recognisers: ['barcode', 'blank'],
        processors: ['despeckle'],
        formats: ['Png', 'Jpeg'],
        documents: ['pdf'],
        off: [{ kind: 'recogniser', id: 'ocr', why: 'switched-off' }],
      },
    ],
  },
);
