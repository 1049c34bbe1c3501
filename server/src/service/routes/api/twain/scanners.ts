/** `GET /api/twain/scanners`: every scanner of every driver. */
import { describeScanner, type KnownDevice } from '@platen/core';
import { detailsQuery } from '../../../shapes/details.js';
import { flagOf } from '../../../parameters/documentQuery.js';
import { ScannerList } from '../../../shapes/schemas.js';
import { refusals } from '../../../openapi/refusals.js';
import { originOf } from '../../../http/guards/ownPage.js';
import { usableBy } from '../../../http/guards/scannerConsent.js';
import type { Route } from '../../../route.js';

const document = {
  querystring: detailsQuery(
    'Adds `isRemembered` to scanners that are known only from the last run, and `inUse` to those in use.',
  ),
};
const schema = {
  operationId: 'listScanners',
  summary: 'List the scanners of all drivers',
  description:
    'Answers from what is known. The call waits 250 ms for drivers that are searching; the next list has what they find later. A scanner known from the last run of the service is listed as it was then, until its driver has looked for it.',
  tags: ['Scanners'],
  response: { '2xx': ScannerList, ...refusals('not-connected') },
};

const scanners: Route = (app, { scans, consent }) => {
  app.get('/api/twain/scanners', { schema, config: { document } }, async request => {
    const mayUse = usableBy(request, consent);
    const origin = originOf(request);
    const useFor = (known: KnownDevice) => {
      const use = scans.useOf(known, origin);
      // Strangers share the opaque origin: nobody knows whether it is this page's own.
      return use && origin === 'null' ? 'other' : use;
    };
    const isDetailed = flagOf(request.query as Readonly<Record<string, unknown>>, 'details') === true;
    const all = (await scans.list())
      .filter(({ name }) => mayUse(name))
      .map(known => ({
        ...describeScanner(known),
        ...(isDetailed ? detailsOf(known, useFor(known)) : {}),
      }));
    return { success: true as const, scanners: all, count: all.length };
  });
};
export default scanners;

const detailsOf = ({ remembered }: KnownDevice, inUse: 'own' | 'other' | undefined) => ({
  ...(remembered ? { isRemembered: true } : {}),
  ...(inUse ? { inUse } : {}),
});
