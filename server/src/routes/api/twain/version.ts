/** `GET /api/twain/version`: the versions of the service and of the desktop application. */
import { VersionInfo } from '../../../http/dto/schemas.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'getVersion',
  summary: 'The versions of the service and of the desktop application',
  description: 'A 404 means that the installation predates this endpoint; update it.',
  tags: ['Service'],
  response: { '2xx': VersionInfo },
};

const version: Route = (app, services) => {
  app.get('/api/twain/version', { schema }, async () => {
    const { connected, version: desktopVersion } = services.desktop;
    return {
      success: true as const,
      productName: 'Platen',
      serviceVersion: services.version,
      ...(desktopVersion === undefined ? {} : { desktopVersion }),
      desktopAppConnected: connected,
      timestamp: new Date(services.clock.now()).toISOString(),
    };
  });
};
export default version;
