/** `GET /`: that the service is there, and which it is. */
import { RootInfo } from '../http/dto/schemas.js';
import type { Route } from '../route.js';

const schema = {
  operationId: 'getRoot',
  summary: 'Is the service there?',
  description: 'The first thing to ask: whether this is Platen, and which version.',
  tags: ['Service'],
  response: { '2xx': RootInfo },
};

const root: Route = (app, { version, clock }) => {
  app.get('/', { schema }, async () => ({
    service: 'Platen',
    version,
    status: 'running',
    timestamp: new Date(clock.now()).toISOString(),
  }));
};
export default root;
