/** `GET /reference`: the OpenAPI document as a page for people, which loads nothing from elsewhere. */
import { servePage } from '../http/answers/pageFiles.js';
import type { Route } from '../route.js';

const reference: Route = app => {
  app.get('/reference/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/reference'));
  servePage(app, 'reference', { address: '/reference' });
};
export default reference;
