/** `GET /health`: plain text, one of Healthy, Degraded, Unhealthy. */
import { messageOf } from '@platen/core';
import { statusOfHealth, type Health } from '../http/errors.js';
import type { Route } from '../route.js';

const text = (description: string, ...words: readonly Health[]): object => ({
  description,
  content: { 'text/plain': { schema: { enum: words }, example: words[0] } },
});

const schema = {
  operationId: 'getHealth',
  summary: "The service's health",
  description:
    "Plain text. Degraded: the desktop application is not connected. Unhealthy: the check itself failed, or the disk refused pages, which are in memory only and nobody has fetched; see the service's log.",
  tags: ['Service'],
};
// Sent as plain text, not through a schema.
const response = {
  [statusOfHealth('Healthy')]: text('The service answers.', 'Healthy', 'Degraded'),
  [statusOfHealth('Unhealthy')]: text('The check itself failed.', 'Unhealthy'),
};

const health: Route = (app, { check, desktop, log }) => {
  const state = async (): Promise<Health> => {
    try {
      await check();
      return desktop.connected ? 'Healthy' : 'Degraded';
    } catch (error) {
      log.error(`The health check failed: ${messageOf(error)}`);
      return 'Unhealthy';
    }
  };
  app.get('/health', { schema, config: { document: { response } } }, async (_request, reply) => {
    const now = await state();
    return reply.code(statusOfHealth(now)).type('text/plain; charset=utf-8').send(now);
  });
};
export default health;
