/** `GET /metrics`: what a service did and holds, for Prometheus; only with `metrics.enabled`. */
import type { FastifyRequest } from 'fastify';
import { HttpError, statusOf } from '../http/errors.js';
import { contentType } from '../metrics/exposition.js';
import { refusals } from '../openapi/refusals.js';
import type { Route } from '../route.js';

const schema = {
  operationId: 'getMetrics',
  summary: 'Figures for monitoring',
  description:
    "In Prometheus' text format: scans and pages, their faults by code, the seconds of each step, queues, memory, the certificate's days. Only for programs of this computer, and only with `metrics.enabled` in the configuration. Names of scanners only in what a plugin declares of them; origins of web pages only with `metrics.origins`.",
  tags: ['Service'],
};
// Sent as plain text, not through a schema.
const response = {
  [statusOf(undefined)]: {
    description: 'The figures.',
    content: { 'text/plain': { schema: { type: 'string' }, example: 'platen_pages_total{kind="on-demand"} 12' } },
  },
  ...refusals('unknown-path'),
};

const metrics: Route = (app, parts) => {
  app.get('/metrics', { schema, config: { document: { response } } }, async (request, reply) => {
    assertProgram(request);
    if (!parts.metrics)
      throw new HttpError('unknown-path', 'There is no GET /metrics: "metrics.enabled" is false in the configuration.');
    return reply
      .type(contentType)
      .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .send(await parts.metrics.text());
  });
};
export default metrics;

/** A person may type the address; no page reads it, not even this service's own. */
function assertProgram({ headers }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === undefined && (site === undefined || site === 'none')) return;
  throw new HttpError('origin-refused', 'Web pages may not read this: only programs of this computer may.');
}
