/** Named shapes of the document: each schema with a title stands once, under that name, and is referred to. */

import { errorHeader } from '../http/errorHeader.js';

/** An OpenAPI document, as far as it is worked on here. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly tags?: readonly string[];
  readonly requestBody?: {
    required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: { readonly required?: readonly string[] } }>>;
  };
  responses: Readonly<Record<string, unknown>>;
}

/** What is answered where nothing else is said. */
export const failureResponse = { $ref: '#/components/responses/Failure' } as const;

/** On every error answer. */
export const errorHeaders = { [errorHeader]: { $ref: '#/components/headers/PlatenError' } } as const;

const platenError = {
  description:
    'The failure for programs, as JSON in ASCII: its `code` always; with invalid-value also the `field`, ' +
    'and the `allowed` values where they can be counted.',
  schema: { type: 'string' },
  example: '{"code":"invalid-value","field":"colorMode","allowed":["Color","Grayscale","BlackAndWhite"]}',
};

const anyFailure = {
  description:
    'Any other refusal: a body that is not JSON, too large or not sent as application/json, a foreign origin or host, what a browser sends without CORS; or a failure of the service itself.',
  headers: errorHeaders,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};

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
    // Where it is a whole body, its example has moved out of it.
    schemas[title] = { ...(before as object | undefined), ...copy };
    return { $ref: `#/components/schemas/${title}` };
  };

  const paths = named(document.paths) as Document['paths'];
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  const components = { schemas: sorted, responses: { Failure: anyFailure }, headers: { PlatenError: platenError } };
  return Object.assign({}, document, { paths, components });
}
