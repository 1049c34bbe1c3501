/** `GET /api/twain/version`: the versions of the service and of the desktop application. */
import { VersionInfo } from '../../../shapes/schemas.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'getVersion',
  summary: 'The versions of the service and of the desktop application',
  description: 'A 404 means that the installation predates this endpoint; update it.',
  tags: ['Service'],
  response: { '2xx': VersionInfo },
};

const version: Route = (app, parts) => {
  app.get('/api/twain/version', { schema }, async () => {
    const { connected, version: desktopVersion } = parts.desktop;
    return {
      success: true as const,
      productName: 'Platen',
      serviceVersion: parts.version,
      ...(desktopVersion === undefined ? {} : { desktopVersion }),
      desktopAppConnected: connected,
      timestamp: new Date(parts.clock.now()).toISOString(),
    };
  });
};
export default version;
