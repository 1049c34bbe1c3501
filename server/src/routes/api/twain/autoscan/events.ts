/** `GET /api/twain/autoscan/events`: the pages of auto-scan, as they are scanned. */
import { createImageEvents } from '../../../../sinks/sse.js';
import type { Route } from '../../../route.js';

const events: Route = (app, { scanner, clock, log }) => {
  const stream = createImageEvents(clock, log);
  // A HEAD would be a reader that takes the pages and shows them to nobody.
  app.get('/api/twain/autoscan/events', { exposeHeadRoute: false }, async (request, reply) => {
    const last = request.headers['last-event-id'];
    const reader = scanner.readAutoscan(typeof last === 'string' ? last : undefined);
    stream(reader, reply);
    return reply;
  });
};
export default events;
