/** `POST /api/scans/{id}/continue`: scans on into the same scan. */
import { assertAllowed } from '../../../http/guards/consentGuard.js';
import { scanBody } from '../../../shapes/scanBody.js';
import { Scan } from '../../../shapes/scans.js';
import { refusals } from '../../../openapi/refusals.js';
import { holdScan } from '../../../http/guards/scannerConsent.js';
import type { Route } from '../../../route.js';
import { ownScan, ScanPath, unlessCancelled } from './ownScan.js';

const schema = {
  operationId: 'continueScan',
  summary: 'Scan on into the same scan',
  description:
    'After a jam, an empty feeder, a restart of the service, or for the next sheet on the flatbed: scans with the same options; page and sheet numbers go on. Checked like a new scan before paper moves; if it is refused, the scan stays as it was.',
  tags: ['Scans'],
  params: ScanPath,
  response: {
    '2xx': Scan,
    ...refusals(
      'invalid-value',
      'scan-not-found',
      'device-not-found',
      'busy',
      'driver-failed',
      'not-connected',
      'storage-full',
    ),
  },
};

const goOn: Route = (app, parts) => {
  const { kept, forPages, consent } = parts;
  app.post('/api/scans/:id/continue', { schema }, async (request, reply) => {
    const scan = ownScan(request, kept);
    assertAllowed(request, consent, 'scan', [scan.scannerName]);
    await unlessCancelled(kept.continue(scan));
    holdScan(request, scan, parts);
    return reply.header('cache-control', 'no-store').send(await scanBody(scan, forPages));
  });
};
export default goOn;
