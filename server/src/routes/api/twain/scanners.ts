/** `GET /api/twain/scanners`: every scanner of every driver. */
import { describeScanner } from '@platen/core';
import { ScannerList } from '../../../http/dto/schemas.js';
import { refusals } from '../../../openapi/refusals.js';
import { usableBy } from '../../../http/scannerConsent.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'listScanners',
  summary: 'List the scanners of all drivers',
  description:
    'Answers from what is known. The call waits 250 ms for drivers that are searching; the next list has what they find later. A scanner known from the last run of the service is offline until its driver has found it again.',
  tags: ['Scanners'],
  response: { '2xx': ScannerList, ...refusals('not-connected') },
};

const scanners: Route = (app, { scans, consent }) => {
  app.get('/api/twain/scanners', { schema }, async request => {
    const mayUse = usableBy(request, consent);
    const all = (await scans.list()).filter(({ name }) => mayUse(name)).map(describeScanner);
    return { success: true as const, scanners: all, count: all.length };
  });
};
export default scanners;
