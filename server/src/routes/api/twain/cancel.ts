/** `POST /api/twain/cancel`: ends the running scan after the sheet in hand. */
import { CancelBody, Done } from '../../../http/dto/schemas.js';
import type { Route } from '../../route.js';

const cancel: Route = (app, { scanner }) => {
  app.post('/api/twain/cancel', { schema: { body: CancelBody, response: { '2xx': Done } }, preValidation: async request => void (request.body ??= {}) }, async request => {
    const cancelled = scanner.cancel(request.body.requestId);
    return { success: true as const, message: cancelled ? 'The scan is being cancelled.' : 'No scan is active' };
  });
};
export default cancel;
