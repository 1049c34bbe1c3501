/** `GET /app/progress`: the number of finished pages of a running scan. */
import { Type } from 'typebox';
import { assertOwnPage } from '../../http/ownPage.js';
import type { Route } from '../../route.js';

const schema = {
  hide: true,
  querystring: Type.Object({
    requestId: Type.String({ minLength: 1, maxLength: 200, description: 'the requestId of a scan' }),
  }),
};

const appProgress: Route = (app, { progress }) => {
  app.get('/app/progress', { schema, onRequest: async request => assertOwnPage(request) }, async (request, reply) => {
    const pages = progress.pagesOf(request.query.requestId);
    return reply
      .header('cache-control', 'no-store')
      .send({ success: true, running: pages !== undefined, pages: pages ?? 0 });
  });
};
export default appProgress;
