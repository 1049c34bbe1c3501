/** `GET /api/twain/status`: the service, the desktop application and the open scanner. */
import { ServiceStatus } from '../../../http/dto/schemas.js';
import { statusFor } from '../../../http/scannerConsent.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'getStatus',
  summary: 'The service, the desktop application and the open scanner',
  tags: ['Service'],
  response: { '2xx': ServiceStatus },
};

const status: Route = (app, services) => {
  const { desktop, registry, clock } = services;
  app.get('/api/twain/status', { schema }, async request => ({
    success: true as const,
    serviceOnline: true,
    desktopAppConnected: desktop.connected,
    scannerStatus: { ...(await statusFor(request, services)), ocrEnabled: registry.ocr !== undefined },
    timestamp: new Date(clock.now()).toISOString(),
  }));
};
export default status;
