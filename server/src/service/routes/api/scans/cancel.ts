/** `POST /api/scans/{id}/cancel`: ends a scan after the sheet in the path. */
import { scanBody } from '../../../shapes/scanBody.js';
import { Scan } from '../../../shapes/scans.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';
import { ownScan, ScanPath } from './ownScan.js';

const schema = {
  operationId: 'cancelOneScan',
  summary: 'End a scan after the current sheet',
  description:
    'Stops feeding and answers at once; the pages of the current sheet still follow, then the scan is `cancelled`. No effect on a scan that has ended.',
  tags: ['Scans'],
  params: ScanPath,
  response: { '2xx': Scan, ...refusals('scan-not-found') },
};

const cancel: Route = (app, { kept, forPages }) => {
  app.post('/api/scans/:id/cancel', { schema }, async (request, reply) => {
    const scan = ownScan(request, kept);
    scan.cancel();
    return reply.header('cache-control', 'no-store').send(await scanBody(scan, forPages));
  });
};
export default cancel;
