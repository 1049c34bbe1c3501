/** The OpenAPI document of the interface, generated from the routes' schemas. */
import fastify, { type FastifySchema, type RouteOptions } from 'fastify';
import { lazyCompilers } from '../http/compilers.js';
import { CodedFailure } from '../shapes/schemas.js';
import { isAddition } from '../http/answers/errorHeader.js';
import { isFailure, statusOf } from '../http/errors.js';
import type { App } from '../http/app.js';
import type { RouteParts } from '../routeParts.js';
import { errorHeaders, failureResponse, withComponents, type Document, type Operation } from './components.js';
import { withVocabulary } from './vocabulary.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The document of all routes; made once, by the first call. */
    openApi(): Promise<Document>;
  }
  interface FastifyContextConfig {
    /** Additions to a route's schema for the document only: fastify does not check or serialize by them. */
    document?: FastifySchema & Readonly<Record<`x-${string}`, unknown>>;
  }
}

export const tags = [
  { name: 'Service', description: 'Whether the service runs, and its health.' },
  { name: 'Scanners', description: 'The available scanners and their capabilities.' },
  { name: 'Scanning', description: 'One call that answers with the pages. One scan runs at a time.' },
  {
    name: 'Scans',
    description:
      'Scans as resources: each page can be fetched as soon as it is stored, and is kept until its client has it, also when the service ends. With `scans.keep: false` in the configuration, nothing survives the service.',
  },
  {
    name: 'Auto-scan',
    description: 'Scans every document that is inserted into the open scanner, and pushes its pages over a stream.',
  },
  {
    name: 'Consent',
    description:
      'With `security.origins: "ask"`, a page may scan once a person or an administrator of the computer said yes.',
  },
  {
    name: 'TWAIN Direct style',
    description: 'The same calls in one envelope, with a scanner that stays open between calls.',
  },
  { name: 'Reference', description: 'This document.' },
];

const description = `Lets a web page scan with the document scanner on the same computer.

Bodies are JSON in UTF-8. Field names are case-sensitive. Enumerated words are case-insensitive in requests; answers use the spelling shown here. Unknown fields are ignored. Times are ISO 8601 UTC.

There is no authentication: the service listens on the loopback interface only. Any origin may call, with credentials, unless the configuration lists the allowed ones, or has the person asked (\`security.origins\`); another origin gets 403. Preflights for private networks are answered. From a browser, call /api with fetch or EventSource: requests without CORS (navigations, forms, frames, pictures) get 403. Only status, version and scanners can be opened by typing their address. A Host that is not a loopback name gets 421. The certificate is self-signed; \`platen cert install\` adds it to the computer's trust stores.

Every failure is \`{success: false, error}\`, with a sentence in \`error\`; the header \`Platen-Error\` has its code for programs. 503 always means that the desktop application is not connected, and 504 that a scan timed out. A scan that fails after some pages answers with those pages.`;

/** Call it before adding the routes. */
export function installDocument(app: App, routeParts: Pick<RouteParts, 'version' | 'registry'>): void {
  const routes: RouteOptions[] = [];
  // Fastify adds a HEAD for each GET, which the document leaves out.
  app.addHook('onRoute', route => void (route.method !== 'HEAD' && routes.push(route)));
  let making: Promise<Document> | undefined;
  app.decorate('openApi', () => (making ??= documentOf(routes, routeParts)));
}

/** By an app of its own, so that the generator is loaded only when somebody asks. */
async function documentOf(
  routes: readonly RouteOptions[],
  { version, registry }: Pick<RouteParts, 'version' | 'registry'>,
): Promise<Document> {
  const { default: fastifySwagger } = await import('@fastify/swagger');
  const app = fastify({ exposeHeadRoutes: false, schemaController: { compilersFactory: lazyCompilers() } });
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
    transformObject: ({ openapiObject }: { openapiObject?: unknown }) =>
      withVocabulary(finished(openapiObject as Document), registry) as never,
  } as Parameters<typeof fastifySwagger>[1]);
  for (const { method, url, schema, config } of routes)
    app.route({ method, url, ...(schema && { schema }), ...(config && { config }), handler: () => undefined });
  await app.ready();
  const document = app.swagger() as unknown as Document;
  await app.close();
  return document;
}

function finished(document: Document): Document {
  for (const [path, item] of Object.entries(document.paths))
    for (const operation of Object.values(item)) finishOperation(operation, isAddition(path));
  return withComponents(document);
}

/** @param isCoded the bodies of its errors have their codes */
function finishOperation(operation: Operation, isCoded: boolean): void {
  const { requestBody, responses, tags: own = [] } = operation;
  if (requestBody) {
    const [media] = Object.values(requestBody.content);
    // An absent body equals an empty one.
    const { required = [], minProperties = 0 } = media?.schema ?? {};
    requestBody.required = required.length > 0 || minProperties > 0;
  }
  // All successes of this service have one status.
  const { '2XX': success, ...rest } = responses;
  const answers: Record<string, unknown> = success === undefined ? rest : { [statusOf(undefined)]: success, ...rest };
  for (const [status, answer] of Object.entries(answers as Record<string, { readonly content?: object }>)) {
    const isJson = 'application/json' in (answer.content ?? {});
    if (!isJson || !isFailure(Number.parseInt(status))) continue;
    const content = isCoded ? { 'application/json': { schema: CodedFailure } } : answer.content;
    answers[status] = { ...answer, content, headers: errorHeaders };
  }
  const otherwise = failureResponse(isCoded ? 'CodedFailure' : 'Failure');
  operation.responses = own.includes('Reference') ? answers : { ...answers, default: otherwise };
}
