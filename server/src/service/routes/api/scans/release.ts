/** `DELETE /api/scans/{id}`: the client has everything, and the pages go. */
import { Done } from '../../../shapes/schemas.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';
import { ownScan, ScanPath } from './ownScan.js';

const schema = {
  operationId: 'deleteScan',
  summary: 'Delete a scan: the client has everything',
  description: 'Removes the pages. Cancel a scan that runs before deleting it.',
  tags: ['Scans'],
  params: ScanPath,
  response: {
    '2xx': { ...Done, examples: [{ success: true, message: 'The scan is deleted.' }] },
    ...refusals('scan-not-found', 'busy', 'storage-failed'),
  },
};

const release: Route = (app, { kept }) => {
  app.delete('/api/scans/:id', { schema }, async request => {
    await kept.release(ownScan(request, kept).id);
    return { success: true as const, message: 'The scan is deleted.' };
  });
};
export default release;
