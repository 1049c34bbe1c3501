/** `GET /`: that the service is there, and which it is. */
import { RootInfo } from '../http/dto/schemas.js';
import type { Route } from './route.js';

const root: Route = (app, { version, clock }) => {
  app.get('/', { schema: { response: { '2xx': RootInfo } } }, async () => ({
    service: 'Platen',
    version,
    status: 'running',
    timestamp: new Date(clock.now()).toISOString(),
  }));
};
export default root;
