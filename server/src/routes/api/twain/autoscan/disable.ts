/** `POST /api/twain/autoscan/disable`: ends auto-scan; pages that were not delivered are discarded. */
import { Done } from '../../../../http/dto/schemas.js';
import type { Route } from '../../../route.js';

const disable: Route = (app, { scanner }) => {
  app.post('/api/twain/autoscan/disable', { schema: { response: { '2xx': Done } } }, async () => {
    const was = await scanner.disableAutoscan();
    return { success: true as const, message: was ? 'Auto-scan is disabled.' : 'Auto-scan was not enabled.' };
  });
};
export default disable;
