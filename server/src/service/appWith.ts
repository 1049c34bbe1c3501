/** An HTTP application with some routes, over composed parts. It does not listen. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { FastifySSEPlugin } from 'fastify-sse-v2';
import fastify, { type FastifyBaseLogger } from 'fastify';
import type { ServerOptions } from 'node:https';
import type { Security } from '../machine/config/schema.js';
import { errorHeader } from './http/answers/errorHeader.js';
import type { App } from './http/app.js';
import { http } from './http/http.js';
import { httpServerOptions } from './http/serverOptions.js';
import { installDocument } from './openapi/document.js';
import { RETRY_MS } from './responses/eventStream.js';
import type { Route } from './route.js';
import type { RouteParts } from './routeParts.js';

export interface AppSettings {
  readonly routeParts: RouteParts;
  readonly security: Pick<Security, 'allowedHosts'>;
  /** Absent: plain HTTP, for a private socket, and for tests that inject requests. */
  readonly tls?: Pick<ServerOptions, 'key' | 'cert'>;
  readonly logger?: FastifyBaseLogger;
}

export async function appWith(
  routes: readonly Route[],
  { routeParts, security, tls, logger }: AppSettings,
): Promise<App> {
  const app: App = fastify({
    ...httpServerOptions(tls),
    ...(logger ? { loggerInstance: logger } : {}),
  }).withTypeProvider<TypeBoxTypeProvider>();
  await app.register(http, { security, consent: routeParts.consent, forPages: routeParts.forPages });
  await app.register(FastifySSEPlugin, { retryDelay: RETRY_MS });
  countErrors(app, routeParts);
  waitForScans(app, routeParts);
  installDocument(app, routeParts);
  for (const route of routes) route(app, routeParts);
  await app.ready();
  return app;
}

const OF_SCANS = /^\/api\/(?:twain$|(?:scans|documents|twain\/scan|twain\/autoscan)(?:\/|$))/;

/** The scans of earlier runs are read while the service listens: calls that concern scans wait until they are. */
function waitForScans(app: App, { scans }: RouteParts): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (OF_SCANS.test(request.routeOptions.url ?? '')) void scans.ready().then(() => done());
    else done();
  });
}

function countErrors(app: App, { metrics: counted }: RouteParts): void {
  if (!counted) return;
  app.addHook('onResponse', (_request, reply, done) => {
    const header = reply.getHeader(errorHeader);
    if (typeof header === 'string') counted.tally.answered((JSON.parse(header) as { code: string }).code);
    done();
  });
}
