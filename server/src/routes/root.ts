/** `GET /`: identifies the service and its version. */
import { RootInfo } from '../http/dto/schemas.js';
import type { Route } from '../route.js';

const schema = {
  operationId: 'getRoot',
  summary: 'Identify the service',
  description: 'The first call to make: it says whether this is Platen, and its version.',
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
