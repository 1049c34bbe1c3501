/** `GET /`: identifies the service and its version to programs; leads a person who opens it to the page at /app/. */
import type { IncomingHttpHeaders } from 'node:http';
import { RootInfo } from '../shapes/schemas.js';
import type { Route } from '../route.js';

const schema = {
  operationId: 'getRoot',
  summary: 'Identify the service',
  description:
    'The first call to make: it says whether this is Platen, and its version. A browser that opens the address is redirected to /app/.',
  tags: ['Service'],
  response: { '2xx': RootInfo },
};

const root: Route = (app, { version, clock }) => {
  app.get('/', { schema }, async (request, reply) => {
    void reply.header('vary', [reply.getHeader('vary'), 'Accept', 'Sec-Fetch-Mode'].filter(Boolean).join(', '));
    if (isOpened(request.headers)) return reply.redirect('/app/');
    return { service: 'Platen', version, status: 'running', timestamp: new Date(clock.now()).toISOString() };
  });
};
export default root;

/** Browsers say that they navigate; those that do not (Safari before 16.4) ask for XHTML then. Programs do neither. */
function isOpened({ 'sec-fetch-mode': mode, accept = '' }: IncomingHttpHeaders): boolean {
  return mode === undefined ? accept.includes('application/xhtml+xml') : mode === 'navigate';
}
