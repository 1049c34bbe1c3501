/** The HTTP application: every route, over composed parts. It does not listen. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { FastifySSEPlugin } from 'fastify-sse-v2';
import fastify, { type FastifyBaseLogger } from 'fastify';
import type { ServerOptions } from 'node:https';
import type { Security } from '../machine/config/schema.js';
import { errorHeader } from './http/answers/errorHeader.js';
import { http } from './http/http.js';
import { httpServerOptions } from './http/serverOptions.js';
import disable from './routes/api/twain/autoscan/disable.js';
import enable from './routes/api/twain/autoscan/enable.js';
import events from './routes/api/twain/autoscan/events.js';
import cancelScan from './routes/api/scans/cancel.js';
import continueScan from './routes/api/scans/continue.js';
import scanDocument from './routes/api/scans/document.js';
import scanDocuments from './routes/api/scans/documents.js';
import scanEvents from './routes/api/scans/events.js';
import listScans from './routes/api/scans/list.js';
import scanPage from './routes/api/scans/page.js';
import readScan from './routes/api/scans/read.js';
import releaseScan from './routes/api/scans/release.js';
import startScan from './routes/api/scans/start.js';
import consent from './routes/api/consent.js';
import documents from './routes/api/documents.js';
import profiles from './routes/api/profiles.js';
import separator from './routes/api/separator.js';
import cancel from './routes/api/twain/cancel.js';
import capabilities from './routes/api/twain/capabilities.js';
import direct from './routes/api/twain/direct.js';
import scan from './routes/api/twain/scan.js';
import scanners from './routes/api/twain/scanners.js';
import status from './routes/api/twain/status.js';
import version from './routes/api/twain/version.js';
import client from './routes/client.js';
import page from './routes/app/index.js';
import pageScanners from './routes/app/scanners.js';
import pageTray from './routes/app/tray.js';
import health from './routes/health.js';
import metrics from './routes/metrics.js';
import openapi from './routes/openapi.js';
import origins from './routes/origins.js';
import reference from './routes/reference.js';
import root from './routes/root.js';
import { installDocument } from './openapi/document.js';
import type { App } from './http/app.js';
import { RETRY_MS } from './responses/eventStream.js';
import type { RouteParts } from './routeParts.js';

/** URL = file. */
const routes = [
  root,
  health,
  metrics,
  status,
  version,
  scanners,
  capabilities,
  scan,
  cancel,
  enable,
  disable,
  events,
  direct,
  startScan,
  listScans,
  readScan,
  scanPage,
  scanDocument,
  scanDocuments,
  scanEvents,
  cancelScan,
  continueScan,
  releaseScan,
  consent,
  documents,
  profiles,
  separator,
  openapi,
  reference,
  client,
  page,
  pageScanners,
  pageTray,
  origins,
];

export interface AppSettings {
  readonly routeParts: RouteParts;
  readonly security: Pick<Security, 'allowedHosts'>;
  /** Absent: plain HTTP, for tests that inject requests. */
  readonly tls?: Pick<ServerOptions, 'key' | 'cert'>;
  readonly logger?: FastifyBaseLogger;
}

export async function buildApp({ routeParts, security, tls, logger }: AppSettings): Promise<App> {
  const app: App = fastify({
    ...httpServerOptions(tls),
    ...(logger ? { loggerInstance: logger } : {}),
  }).withTypeProvider<TypeBoxTypeProvider>();
  await app.register(http, { security, consent: routeParts.consent, forPages: routeParts.forPages });
  await app.register(FastifySSEPlugin, { retryDelay: RETRY_MS });
  countErrors(app, routeParts);
  installDocument(app, routeParts);
  for (const route of routes) route(app, routeParts);
  await app.ready();
  return app;
}

function countErrors(app: App, { metrics: counted }: RouteParts): void {
  if (!counted) return;
  app.addHook('onResponse', (_request, reply, done) => {
    const header = reply.getHeader(errorHeader);
    if (typeof header === 'string') counted.tally.answered((JSON.parse(header) as { code: string }).code);
    done();
  });
}
