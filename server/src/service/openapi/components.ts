/** The named shapes of the document: each schema with a title appears once, under that name, and is referenced. */

import { errorHeader } from '../http/answers/errorHeader.js';

/** The parts of an OpenAPI document that this file works on. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface BodySchema {
  readonly required?: readonly string[];
  readonly minProperties?: number;
}

export interface Operation {
  readonly tags?: readonly string[];
  readonly requestBody?: {
    required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: BodySchema }>>;
  };
  responses: Readonly<Record<string, unknown>>;
}

/** The default response, by the name of its body. */
export const failureResponse = (name: 'Failure' | 'CodedFailure') => ({ $ref: `#/components/responses/${name}` });

/** On every error answer. */
export const errorHeaders = { [errorHeader]: { $ref: '#/components/headers/PlatenError' } } as const;

const platenError = {
  description:
    'The failure for programs, as ASCII JSON: always `code`; with invalid-value also `field`, ' +
    '`accepts` (what it takes, for a person) and, if the field takes a finite list of values, `allowed`.',
  schema: { type: 'string' },
  example: '{"code":"invalid-value","field":"resolution","accepts":"one of 75, 150","allowed":[75,150]}',
};

const anyFailure = (name: 'Failure' | 'CodedFailure') => ({
  description:
    'Any other error: a body that is not JSON, is too large or is not sent as application/json; a foreign origin or host; a browser request without CORS; a failure of the service itself.',
  headers: errorHeaders,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
});

export function withComponents(document: Document): Document {
  const schemas: Record<string, unknown> = {};

  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, named(each)]));
    const { title, enum: words, type } = value as { title?: unknown; enum?: unknown; type?: unknown };
    if (type === undefined && Array.isArray(words) && words.every(each => typeof each === 'string'))
      copy['type'] = 'string';
    if (typeof title !== 'string') return copy;
    const before = schemas[title];
    // The example of a whole body has moved to the media type.
    schemas[title] = { ...(before as object | undefined), ...copy };
    return { $ref: `#/components/schemas/${title}` };
  };

  const paths = named(document.paths) as Document['paths'];
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  const components = {
    schemas: sorted,
    responses: { Failure: anyFailure('Failure'), CodedFailure: anyFailure('CodedFailure') },
    headers: { PlatenError: platenError },
  };
  return Object.assign({}, document, { paths, components });
}
