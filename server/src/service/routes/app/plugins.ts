/** `GET /app/plugins`: the health of the plugins that tell it, for commands; no web page but the service's own reads it. */
import { assertOwnPage } from '../../http/guards/ownPage.js';
import type { Route } from '../../route.js';

const appPlugins: Route = (app, { health }) => {
  app.get(
    '/app/plugins',
    { schema: { hide: true }, onRequest: async request => assertOwnPage(request) },
    async (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ success: true, health: await health.ask() }),
  );
};
export default appPlugins;
