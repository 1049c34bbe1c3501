/** `GET /app/`: the page on which people try a scanner. */
import { servePage } from '../../http/answers/pageFiles.js';
import type { Route } from '../../route.js';

const app: Route = server => {
  server.get('/app', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/app/'));
  servePage(server, 'app', { address: '/app/', hasComponent: true });
};
export default app;
