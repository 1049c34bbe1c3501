/** `GET /health`: plain text, one of Healthy, Degraded, Unhealthy. */
import { messageOf } from '@platen/core';
import { statusOfHealth, type Health } from '../http/errors.js';
import type { Route } from './route.js';

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
  app.get('/health', async (_request, reply) => {
    const now = await state();
    return reply.code(statusOfHealth(now)).type('text/plain; charset=utf-8').send(now);
  });
};
export default health;
