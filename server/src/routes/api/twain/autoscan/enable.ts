/** `POST /api/twain/autoscan/enable`: from now on, every document that is inserted is scanned. */
import { wishesFromSimple } from '../../../../http/dto/orderFromSimple.js';
import { Done, EnableBody } from '../../../../http/dto/schemas.js';
import { spelt } from '../../../../http/dto/validation.js';
import type { Route } from '../../../route.js';

const enable: Route = (app, { scanner }) => {
  const schema = { body: EnableBody, response: { '2xx': Done } };
  app.post('/api/twain/autoscan/enable', { schema, preValidation: async request => void (request.body = spelt<EnableBody>(EnableBody, request.body)) }, async request => {
    const { parameters, scannerName } = request.body;
    const notes = await scanner.enableAutoscan(wishesFromSimple(parameters), scannerName);
    return { success: true as const, message: ['Auto-scan is enabled.', ...notes].join(' ') };
  });
};
export default enable;
