/** `GET /api/twain/status`: the service, the desktop application and the open scanner. */
import { ServiceStatus } from '../../../shapes/schemas.js';
import { statusFor } from '../../../http/guards/scannerConsent.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'getStatus',
  summary: 'The service, the desktop application and the open scanner',
  tags: ['Service'],
  response: { '2xx': ServiceStatus },
};

const status: Route = (app, parts) => {
  const { desktop, registry, clock } = parts;
  app.get('/api/twain/status', { schema }, async request => ({
    success: true as const,
    serviceOnline: true,
    desktopAppConnected: desktop.connected,
    scannerStatus: { ...(await statusFor(request, parts)), ocrEnabled: registry.ocr !== undefined },
    timestamp: new Date(clock.now()).toISOString(),
  }));
};
export default status;
