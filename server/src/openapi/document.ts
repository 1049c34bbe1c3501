/** The OpenAPI document of the interface, made of the routes' own schemas. */
import fastifySwagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { isFailure, statusOf } from '../http/errors.js';
import type { App } from '../http/app.js';
import { errorHeaders, failureResponse, withComponents, type Document, type Operation } from './components.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the document says of a route beside its schema: shapes that fastify is not to check or to write by. */
    document?: FastifySchema & Readonly<Record<`x-${string}`, unknown>>;
  }
}

export const tags = [
  { name: 'Service', description: 'Whether the service is there, and how it is.' },
  { name: 'Scanners', description: 'Which scanners there are, and what they can do.' },
  { name: 'Scanning', description: 'One call, and its pages in the answer. One scan runs at a time.' },
  {
    name: 'Auto-scan',
    description:
      'Every document that is inserted into the open scanner is scanned, and its pages are pushed over a stream.',
  },
  {
    name: 'TWAIN Direct style',
    description: 'The same in one envelope, with a scanner that stays open from one call to the next.',
  },
  { name: 'Reference', description: 'This document.' },
];

const description = `A web page asks this service, and the document scanner on the same computer scans.

Bodies are JSON, UTF-8. Field names are exact; words of a list are taken in any letter case and given back in the spelling that is shown. Fields that are not known are ignored. Times are ISO 8601 UTC.

There is no authentication: the service listens on the loopback interface only. Any origin may call, with credentials, unless the configuration lists those that may (a foreign one is refused with 403), and preflights for private networks are answered. From a browser the calls under /api take fetch or EventSource: what it sends without CORS (navigations, forms, frames, pictures) is refused with 403; status, version and scanners can be opened by typing their address. A Host that is no loopback name is refused with 421. The certificate is self-signed; \`platen cert install\` has this computer trust it.

Every failure is \`{success: false, error}\`, with a sentence in \`error\`; the header \`Platen-Error\` has its code for programs. 503 means that the desktop application is not connected, and nothing else; 504 that a scan timed out. A scan that fails after some pages answers with those pages.`;

/** Call it before the routes are added. @param version of the service */
export async function installDocument(app: App, version: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Platen',
        version,
        summary: 'A local scanner bridge for web pages',
        description,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [
        {
          url: 'https://localhost:{port}',
          description: 'This computer',
          variables: { port: { default: '53052', description: 'What the service says when it starts.' } },
        },
      ],
      tags,
    },
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({ url, schema: { ...schema, ...route.config?.document } }),
    transformObject: ({ openapiObject }: { openapiObject?: unknown }) => finished(openapiObject as Document) as never,
  } as Parameters<typeof fastifySwagger>[1]);
}

function finished(document: Document): Document {
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) finishOperation(operation);
  return withComponents(document);
}

function finishOperation(operation: Operation): void {
  const { requestBody, responses, tags: own = [] } = operation;
  if (requestBody) {
    const [media] = Object.values(requestBody.content);
    // No body is the same as an empty one.
    requestBody.required = (media?.schema.required ?? []).length > 0;
  }
  // A success of this service has one status.
  const { '2XX': success, ...rest } = responses;
  const answers: Record<string, unknown> = success === undefined ? rest : { [statusOf(undefined)]: success, ...rest };
  for (const [status, answer] of Object.entries(answers as Record<string, { readonly content?: object }>)) {
    const isJson = 'application/json' in (answer.content ?? {});
    if (isJson && isFailure(Number.parseInt(status))) answers[status] = { ...answer, headers: errorHeaders };
  }
  operation.responses = own.includes('Reference') ? answers : { ...answers, default: failureResponse };
}
