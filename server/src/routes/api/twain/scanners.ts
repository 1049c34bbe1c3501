/** `GET /api/twain/scanners`: every scanner of every driver. */
import { describeScanner } from '@platen/core';
import { ScannerList } from '../../../http/dto/schemas.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'listScanners',
  summary: 'Every scanner of every driver',
  description:
    'Answered from what is known. A driver that is looking is waited for, for a quarter of a second; what it finds later is in the next list. A scanner that is known from the last run of the service is offline until its driver has found it again.',
  tags: ['Scanners'],
  response: { '2xx': ScannerList, ...refusals('not-connected') },
};

const scanners: Route = (app, { scans }) => {
  app.get('/api/twain/scanners', { schema }, async () => {
    const all = (await scans.list()).map(describeScanner);
    return { success: true as const, scanners: all, count: all.length };
  });
};
export default scanners;
