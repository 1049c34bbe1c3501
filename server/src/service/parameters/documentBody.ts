/** The body of a request for a document: pages of any scans, in the wanted order. */
import { turns, type DocumentFormat, type DocumentWishes, type Registry, type Turn } from '@platen/core';
import { Type } from '../../machine/schemaType.js';
import { DEFAULT_FORMAT, formatOf, MOST_PAGES, MOST_TITLE, titleOf } from './documentQuery.js';

/** Of a body: the most pages, with long ids and spaces. */
export const DOCUMENT_BYTES = 4 * 1024 * 1024;

const WantedPage = Type.Object(
  {
    scan: Type.String({ minLength: 1, description: 'the id of a scan' }),
    page: Type.Integer({ minimum: 1, description: 'The number of a page that the scan has.' }),
    rotate: Type.Optional(
      Type.Unsafe<Turn>({ type: 'integer', enum: [...turns], default: 0, description: 'Degrees clockwise.' }),
    ),
  },
  { title: 'WantedPage', description: 'A page of a scan, for a document.' },
);

export const DocumentBody = Type.Object(
  {
    format: Type.Optional(
      Type.String({ default: DEFAULT_FORMAT, description: "a document format's extension, in any letter case" }),
    ),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MOST_TITLE,
        description: `1 to ${MOST_TITLE} characters, without control characters`,
      }),
    ),
    searchable: Type.Optional(
      Type.Boolean({
        description:
          'true: every page gets its text, which is read now if the scan did not read it. false: none does. Absent: pages whose text was read have it.',
      }),
    ),
    barcodes: Type.Optional(
      Type.Boolean({ default: false, description: 'true: the text of the barcodes is put into the metadata.' }),
    ),
    pages: Type.Array(WantedPage, {
      minItems: 1,
      maxItems: MOST_PAGES,
      description: 'In the wanted order. A page may occur several times.',
    }),
  },
  {
    title: 'DocumentRequest',
    description: 'Pages of any scans, and how to write them.',
    examples: [{ format: 'pdf', pages: [{ scan: '6f1c2a3e-0000-4000-8000-000000000000', page: 3, rotate: 90 }] }],
  },
);
export type DocumentBody = Type.Static<typeof DocumentBody>;

/**
 * @param body checked
 * @param formats the loaded ones
 * @throws `InvalidValue`
 */
export function documentWishesOf(
  { format, title, searchable, barcodes = false }: DocumentBody,
  formats: readonly DocumentFormat[],
  whyNot?: Registry['whyNot'],
): { readonly format: DocumentFormat; readonly wishes: DocumentWishes } {
  const own = titleOf(title);
  return {
    format: formatOf(format, formats, whyNot),
    wishes: {
      ...(own === undefined ? {} : { title: own }),
      ...(searchable === undefined ? {} : { searchable }),
      barcodes,
    },
  };
}
