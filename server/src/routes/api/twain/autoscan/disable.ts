/** `POST /api/twain/autoscan/disable`: ends auto-scan; pages that were not delivered are discarded. */
import { Done } from '../../../../http/dto/schemas.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'disableAutoscan',
  summary: 'End auto-scan',
  description: 'The sheet in hand is finished; pages that nobody took are discarded; the stream gets a disabled event and ends. No body is needed. Where auto-scan is off, that is no error.',
  tags: ['Auto-scan'],
  response: { '2xx': Done },
};

const disable: Route = (app, { scanner }) => {
  app.post('/api/twain/autoscan/disable', { schema }, async () => {
    const was = await scanner.disableAutoscan();
    return { success: true as const, message: was ? 'Auto-scan is disabled.' : 'Auto-scan was not enabled.' };
  });
};
export default disable;
