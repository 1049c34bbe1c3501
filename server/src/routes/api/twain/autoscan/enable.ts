/** `POST /api/twain/autoscan/enable`: from now on, every document that is inserted is scanned. */
import { optionsFromSimple } from '../../../../http/dto/parameters.js';
import { Done, EnableBody } from '../../../../http/dto/schemas.js';
import { spelt } from '../../../../http/dto/validation.js';
import { originOf } from '../../../../http/ownPage.js';
import { refusals } from '../../../../openapi/refusals.js';
import type { Route } from '../../../../route.js';

const schema = {
  operationId: 'enableAutoscan',
  summary: 'From now on, scan every document that is inserted',
  description: 'Into the open scanner, or into the one that is named. While it is enabled, new parameters count from the next document. It disables itself when nobody has read the stream for five minutes. Pages that nobody had taken when an earlier auto-scan of the same origin ended wait for its stream; the message says how many.',
  tags: ['Auto-scan'],
  body: EnableBody,
  response: { '2xx': Done, ...refusals('invalid-value', 'invalid-json', 'device-not-found', 'no-source-open', 'busy', 'driver-failed', 'not-connected') },
};

const enable: Route = (app, { scans }) => {
  app.post('/api/twain/autoscan/enable', { schema, preValidation: async request => void (request.body = spelt<EnableBody>(EnableBody, request.body)) }, async request => {
    const { parameters, scannerName } = request.body;
    const notes = await scans.enableAutoscan(optionsFromSimple(parameters), scannerName, originOf(request));
    return { success: true as const, message: ['Auto-scan is enabled.', ...notes.map(({ text }) => text)].join(' ') };
  });
};
export default enable;
