/** `GET /api/scans/{id}`: a scan and its pages so far. */
import { scanBody } from '../../../shapes/scanBody.js';
import { Scan } from '../../../shapes/scans.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';
import { attendedScan, ScanPath } from './ownScan.js';

const schema = {
  operationId: 'getScan',
  summary: 'A scan and its pages so far',
  tags: ['Scans'],
  params: ScanPath,
  response: { '2xx': Scan, ...refusals('scan-not-found') },
};

const read: Route = (app, { kept, forPages }) => {
  app.get('/api/scans/:id', { schema }, async (request, reply) =>
    reply.header('cache-control', 'no-store').send(await scanBody(attendedScan(request, reply, kept), forPages)),
  );
};
export default read;
