/** `GET /api/twain/status`: the service, the desktop application and the open scanner. */
import { ServiceStatus } from '../../../http/dto/schemas.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'getStatus',
  summary: 'The service, the desktop application and the open scanner',
  tags: ['Service'],
  response: { '2xx': ServiceStatus },
};

const status: Route = (app, { scans, desktop, registry, clock }) => {
  app.get('/api/twain/status', { schema }, async () => ({
    success: true as const,
    serviceOnline: true,
    desktopAppConnected: desktop.connected,
    scannerStatus: { ...(await scans.status()), ocrEnabled: registry.ocr !== undefined },
    timestamp: new Date(clock.now()).toISOString(),
  }));
};
export default status;
