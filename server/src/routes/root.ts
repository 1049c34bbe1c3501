/** `GET /`: identifies the service and its version to programs; leads a person who opens it to the page at /app/. */
import { RootInfo } from '../http/dto/schemas.js';
import type { Route } from '../route.js';

const schema = {
  operationId: 'getRoot',
  summary: 'Identify the service',
  description:
    'The first call to make: it says whether this is Platen, and its version. A browser that opens the address (it accepts text/html before JSON) is redirected to /app/.',
  tags: ['Service'],
  response: { '2xx': RootInfo },
};

const root: Route = (app, { version, clock }) => {
  app.get('/', { schema }, async (request, reply) => {
    void reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '));
    if (prefersPage(request.headers.accept)) return reply.redirect('/app/');
    return { service: 'Platen', version, status: 'running', timestamp: new Date(clock.now()).toISOString() };
  });
};
export default root;

/** Whether HTML is named, and not less wanted than JSON: `*\/*` of programs and of `fetch` names neither. */
function prefersPage(accept = ''): boolean {
  const ranges = accept
    .toLowerCase()
    .split(',')
    .map(range => range.split(';').map(part => part.trim()));
  const quality = (type: string): number => {
    const [, ...parameters] = ranges.find(([name]) => name === type) ?? ['', 'q=0'];
    return Number(parameters.find(each => each.startsWith('q='))?.slice(2) ?? 1);
  };
  return quality('text/html') > quality('application/json');
}
