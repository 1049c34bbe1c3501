/** Shapes that several answers share. */
import { noteCodes, symbologies, type Barcode as ReadBarcode } from '@platen/core';
import { Type } from '../../machine/schemaType.js';
import type { ImageFormatName } from '../parameters/scanParameters.js';

type BarcodeType = ReadBarcode['barcodeType'];
type MimeType = 'image/png' | 'image/jpeg' | 'image/tiff' | 'image/bmp' | (string & {});

export const imageFormat = Type.Unsafe<ImageFormatName>({
  type: 'string',
  description: 'The name of its format. The list is open: plugins have more, and so may the scanner.',
  examples: ['Png', 'Jpeg', 'Tiff', 'Bmp'],
});
export const mimeType = Type.Unsafe<MimeType>({
  type: 'string',
  description: 'The media type of its file.',
  examples: ['image/png', 'image/jpeg', 'image/tiff', 'image/bmp'],
});

export const Barcode = Type.Object(
  {
    text: Type.String({ description: 'The decoded content.' }),
    barcodeType: Type.Unsafe<BarcodeType>({
      type: 'string',
      description: `One of ${Object.values(symbologies).join(', ')}. The list is open: a reader of a plugin may have more.`,
      examples: ['CODE_128'],
    }),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
  },
  { title: 'Barcode' },
);

export const Blank = Type.Object(
  {
    isBlank: Type.Boolean({ description: 'Whether nobody would miss its content.' }),
    ink: Type.Number({ minimum: 0, maximum: 1, description: 'The share of the page that content covers.' }),
    why: Type.String({ description: 'What decided it, for a person.' }),
  },
  { title: 'Blank', description: 'Whether a side of a sheet is blank.' },
);

export const Findings = Type.Record(Type.String(), Type.Unknown(), {
  title: 'Findings',
  description:
    'Only if `recognise` was requested: what each recogniser found, by kind; null: nothing. One that failed is missing, and a note says so.',
});

export const Reported = Type.Object(
  {
    parameter: Type.String({ description: 'Its name in the request.' }),
    requested: Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
      description: 'Its value; of `recognise` and `process`, as JSON.',
    }),
    result: Type.Enum(['applied', 'emulated', 'ignored'], {
      description: 'applied: by the scanner. emulated: in software. ignored: not done.',
    }),
    why: Type.Optional(Type.String({ description: 'Why it was ignored.' })),
  },
  { title: 'Reported', description: 'A requested adjustment and its result.' },
);

export const Note = Type.Object(
  {
    code: Type.Enum([...noteCodes], { description: 'For programs; core/ERRORS.md explains each.' }),
    text: Type.String({ description: 'For a person; the text may change.' }),
    field: Type.Optional(Type.String({ description: 'The parameter concerned.' })),
    says: Type.Optional(
      Type.String({
        description:
          "If the text begins with the field's name: the rest of it, for programs with other names for fields.",
      }),
    ),
  },
  { title: 'Note', description: 'What a person should know about a successful scan.' },
);
export type Note = Type.Static<typeof Note>;
