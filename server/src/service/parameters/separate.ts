/** `separate`: what begins a new document within a scan. Its schema, and which fields belong to which way. */
import { InvalidValue, patchCodes, SEPARATOR_TEXT, separators, type Separation } from '@platen/core';
import { Type } from '../../machine/schemaType.js';

export const Separate = Type.Object(
  {
    by: Type.Enum([...separators], {
      description:
        'blank: a sheet whose scanned sides are all blank. barcode, patch: a sheet with such a code. count: a number of pages.',
    }),
    pages: Type.Optional(
      Type.Integer({ minimum: 1, description: 'For count, and required there: pages of each document.' }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: `for barcode: the code's text, 1 to 500 characters, in which * stands for any characters. Absent: ${SEPARATOR_TEXT}`,
      }),
    ),
    codes: Type.Optional(
      Type.Array(Type.Enum([...patchCodes]), {
        maxItems: 100,
        description: 'For patch: the codes that separate; empty or absent: all.',
      }),
    ),
    keep: Type.Optional(
      Type.Boolean({
        description:
          'Not for count. true: both sides of a separator sheet are the first pages of the document that it begins. Absent: false, they are in no document.',
      }),
    ),
  },
  { title: 'Separate', description: 'What begins a new document within the scan.' },
);
export type Separate = Type.Static<typeof Separate>;

/** The fields of each way, apart from `by`. */
const fields: Readonly<Record<Separate['by'], readonly (keyof Separate)[]>> = {
  blank: ['keep'],
  barcode: ['text', 'keep'],
  patch: ['codes', 'keep'],
  count: ['pages'],
};

/**
 * @param separate checked against its schema
 * @throws `InvalidValue` for a field that does not belong to `by`, and for one that is missing
 */
export function separationOf({ codes, ...separate }: Separate): Separation {
  const { by } = separate;
  const given = Object.keys({ ...separate, ...(codes ? { codes } : {}) }) as (keyof Separate)[];
  const strange = given.find(name => name !== 'by' && !fields[by].includes(name));
  if (strange !== undefined)
    throw new InvalidValue(
      `separate.${strange}`,
      `nothing with separate.by ${by}, which takes ${fields[by].join(' and ')}`,
    );
  if (by === 'count' && separate.pages === undefined)
    throw new InvalidValue('separate.pages', 'an integer of at least 1 with separate.by count');
  return { ...separate, ...(codes && codes.length > 0 ? { codes } : {}) };
}
