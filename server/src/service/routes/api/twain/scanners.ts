/** `GET /api/twain/scanners`: every scanner of every driver. */
import { describeScanner, type KnownDevice } from '@platen/core';
import { detailsQuery } from '../../../shapes/details.js';
import { flagOf } from '../../../parameters/documentQuery.js';
import { ScannerList } from '../../../shapes/schemas.js';
import { refusals } from '../../../openapi/refusals.js';
import { originOf } from '../../../http/guards/ownPage.js';
import { usableBy } from '../../../http/guards/scannerConsent.js';
import type { Route } from '../../../route.js';

const details = detailsQuery(
  'Adds `isRemembered` to scanners that are known only from the last run, and `inUse` to those in use.',
);
const document = {
  querystring: {
    ...details,
    properties: {
      ...details.properties,
      search: {
        type: 'boolean',
        default: true,
        description:
          'False: answers at once from what is known, and starts no search, for a client that asks again and again. An addition to the interface.',
      },
    },
  },
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
    const useFor = (scanner: KnownDevice) => {
      const use = scans.useOf(scanner, origin);
      // Strangers share the opaque origin: nobody knows whether it is this page's own.
      return use && origin === 'null' ? 'other' : use;
    };
    const query = request.query as Readonly<Record<string, unknown>>;
    const isDetailed = flagOf(query, 'details') === true;
    const known = flagOf(query, 'search') === false ? scans.listed() : await scans.list();
    const all = known
      .filter(({ name }) => mayUse(name))
      .map(each => ({
        ...describeScanner(each),
        ...(isDetailed ? detailsOf(each, useFor(each)) : {}),
      }));
    return { success: true as const, scanners: all, count: all.length };
  });
};
export default scanners;

const detailsOf = ({ remembered }: KnownDevice, inUse: 'own' | 'other' | undefined) => ({
  ...(remembered ? { isRemembered: true } : {}),
  ...(inUse ? { inUse } : {}),
});
