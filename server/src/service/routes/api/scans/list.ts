/** `GET /api/scans`: the caller's own scans. */
import { scanSummary } from '../../../shapes/scanBody.js';
import { ScanList } from '../../../shapes/scans.js';
import { originOf } from '../../../http/guards/ownPage.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'listScans',
  summary: "The caller's own scans",
  description:
    'Scans that run, and those whose pages are kept, oldest first, without their pages. A web page gets the scans of its origin; a program gets those of programs. Pages with the opaque origin `null` share it with strangers: they get an empty list, and find a scan by its id only.',
  tags: ['Scans'],
  response: { '2xx': ScanList },
};

const list: Route = (app, { kept, forPages }) => {
  app.get('/api/scans', { schema }, async (request, reply) => {
    const origin = originOf(request);
    const scans = origin === 'null' ? [] : kept.list(origin).map(scan => scanSummary(scan, forPages));
    return reply.header('cache-control', 'no-store').send({ success: true as const, scans, count: scans.length });
  });
};
export default list;
