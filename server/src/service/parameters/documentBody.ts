/** The body of a request for a document: pages of any scans in the wanted order, or fronts and backs in turn. */
import {
  backsOrders,
  InvalidValue,
  turns,
  type DocumentFormat,
  type DocumentWishes,
  type Registry,
  type Turn,
} from '@platen/core';
import { Type } from '../../machine/schemaType.js';
import { spelt } from './validation.js';
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

const Interleave = Type.Object(
  {
    fronts: Type.String({ minLength: 1, description: 'the id of a scan' }),
    backs: Type.String({ minLength: 1, description: 'the id of another scan, with as many pages' }),
    backsOrder: Type.Optional(
      Type.Enum([...backsOrders], {
        default: 'reversed',
        description:
          'reversed: the last sheet came first, as when the whole stack is turned over. same: the first sheet came first.',
      }),
    ),
    rotate: Type.Optional(
      Type.String({
        description:
          'Degrees clockwise, 0, 90, 180 or 270, by page: 2:180,4:180. all:90 turns the pages that are not listed. Page 1 is the front of the first sheet, page 2 its back; blank pages count.',
      }),
    ),
  },
  {
    title: 'Interleave',
    description:
      'Two scans of the same stack with a one-sided feeder: the fronts, then the backs. Both are over, and have equally many pages. The document has the front and the back of each sheet, without blank pages that their scan drops.',
  },
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
    pages: Type.Optional(
      Type.Array(WantedPage, {
        minItems: 1,
        maxItems: MOST_PAGES,
        description: 'In the wanted order. A page may occur several times. Required without `interleave`.',
      }),
    ),
    interleave: Type.Optional(Interleave),
  },
  {
    title: 'DocumentRequest',
    description: 'Pages of any scans, or the fronts and backs of a stack, and how to write them.',
    minProperties: 1,
    examples: [
      { format: 'pdf', pages: [{ scan: '6f1c2a3e-0000-4000-8000-000000000000', page: 3, rotate: 90 }] },
      {
        interleave: {
          fronts: '6f1c2a3e-0000-4000-8000-000000000000',
          backs: '91d0b7c4-0000-4000-8000-000000000000',
          backsOrder: 'reversed',
        },
      },
    ],
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

/** The body in the interface's spelling, unchecked. @throws `InvalidValue` for an object without `pages` and `interleave` */
export function speltBody(given: unknown): unknown {
  const body = spelt<Partial<DocumentBody> | null>(DocumentBody, given);
  if (typeof body === 'object' && body?.pages === undefined && body?.interleave === undefined)
    throw new InvalidValue('pages', `1 to ${MOST_PAGES} pages; or give interleave instead`);
  return body;
}

type Pages = Required<Pick<DocumentBody, 'pages'>> | Required<Pick<DocumentBody, 'interleave'>>;

/**
 * Which of the two a body has.
 * @param body checked
 * @throws `InvalidValue` for one with both
 */
export function wantedPagesOf({ pages = [], interleave }: DocumentBody): Pages {
  if (!interleave) return { pages };
  if (pages.length === 0) return { interleave };
  throw new InvalidValue('interleave', 'nothing beside pages: give one of the two');
}
