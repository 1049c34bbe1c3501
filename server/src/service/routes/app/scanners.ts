/** `GET /app/scanners`: facts for the page about scanners and the installation, beyond the interface. */
import { assertOwnPage } from '../../http/guards/ownPage.js';
import { endingLicences } from '../../licences/ending.js';
import type { Route } from '../../route.js';

const appScanners: Route = (app, { scans, registry, plugins, clock, keepsPages }) => {
  app.get(
    '/app/scanners',
    { schema: { hide: true }, onRequest: async request => assertOwnPage(request) },
    async (_request, reply) => {
      const scanners = (await scans.list()).map(({ name, device, driver }) => ({
        name,
        takesInsertions: driver.insert !== undefined && device.feeder,
      }));
      const installed = {
        documents: registry.documents.map(({ extension }) => extension),
        keepsPages,
        licences: endingLicences(plugins.reports, clock),
      };
      return reply.header('cache-control', 'no-store').send({
        success: true,
        scanners,
        slowDrivers: scans.slowDrivers(),
        listingFailures: scans.listingFailures(),
        ...installed,
      });
    },
  );
};
export default appScanners;
